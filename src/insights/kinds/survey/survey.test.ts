import { expect, test } from 'vitest'
import { personsBehind } from '#test/product/persons-behind'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import type { SurveyAnswer } from './survey'

const testEngine = anEngine()

const versions = [
  {
    version: 1,
    from: '2026-03-01T00:00:00Z',
    questions: [
      { id: 'score', kind: 'rating', least: 0, most: 10 },
      {
        id: 'plan',
        kind: 'single-choice',
        choices: ['yes', 'no', 'other'],
        texts: { '': ['Yes', 'No', 'Other'], de: ['Ja', 'Nein', 'Anderes'] },
        hasOther: true,
      },
      { id: 'why', kind: 'open' },
    ],
  },
]

const happens = (
  event: string,
  at: number,
  properties: Record<string, string> = {},
  person = 'ana',
): TestEvent => ({
  person,
  event: `survey ${event}`,
  at,
  properties: { $survey_id: 's1', ...properties },
})

const partial = (submission: string, answers: Record<string, string>) => ({
  $survey_submission_id: submission,
  $survey_completed: 'false',
  ...Object.fromEntries(Object.entries(answers).map(([id, text]) => [`$survey_response_${id}`, text])),
})

async function resultsOf(events: readonly TestEvent[], more: object = {}): Promise<SurveyAnswer> {
  const project = await testEngine.addProject(events)
  return await testEngine.ask(project, {
    kind: 'survey',
    survey: 's1',
    versions,
    period: '2026-03-01..2026-03-31',
    ...more,
  })
}

const countsOf = ({ questions, all }: SurveyAnswer, id: string) =>
  all.questions[questions.findIndex((question) => question.id === id)]?.counts

test('answers of a submission are merged: the latest that is not empty counts, and earlier ones are not repeated', async () => {
  const answer = await resultsOf([
    happens('shown', 0),
    happens('sent', 1, partial('one', { score: '3' })),
    happens('sent', 2, partial('one', { score: '9' })),
    happens('sent', 3, partial('one', { score: '', why: 'fast' })),
  ])
  expect(countsOf(answer, 'score')).toEqual([[9, 1]])
  expect(countsOf(answer, 'why')).toEqual([[1, 1]])
  expect(answer.all.submissions).toMatchObject({ started: 1, responded: 1, completed: 0 })
})

test('a reload that goes on is no abandonment; leaving for good is', async () => {
  const { all } = await resultsOf([
    happens('sent', 1, partial('one', { score: '3' })),
    happens('abandoned', 2, partial('one', { score: '3' })),
    happens('sent', 3, { ...partial('one', { why: 'x' }), $survey_completed: 'true' }),
    happens('sent', 1, partial('two', { score: '5' })),
    happens('abandoned', 2, partial('two', { score: '5' })),
    happens('abandoned', 2, partial('three', {})),
  ])
  expect(all.submissions).toMatchObject({ started: 2, completed: 1, abandoned: 1, dismissed: 0 })
  expect(all.questions.map(({ stopped }) => stopped)).toEqual([1, 0, 0])
})

test('a dismissal after an answer is a dismissal, and its answer counts', async () => {
  const answer = await resultsOf([
    happens('shown', 0),
    happens('sent', 1, partial('one', { score: '3' })),
    happens('dismissed', 2, partial('one', { score: '3' })),
    happens('shown', 0, {}, 'ben'),
    happens('dismissed', 1, {}, 'ben'),
  ])
  expect(answer.all).toMatchObject({
    shown: 2,
    reached: 2,
    answered: 1,
    dismissedUnanswered: 1,
    submissions: { responded: 1, dismissed: 1 },
  })
  expect(countsOf(answer, 'score')).toEqual([[3, 1]])
})

test('an answer before "shown", or without it, is of a person who saw the survey', async () => {
  const { all } = await resultsOf([
    happens('sent', 0, { $survey_response_score: '8' }),
    happens('shown', 1),
    happens('sent', 0, { $survey_response_score: '8' }, 'ben'),
  ])
  expect(all).toMatchObject({ shown: 1, reached: 2, answered: 2, completedBy: 2 })
})

test('translated choices are the same choice, and typed texts are the other one', async () => {
  const answer = await resultsOf([
    happens('sent', 0, { $survey_response_plan: 'Ja', $survey_language: 'de-AT' }),
    happens('sent', 1, { $survey_response_plan: 'Yes' }),
    happens('sent', 2, { $survey_response_plan: 'Nein', $survey_language: 'de' }),
    happens('sent', 3, { $survey_response_plan: 'perhaps' }),
  ])
  expect(countsOf(answer, 'plan')).toEqual([
    [1, 2],
    [2, 1],
    [3, 1],
  ])
})

test('old SDKs answer by position, in the version of their time', async () => {
  const [first] = versions
  const later = { version: 2, from: '2026-03-02T12:00:00Z', questions: first?.questions.toReversed() }
  const answer = await resultsOf(
    [
      happens('sent', 0, { $survey_response: '7', $survey_response_1: 'Yes', $survey_response_2: 'old' }),
      happens('sent', 180, { $survey_response: 'new', $survey_response_1: 'No', $survey_response_2: '8' }),
      happens('sent', 181, { $survey_version: '1', $survey_response: '9' }),
    ],
    { versions: [first, later] },
  )
  expect(countsOf(answer, 'score')).toEqual([
    [7, 1],
    [8, 1],
    [9, 1],
  ])
  expect(countsOf(answer, 'plan')).toEqual([
    [1, 1],
    [2, 1],
  ])
  expect(countsOf(answer, 'why')).toEqual([[1, 2]])
})

test('a question whose scale was changed is told twice', async () => {
  const [first] = versions
  const five = {
    version: 2,
    from: '2026-03-02T12:00:00Z',
    questions: [{ id: 'score', kind: 'rating', least: 1, most: 5 }],
  }
  const answer = await resultsOf(
    [
      happens('sent', 0, { $survey_response_score: '9' }),
      happens('sent', 180, { $survey_response_score: '5' }),
    ],
    { versions: [first, five] },
  )
  const scores = answer.questions.map(({ id, most, version }, i) => [
    id,
    most,
    version,
    answer.all.questions[i]?.counts,
  ])
  expect(scores.filter(([id]) => id === 'score')).toEqual([
    ['score', 5, 2, [[5, 1]]],
    ['score', 10, 1, [[9, 1]]],
  ])
})

test('answers outside of the scale, test answers and removed submissions do not count', async () => {
  const events = [
    happens('sent', 0, { $survey_response_score: '11' }),
    happens('sent', 1, { $survey_response_score: '10', $survey_test: 'true' }),
    happens('sent', 2, { $survey_response_score: '4', $survey_submission_id: 'gone' }),
    happens('sent', 3, { $survey_response_score: '6' }),
  ]
  expect(countsOf(await resultsOf(events, { removed: ['gone'] }), 'score')).toEqual([[6, 1]])
  expect(countsOf(await resultsOf(events, { withTests: true }), 'score')).toEqual([
    [4, 1],
    [6, 1],
    [10, 1],
  ])
})

test('by time and by a property', async () => {
  const day = 24 * 60
  const answer = await resultsOf(
    [
      happens('sent', 0, { $survey_response_score: '9', plan: 'pro' }),
      happens('sent', day, { $survey_response_score: '2', plan: 'pro' }),
      happens('sent', day, { $survey_response_score: '3' }, 'ben'),
    ],
    { period: '2026-03-02..2026-03-03', interval: 'day', breakdown: { type: 'event', key: 'plan' } },
  )
  expect(answer.course?.questions.map(([score]) => score?.counts)).toEqual([
    [[9, 1]],
    [
      [2, 1],
      [3, 1],
    ],
  ])
  expect(
    answer.breakdown?.values.map(({ value, numbers }) => [value, numbers.submissions.responded]),
  ).toEqual([
    [['pro'], 2],
    [[null], 1],
  ])
})

test.each([45, 46, 60])(
  'each of %i choices is counted, also of more than a number has bits',
  async (count) => {
    const choices = Array.from({ length: count }, (_, i) => `c${i}`)
    const questions = [{ id: 'uses', kind: 'multiple-choice', choices, texts: { '': choices } }]
    const last = `c${count - 1}`
    const answer = await resultsOf(
      [
        happens('sent', 1, partial('one', { uses: JSON.stringify(['c0', 'c9', last]) })),
        happens('sent', 1, partial('two', { uses: JSON.stringify([last, 'typed']) }), 'ben'),
      ],
      { versions: [{ version: 1, from: '2026-03-01T00:00:00Z', questions }] },
    )
    expect(answer.all.questions).toEqual([
      {
        answered: 2,
        stopped: 2,
        counts: [
          [0, 1],
          [1, 1],
          [10, 1],
          [count, 2],
        ],
      },
    ])
    const ofLast = { answers: [{ question: 'uses', values: [last] }] }
    const none = { answers: [{ question: 'uses', values: ['gone'] }] }
    for (const [more, responded] of [
      [ofLast, 2],
      [none, 0],
    ] as const) {
      const { all } = await resultsOf(
        [
          happens('sent', 1, partial('one', { uses: JSON.stringify([last]) })),
          happens('sent', 1, partial('two', { uses: JSON.stringify([last, 'c1']) })),
        ],
        { ...more, versions: [{ version: 1, from: '2026-03-01T00:00:00Z', questions }] },
      )
      expect(all.submissions.responded).toBe(responded)
    }
  },
)

test('the persons behind an option are those who chose it, in any language', async () => {
  const story = [
    happens('sent', 1, partial('one', { plan: 'Yes' }), 'ana'),
    happens('sent', 2, partial('two', { plan: 'Ja' }), 'ben'),
    happens('sent', 3, partial('three', { plan: 'No' }), 'cem'),
  ]
  const project = await testEngine.addProject(story)
  const question = { kind: 'survey', survey: 's1', versions, period: '2026-03-01..2026-03-31' }
  const behind = (point: object) => personsBehind(testEngine, { project, story, question }, point)
  expect(await behind({ question: 'plan', values: ['yes'] })).toEqual(['ana', 'ben'])
  expect(await behind({ question: 'plan', values: ['no'] })).toEqual(['cem'])
  expect(await behind({ question: 'score', isAnswered: true })).toEqual([])
})
