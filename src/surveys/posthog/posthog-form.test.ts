import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { deviceTypes, type Survey } from '../survey'
import { fromPosthog, type PosthogSurveyImport } from './from-posthog'
import { reasonsAgainstPosthog } from './internal/posthog-limits'
import { toPosthog } from './internal/to-posthog'

const folder = join(import.meta.dirname, '../../../test/recordings/posthog/surveys')
const now = new Date('2026-11-22T09:00:00Z')
const sanitize = (html: string) => html.replaceAll(/<img[^>]*>/g, '')

type Json = z.infer<ReturnType<typeof z.json>>
const anObject = z.record(z.string(), z.json())
const textIn = (object: Record<string, unknown>, key: string) => z.string().catch('').parse(object[key])
const recording = z.looseObject({ surveys: z.array(anObject) })

const recordedSurveys = readdirSync(folder).flatMap((file) => {
  const { surveys } = recording.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')))
  return surveys.map((survey) => ({
    name: `${file.replace('.json', '')} ${textIn(survey, 'id')}`,
    given: { ...survey, ...iterations(survey) },
  }))
})

/** The list for browsers tells only the iteration that runs; PostHog's API tells these two. */
function iterations({ schedule }: Record<string, Json>): Record<string, Json> {
  return schedule === 'recurring' ? { iteration_count: 3, iteration_frequency_days: 1035 } : {}
}

function imported(given: unknown): PosthogSurveyImport {
  const read = fromPosthog(given, { sanitize })
  if (!read.done) throw new Error(read.problems.map(({ message }) => message).join(' '))
  return read.value
}

function startOf(given: unknown): Date | undefined {
  const date = textIn(anObject.parse(given), 'start_date')
  return date === '' ? undefined : new Date(date)
}

function aSurvey(given: unknown, more: Partial<Survey> = {}): Survey {
  const { survey } = imported(given)
  return {
    id: 's1',
    projectId: 1,
    version: 1,
    revision: 1,
    createdBy: 'Ana',
    changedBy: 'Ana',
    createdAt: now,
    changedAt: now,
    archivedAt: undefined,
    notify: [],
    startsAt: startOf(given),
    ...survey,
    hostedPage: { needsLink: false, pinHash: undefined, ...survey.hostedPage },
    ...more,
  }
}

const thereAndBack = (given: unknown): unknown =>
  JSON.parse(JSON.stringify(toPosthog(aSurvey(given), now, { targetingFlag: undefined, sanitize })))

const isGiven = (value: Json | undefined): value is Json =>
  value !== undefined && value !== null && value !== false && value !== '' && JSON.stringify(value) !== '{}'

/** An object without what is the same as absent to the client. */
const compact = (given: unknown, leftOut: readonly string[] = []): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(anObject.catch({}).parse(given)).filter(
      ([key, value]) => isGiven(value) && !leftOut.includes(key),
    ),
  )

const device = (given: Record<string, Json>): string[] | undefined => {
  const wanted = z.array(z.string()).safeParse(given['deviceTypes']).data
  const match = given['deviceTypesMatchType'] ?? 'icontains'
  const isIn = (type: string) =>
    wanted?.some((one) =>
      match === 'icontains' ? type.toLowerCase().includes(one.toLowerCase()) : type === one,
    )
  return wanted && deviceTypes.filter((type) => isIn(type) === (match !== 'is_not'))
}

const flagsOf = (given: Record<string, Json>) =>
  [
    given['linked_flag_key'],
    given['targeting_flag_key'],
    ...z
      .array(anObject)
      .catch([])
      .parse(given['feature_flag_keys'])
      .map(({ value }) => value),
  ].filter(isGiven)

/** Everything by which posthog-js decides when it shows a survey and what, said in one way. */
function behaviourOf(given: Record<string, Json>) {
  const conditions = compact(given['conditions'])
  const { url, urlMatchType = 'icontains', linkedFlagVariant, events, actions } = conditions
  return {
    type: given['type'],
    schedule: given['schedule'],
    enable_partial_responses: given['enable_partial_responses'],
    current_iteration: given['current_iteration'],
    iterationStart:
      isGiven(given['current_iteration_start_date']) &&
      Date.parse(textIn(given, 'current_iteration_start_date')),
    flags: flagsOf(given),
    variant: linkedFlagVariant === 'any' ? undefined : linkedFlagVariant,
    url: url && [urlMatchType, url],
    devices: device(conditions),
    selector: conditions['selector'],
    wait: conditions['seenSurveyWaitPeriodInDays'],
    events: compact(events),
    cancelEvents: compact(conditions['cancelEvents']),
    actions: z
      .array(z.looseObject({ name: z.string(), steps: z.array(anObject) }))
      .catch([])
      .parse(compact(actions)['values'])
      .map(({ name, steps }) => ({ name, steps: steps.map((step) => compact(step, ['selector_regex'])) })),
    questions: z
      .array(anObject)
      .parse(given['questions'])
      .map((question) => ({
        ...compact(question, ['validation', 'descriptionContentType']),
        isHtml: isGiven(question['description']) && question['descriptionContentType'] === 'html',
        description: sanitize(textIn(question, 'description')),
        validation: z
          .array(anObject)
          .catch([])
          .parse(question['validation'])
          .map(({ type, value }) => ({ type, value })),
      })),
    translations: compact(given['translations']),
    appearance: textsOf(compact(given['appearance'], differingAppearance)),
  }
}

const textsOf = (appearance: Record<string, Json>) =>
  Object.fromEntries(
    Object.entries(appearance)
      .filter(([key]) => !key.endsWith('ContentType'))
      .map(([key, value]) => [key, typeof value === 'string' ? sanitize(value) : value]),
  )

/** Colours and sizes have defaults of ours; the others are named as not kept, or are never as PostHog has them. */
const differingAppearance = `
  backgroundColor textColor submitButtonColor submitButtonTextColor ratingButtonColor ratingButtonActiveColor
  borderColor inputBackground fontFamily borderRadius maxWidth position whiteLabel autoDisappear tabPosition
  thankYouMessageHeader
`
  .trim()
  .split(/\s+/)

test('there are recordings of every case', () => expect(recordedSurveys.length).toBeGreaterThan(60))

test.each(recordedSurveys.filter(({ name }) => !name.startsWith('A9')))(
  'there and back, posthog-js does the same with $name',
  ({ given }) => expect(behaviourOf(anObject.parse(thereAndBack(given)))).toEqual(behaviourOf(given)),
)

test('a type of questions that PostHog does not have is refused', () =>
  expect(fromPosthog(recordedSurveys.find(({ name }) => name.startsWith('A9'))?.given, { sanitize })).toEqual(
    {
      done: false,
      problems: [{ field: 'questions.1.type', message: 'PostHog has no questions of the type “ranking”.' }],
    },
  ))

const asking = (questions: readonly object[], more: object = {}) => ({
  name: 'NPS',
  type: 'popover',
  questions,
  start_date: '2026-01-01T00:00:00Z',
  ...more,
})
const single = (choices: readonly string[]) => ({
  id: 'q1',
  type: 'single_choice',
  question: 'Which?',
  choices,
})
const open = { id: 'q2', type: 'open', question: 'Why?' }

describe('what PostHog has by index, we have by id', () => {
  const given = asking([
    {
      ...single(['A', 'B', 'C']),
      branching: { type: 'response_based', responseValues: { '1': 'end', '2': 2 } },
      translations: { de: { question: 'Welche?', choices: ['Ah', 'Beh', 'Zeh'] } },
    },
    { ...open, branching: { type: 'specific_question', index: 2 } },
    { ...open, id: 'q3' },
  ])

  test('branches and translations', () =>
    expect(imported(given).survey.content).toMatchObject({
      questions: [
        {
          choices: [{ id: 'choice-1' }, { id: 'choice-2' }, { id: 'choice-3' }],
          branching: {
            kind: 'by-answer',
            branches: { 'choice-2': { kind: 'end' }, 'choice-3': { kind: 'question', question: 'q3' } },
          },
        },
        { branching: { kind: 'question', question: 'q3' } },
        { branching: { kind: 'next' } },
      ],
      translations: { de: { questions: { q1: { text: 'Welche?', choices: ['Ah', 'Beh', 'Zeh'] } } } },
    }))
})

test('questions without ids get some, because without one posthog-js sends no answer', () => {
  const { id: _, ...nameless } = open
  const { questions } = imported(asking([nameless, nameless])).survey.content
  expect(questions.map(({ id }) => id)).toEqual(['question-1', 'question-2'])
})

test('conditions of a targeting flag become conditions on persons', () => {
  const groups = [
    {
      properties: [{ key: 'plan', type: 'person', operator: 'exact', value: ['pro'] }],
      rollout_percentage: 20,
    },
  ]
  expect(
    imported(asking([open], { targeting_flag_filters: { groups }, targeting_flag_key: 'x' })).survey
      .targeting,
  ).toEqual({
    person: { all: [{ type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }] },
    percentage: 20,
  })
})

test.each<[string, object, RegExp]>([
  ['another flag', { linked_flag_key: 'a', targeting_flag_key: 'b' }, /“a” is kept; “b” not/],
  [
    'a widget that no client draws',
    { type: 'widget', appearance: { widgetType: 'button' } },
    /becomes a tab/,
  ],
  ['fields of appearance', { appearance: { autoDisappear: true } }, /autoDisappear/],
  [
    'a cohort of another place',
    { targeting_flag_filters: { groups: [{ properties: [{ key: 'id', type: 'cohort', value: 7 }] }] } },
    /cohort/,
  ],
  [
    'a branch to nowhere',
    { questions: [{ ...open, branching: { type: 'specific_question', index: 7 } }] },
    /question 8/,
  ],
])('%s cannot be kept, and is named', (_, more, sentence) =>
  expect(imported(asking([open], more)).notKept).toEqual([expect.stringMatching(sentence)]),
)

test.each<[string, unknown]>([
  ['a list', []],
  ['a survey without a type', { name: 'x' }],
  ['an unknown type', { name: 'x', type: 'banner' }],
  ['iterations without a number', { name: 'x', type: 'popover', schedule: 'recurring' }],
])('%s is refused with a sentence', (_, given) =>
  expect(fromPosthog(given, { sanitize })).toMatchObject({ done: false, problems: [{ message: /[.]$/ }] }),
)

describe('what posthog-js is given', () => {
  const sent = (more: Partial<Survey> = {}, given: object = asking([open])) =>
    toPosthog(aSurvey(given, more), now, { targetingFlag: 'survey-targeting-x', sanitize })

  test('no badge, and no note for members', () => {
    const survey = sent({ description: 'private' })
    expect(survey.appearance['whiteLabel']).toBe(true)
    expect(JSON.stringify(survey)).not.toContain('private')
  })

  test('a start or an end that has not come is not sent, because every date counts as past', () =>
    expect(sent({ startsAt: new Date('2027-01-01'), endsAt: new Date('2027-02-01') })).toMatchObject({
      start_date: null,
      end_date: null,
    }))

  test('the flag of a survey that is shown again stands where posthog-js looks at it', () => {
    expect(sent()).toMatchObject({
      internal_targeting_flag_key: 'survey-targeting-x',
      targeting_flag_key: null,
    })
    expect(sent({ schedule: { kind: 'always' } })).toMatchObject({
      internal_targeting_flag_key: null,
      targeting_flag_key: 'survey-targeting-x',
    })
    const repeatsOnTrigger = { targeting: { repeatsOnTrigger: true } }
    expect(sent(repeatsOnTrigger)).toMatchObject({ internal_targeting_flag_key: 'survey-targeting-x' })
    expect(sent({ targeting: { repeatsOnTrigger: true, percentage: 20 } })).toMatchObject({
      targeting_flag_key: 'survey-targeting-x',
    })
  })

  test('stars are numbers, and small scales are pictures', () => {
    const rating = (scale: number, display: string) => ({
      id: 'r',
      type: 'rating',
      question: 'How?',
      scale,
      display,
    })
    const survey = aSurvey(asking([rating(5, 'number'), rating(7, 'emoji'), rating(3, 'number')]))
    const questions = survey.content.questions.map((question) =>
      question.kind === 'rating' && question.scale === 5
        ? { ...question, display: 'stars' as const }
        : question,
    )
    const given = toPosthog({ ...survey, content: { ...survey.content, questions } }, now, {
      targetingFlag: undefined,
      sanitize,
    })
    expect(given.questions.map(({ display }) => display)).toEqual(['number', 'number', 'emoji'])
  })
})

describe('why posthog-js cannot show a survey', () => {
  const base = aSurvey(asking([open]))
  const [question] = base.content.questions
  const withContent = (content: Partial<Survey['content']>): Partial<Survey> => ({
    content: { ...base.content, ...content },
  })
  const trigger = (key: string, operator: 'exact' | 'gte') =>
    ({
      kind: 'event',
      event: 'paid',
      properties: [
        { type: 'event', key, operator, value: '1' },
        { type: 'event', key: 'a', operator: 'exact', value: '1' },
      ],
    }) as const

  test.each<[string, Partial<Survey>, RegExp | undefined]>([
    ['a plain one', {}, undefined],
    ['no questions', withContent({ questions: [] }), /no questions/],
    ['only its own page', { placement: { kind: 'hosted' } }, /own address/],
    [
      'another kind',
      withContent({ questions: [{ ...base.content.questions[0], kind: 'ranking', choices: [] } as never] }),
      /ranking/,
    ],
    ['languages', { targeting: { languages: ['de'] } }, /language/],
    ['exit intent', { targeting: { exitIntent: true } }, /exit intent/],
    ['no exit intent', { targeting: { exitIntent: false } }, undefined],
    ['another comparison', { targeting: { triggers: [trigger('b', 'gte')] } }, /gte/],
    ['two conditions on one property', { targeting: { triggers: [trigger('a', 'exact')] } }, /one condition/],
    [
      'a selector of hovering',
      { targeting: { triggers: [{ kind: 'action', name: 'x', steps: [{ selector: 'a:hover' }] }] } },
      /a:hover/,
    ],
    [
      'an earlier answer in a text',
      withContent({ questions: [{ ...question, text: 'Why {{answer:q1}}?' } as never] }),
      /recall/,
    ],
    [
      'an end card with a link',
      withContent({
        endCards: [
          {
            id: 'a',
            header: '',
            description: { format: 'text', text: '' },
            buttonText: '',
            link: 'https://x.example',
          },
        ],
      }),
      /link/,
    ],
  ])('%s', (_, more, reason) =>
    expect(reasonsAgainstPosthog({ ...base, ...more })).toEqual(
      reason ? [expect.stringMatching(reason)] : [],
    ),
  )
})
