import { expect, test } from 'vitest'
import type { SurveyQuestion } from './question'
import type { Survey } from './survey'
import { whereItRuns } from './where-it-runs'

const question = (kind: 'statement' | 'date' | 'link'): SurveyQuestion => ({
  id: kind,
  text: 'Hello',
  description: { format: 'text', text: '' },
  buttonText: '',
  isRequired: false,
  branching: { kind: 'next' },
  ...(kind === 'link' ? { kind, link: 'https://example.com' } : { kind }),
})

const survey = (parts: Partial<Survey>, questions: SurveyQuestion[]) => ({
  // only questions and end cards are looked at
  content: { questions, endCards: [] } as unknown as Survey['content'],
  placement: { kind: 'popover' } as const,
  targeting: {},
  hostedPage: { isOpen: false, needsLink: false, pinHash: undefined, mayBeEmbedded: false },
  ...parts,
})

const openPage = { isOpen: true, needsLink: false, pinHash: undefined, mayBeEmbedded: false }

test.each<[string, Partial<Survey>, SurveyQuestion[], string[]]>([
  ['a popover of plain questions', {}, [question('link')], ['posthog', 'widget']],
  ['a popover with a date', {}, [question('date')], ['widget']],
  ['a popover on exit', { targeting: { exitIntent: true } }, [question('link')], ['widget']],
  [
    'a popover on a selector of its trigger that posthog-js cannot compare',
    {
      targeting: {
        triggers: [{ kind: 'action', name: 'Buy', steps: [{ selector: 'a:hover' }] }],
      },
    },
    [question('link')],
    ['widget'],
  ],
  [
    'a condition that is turned off',
    { targeting: { exitIntent: false } },
    [question('link')],
    ['posthog', 'widget'],
  ],
  ['an inline survey', { placement: { kind: 'inline' } }, [question('link')], ['posthog', 'inline']],
  [
    'a hosted survey',
    { placement: { kind: 'hosted' }, hostedPage: openPage },
    [question('link')],
    ['hosted'],
  ],
  ['a hosted survey whose page is closed', { placement: { kind: 'hosted' } }, [question('link')], []],
  ['a survey of one’s own interface', { placement: { kind: 'api' } }, [question('date')], ['api']],
  [
    'an open hosted page beside a popover',
    { hostedPage: openPage },
    [question('date')],
    ['widget', 'hosted'],
  ],
  ['a survey without questions', {}, [], []],
])('%s runs in %s', (_, parts, questions, places) => {
  const verdicts = whereItRuns(survey(parts, questions))
  expect(verdicts.filter(({ runs }) => runs).map(({ place }) => place)).toEqual(places)
  for (const { runs, reasons } of verdicts) expect(reasons.length > 0).toBe(!runs)
})
