import * as fc from 'fast-check'
import type { AnswerCondition, AnswerSpec, VersionSpec } from '#insights/kinds/survey/schema'
import type { TestEvent } from '../product/test-engine'
import { daysFrom, hoursFrom } from './random-stories'

/** The Monday about which these surveys are asked. */
const surveyDay = '2026-03-02'

const wordPool = ['Yes', 'No', 'Maybe', 'Ja', 'Nein', 'Oui', 'A, "quoted" one', '[x']
const word = fc.constantFrom(...wordPool)
const choiceIds = ['c1', 'c2', 'c3', 'c4']

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 })

/** Texts may be the same in two languages for different choices, as "Na" may be yes here and no there. */
const textsOf = (size: number) =>
  fc.record(
    {
      '': fc.shuffledSubarray(wordPool, { minLength: size, maxLength: size }),
      de: fc.shuffledSubarray(wordPool, { minLength: size, maxLength: size }),
      'fr-CA': fc.shuffledSubarray(wordPool, { minLength: size, maxLength: size }),
    },
    { requiredKeys: [''] },
  )

const choices = fc
  .shuffledSubarray(choiceIds, { minLength: 2, maxLength: 4 })
  .chain((ids) => fc.record({ choices: fc.constant(ids), texts: textsOf(ids.length) }))

const scales = fc.constantFrom({ least: 0, most: 10 }, { least: 1, most: 5 }, { least: 1, most: 2 })

const specOf = (id: string): fc.Arbitrary<AnswerSpec> =>
  fc.oneof(
    scales.map((scale) => ({ id, kind: 'rating' as const, ...scale })),
    fc
      .tuple(fc.constantFrom('single-choice' as const, 'multiple-choice' as const), choices, fc.boolean())
      .map(([kind, some, hasOther]) => ({ id, kind, ...some, hasOther })),
    fc
      .tuple(fc.constantFrom('ranking' as const, 'picture' as const), choices)
      .map(([kind, some]) => ({ id, kind, ...some })),
    fc
      .constantFrom(
        'open' as const,
        'link' as const,
        'date' as const,
        'contact' as const,
        'consent' as const,
        'statement' as const,
      )
      .map((kind) => ({ id, kind })),
    fc.constant<AnswerSpec>({ id, kind: 'matrix', rows: ['r1', 'r2'], columns: ['k1', 'k2', 'k3'] }),
  )

const ids = ['q1', 'q2', 'q3']

/** The first keeps its meaning in all versions; the others may be changed, removed and moved. */
const randomVersions: fc.Arbitrary<VersionSpec[]> = fc
  .array(
    fc.record({
      order: fc.shuffledSubarray(ids, { minLength: 1 }),
      specs: fc.record({ q1: specOf('q1'), q2: specOf('q2'), q3: specOf('q3') }),
      keeps: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((drawn) => {
    const [first] = drawn
    return drawn.map(({ order, specs, keeps }, i) => {
      const used: Record<string, AnswerSpec> = keeps && first ? first.specs : specs
      return {
        version: i + 1,
        from: hoursFrom(surveyDay, (i - 1) * 12).toISOString(),
        questions: order.flatMap((id) => used[id] ?? []),
      }
    })
  })

const answer = fc.oneof(
  fc.integer({ min: 0, max: 11 }).map(String),
  word,
  fc.array(word, { maxLength: 4 }).map((texts) => JSON.stringify(texts)),
  fc.constantFrom(
    '',
    'something else',
    'true',
    'false',
    'link clicked',
    '2026-02-28',
    '[]',
    '{}',
    '["Yes","Yes","?"]',
  ),
  fc
    .dictionary(fc.constantFrom('r1', 'r2', 'r9'), fc.constantFrom('k1', 'k2', 'k3', 'k9'))
    .map((rows) => JSON.stringify(rows)),
)

const answersOfNewClients = fc
  .dictionary(fc.constantFrom(...ids, 'q9'), answer, { maxKeys: 3 })
  .map((answers) =>
    Object.fromEntries(Object.entries(answers).map(([id, text]) => [`$survey_response_${id}`, text])),
  )
const answersOfOldClients = fc.dictionary(
  fc.constantFrom('$survey_response', '$survey_response_1', '$survey_response_2'),
  answer,
)

const moment = fc.integer({ min: -60 * 18, max: 60 * 40 })

const randomEvent = fc.record({
  minute: moment,
  person: fc.constantFrom('ana', 'ben', 'cleo'),
  event: fc.constantFrom(
    'survey shown',
    'survey sent',
    'survey sent',
    'survey sent',
    'survey dismissed',
    'survey abandoned',
    'other',
  ),
  survey: fc.constantFrom('s1', 's1', 's1', 's1', 's2'),
  submission: fc.constantFrom('one', 'one', 'two', 'three', undefined),
  answers: fc.oneof(
    { weight: 3, arbitrary: answersOfNewClients },
    { weight: 1, arbitrary: answersOfOldClients },
  ),
  more: fc.record(
    {
      $survey_completed: fc.constantFrom('true', 'false', 'false'),
      $survey_language: fc.constantFrom('de', 'de-AT', 'DE', 'fr-CA', 'fr', 'it'),
      $survey_version: fc.constantFrom('1', '2', '3', '7', 'x'),
      $survey_iteration: fc.constantFrom('1', '2'),
      $survey_test: fc.constantFrom('true', 'false', 'false'),
      plan: fc.constantFrom('p', 'q', ''),
    },
    { requiredKeys: [] },
  ),
  traffic: fc.constantFrom('human' as const, 'human' as const, 'human' as const, 'bot' as const),
})

/** No two at the same instant: which one was later would be decided by chance. */
export const randomSurveyEvents: fc.Arbitrary<TestEvent[]> = fc
  .uniqueArray(randomEvent, { maxLength: 16, size: 'max', selector: ({ minute }) => minute })
  .map((events) =>
    events.map(({ minute, person, event, survey, submission, answers, more, traffic }) => ({
      person,
      event,
      at: new Date(Date.parse(`${surveyDay}T00:00:00Z`) + minute * 60_000).toISOString(),
      columns: { traffic },
      properties: {
        $survey_id: survey,
        ...(event !== 'survey shown' && submission !== undefined && { $survey_submission_id: submission }),
        ...(event !== 'survey shown' && answers),
        ...more,
      },
    })),
  )

const value = fc.oneof(
  fc.integer({ min: 0, max: 10 }),
  fc.constantFrom(...choiceIds, '2026-02-28'),
  fc.boolean(),
  fc.constant(null),
  fc.record({ row: fc.constantFrom('r1', 'r2'), column: fc.constantFrom('k1', 'k2', 'k3') }),
)

/** Most have many values, so that some submissions fulfil them. */
const randomCondition: fc.Arbitrary<AnswerCondition> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      question: fc.constantFrom(...ids),
      values: fc.array(value, { minLength: 1, maxLength: 12, size: 'max' }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      question: fc.constantFrom(...ids),
      containing: fc.constantFrom('yes', 'Ja', 'else', 'quoted', 'es'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ question: fc.constantFrom(...ids), isAnswered: fc.constant<true>(true) }),
  },
)

export const randomSurveyQuestions: fc.Arbitrary<object> = fc.record(
  {
    kind: fc.constant('survey'),
    survey: fc.constant('s1'),
    versions: randomVersions,
    period: fc.constantFrom(
      `${surveyDay}..${surveyDay}`,
      `${daysFrom(surveyDay, -1)}..${daysFrom(surveyDay, 1)}`,
    ),
    removed: fc.constantFrom([], ['one']),
    onlyRemoved: fc.constantFrom(false, false, false, true),
    withTests: fc.boolean(),
    answers: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(randomCondition, { maxLength: 2 }) },
    ),
    interval: maybe(fc.constantFrom('hour', 'day')),
    breakdown: maybe(fc.constant({ type: 'event', key: 'plan' })),
    limit: fc.constantFrom(1, 10),
  },
  { requiredKeys: ['kind', 'survey', 'versions', 'period', 'removed', 'onlyRemoved', 'withTests', 'limit'] },
)
