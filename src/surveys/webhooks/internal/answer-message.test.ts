import { expect, test } from 'vitest'
import { isSlack, messageBody, slackBody, type SubmissionContent } from './answer-message'

const content: SubmissionContent = {
  isComplete: true,
  answeredAt: '2026-11-21T10:30:00.000Z',
  language: undefined,
  version: 1,
  distinctId: 'ana',
  answers: [
    { id: 'score', question: 'How likely?', answer: 9 },
    { id: 'uses', question: 'What for?', answer: ['Work', 'Fun & games'] },
    { id: 'reach', question: 'Where?', answer: { email: 'ana@example.com' } },
    { id: 'why', question: 'Why?', answer: '<!channel> see <https://bad.example|your invoice>' },
  ],
}
const context = {
  kind: 'survey.answered',
  survey: { id: 's1', name: 'Score' },
  project: { slug: 'acme', name: 'Acme' },
  submission: 'one',
  url: 'https://tilth.example/studio/acme',
} as const

test('Slack gets a text of its own form, in which no answer calls a channel or hides an address', () => {
  const body: unknown = JSON.parse(slackBody(content, context))
  expect(body).toEqual({
    text: [
      '“Score” was answered. https://tilth.example/studio/acme',
      'How likely?: 9',
      'What for?: Work, Fun &amp; games',
      'Where?: email: ana@example.com',
      'Why?: &lt;!channel&gt; see &lt;https://bad.example|your invoice&gt;',
    ].join('\n'),
    unfurl_links: false,
    unfurl_media: false,
  })
})

test('Slack is told how many answers are left out', () =>
  expect(JSON.parse(slackBody({ ...content, leftOut: 2 }, context))).toMatchObject({
    text: expect.stringMatching(/2 answers are left out: the survey has no such questions\.$/),
  }))

test('programs get the answers as they were given', () => {
  const body: unknown = JSON.parse(messageBody(content, context))
  expect(body).toMatchObject({ type: 'survey.answered', answers: content.answers })
})

test.each([
  ['https://hooks.slack.com/services/T0/B0/x', true],
  ['https://hooks.slack.com.bad.example/services', false],
  ['https://example.com/hooks.slack.com', false],
])('%s is an address of Slack: %s', (url, is) => expect(isSlack(url)).toBe(is))
