import { expect, test } from 'vitest'
import { changeOf, differencesOf, draftOf, fieldProblems, type OpenedSurvey, problemAt, tabOf } from './draft'
import { newQuestion } from './question-kinds'

const question = { ...newQuestion('open', () => 'q1'), text: 'Why?' }
const survey: OpenedSurvey = {
  id: 's1',
  projectId: 1,
  name: 'Churn',
  description: '',
  content: {
    questions: [question],
    // left as it is by the draft
    appearance: {} as OpenedSurvey['content']['appearance'],
    intro: { header: 'Hello', description: { format: 'text', text: '' }, buttonText: '' },
    endCards: [],
    sendsPartialAnswers: true,
    allowsGoingBack: false,
    shufflesQuestions: false,
    hiddenFields: [],
    translations: {},
  },
  version: 1,
  revision: 4,
  placement: { kind: 'popover' },
  hostedPage: { isOpen: false, needsLink: false, mayBeEmbedded: false, hasPin: true },
  targeting: { waitDays: 30, exitIntent: true },
  schedule: { kind: 'once' },
  responseLimit: 100,
  notify: [],
  startsAt: undefined,
  endsAt: undefined,
  archivedAt: undefined,
  createdBy: 'Ana',
  createdAt: new Date(0),
  changedBy: 'Ana',
  changedAt: new Date(0),
}
const draft = draftOf(survey)

test('a survey that is opened and not changed has no differences', () => {
  expect(differencesOf(draft, draftOf({ ...survey, targeting: { exitIntent: true, waitDays: 30 } }))).toEqual(
    [],
  )
})

test('what is taken away is null, and a PIN that is not touched is left out', () => {
  const changed = {
    ...draft,
    content: { ...draft.content, intro: undefined },
    targeting: { waitDays: 7, exitIntent: undefined },
    responseLimit: undefined,
  }
  expect(differencesOf(draft, changed)).toEqual([
    'Questions, texts or appearance',
    'Targeting',
    'Response limit',
  ])
  expect(changeOf(changed, survey)).toMatchObject({
    revision: 4,
    content: { intro: null },
    targeting: { waitDays: 7, exitIntent: null },
    responseLimit: null,
    hostedPage: { isOpen: false },
  })
  expect(changeOf(changed, survey).hostedPage).not.toHaveProperty('pin')
  expect(
    changeOf({ ...draft, hostedPage: { ...draft.hostedPage, pin: null } }, survey).hostedPage,
  ).toMatchObject({
    pin: null,
  })
})

test('problems of a question stay with it when it is moved', () => {
  const found = fieldProblems(
    [
      { field: 'content.questions.0.text', message: 'Write the text of the question.' },
      { field: 'content.questions.0.choices.1', message: 'Twice.' },
      { field: 'targeting.url.value', message: 'Give the address.' },
      { message: 'A survey needs more.' },
    ],
    draft,
  )
  expect(problemAt(found, 'q1:text')).toBe('Write the text of the question.')
  expect(problemAt(found, 'q1:choices')).toBe('Twice.')
  expect(problemAt(found, 'targeting.url')).toBe('Give the address.')
  expect(problemAt(found, 'q2:text')).toBeUndefined()
  expect(Object.keys(found).map(tabOf)).toEqual(expect.arrayContaining(['questions', 'audience', 'launch']))
})
