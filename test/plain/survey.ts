import { bucketsOf, type Calendar, type Period, periodOn } from '#insights/calendar/period'
import { answeredCode, pairCode } from '#insights/kinds/survey/codes'
import type {
  AnswerCondition,
  AnswerSpec,
  AnswerValue,
  SurveyQuery,
  VersionSpec,
} from '#insights/kinds/survey/schema'
import type { AnswerCounts, SurveyAnswer, SurveyNumbers } from '#insights/kinds/survey/survey'
import { timeOf, type TestEvent, uuidFor } from '../product/test-engine'
import { isHuman, within } from './visits'

interface PlainSurveyWorld {
  project: number
  events: readonly TestEvent[]
  calendar: Calendar
}

/** An event beside its uuid, which names it where it has no submission. */
interface PlainEvent extends TestEvent {
  uuid: string
}

const property = ({ properties }: TestEvent, key: string): string => properties?.[key] ?? ''
const msOf = (event: TestEvent): number => timeOf(event).getTime()
const countOf = (values: Iterable<unknown>): number => new Set(values).size
const byText = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

/** A survey's results, worked out submission by submission. */
export function plainSurvey(
  question: SurveyQuery,
  world: PlainSurveyWorld,
): Pick<SurveyAnswer, 'all' | 'course' | 'breakdown'> & { asked: string[] } {
  const period = periodOn(world.calendar, question.period)
  const columns = columnsOf(question.versions)
  const events = withAnswers(eventsOf(question, world, period), columns, question)
  const valueOf = (event: TestEvent): string | null => event.properties?.['plan'] ?? null
  return {
    asked: columns.map(({ id }) => id),
    all: numbersOf(events, columns, question),
    ...(question.interval && { course: courseOf(events, columns, question, world, period) }),
    ...(question.breakdown && { breakdown: partsOf(events, columns, question, valueOf) }),
  }
}

function eventsOf(
  { survey, withTests, removed, onlyRemoved }: SurveyQuery,
  { project, events }: PlainSurveyWorld,
  period: Period,
): PlainEvent[] {
  return events
    .map((event, i) => ({ ...event, uuid: uuidFor(`${project} ${i}`) }))
    .filter((event) => event.event.startsWith('survey ') && isHuman(event) && within(event, period))
    .filter((event) => property(event, '$survey_id') === survey)
    .filter((event) => withTests || property(event, '$survey_test') !== 'true')
    .filter((event) => removed.includes(submissionOf(event)) === onlyRemoved)
    .toSorted((one, other) => msOf(one) - msOf(other))
}

function submissionOf(event: PlainEvent): string {
  const id = property(event, '$survey_submission_id')
  if (id !== '') return id
  return event.event === 'survey sent' ? `event:${event.uuid}` : ''
}

/** A question with one kind and scale, and the choices that it has in any version. */
interface Column {
  id: string
  shape: string
  choices: string[]
}

const shapeOf = ({ kind, least, most }: AnswerSpec) => `${kind} ${least} ${most}`

/** The form in which a version reads a question: its own, or that of the nearest version that has the question. */
function specIn(id: string, at: number, versions: readonly VersionSpec[]): AnswerSpec | undefined {
  const earlier = versions.slice(0, at + 1).toReversed()
  return [...earlier, ...versions.slice(at + 1)]
    .flatMap(({ questions }) => questions.filter((one) => one.id === id))
    .at(0)
}

function columnsOf(versions: readonly VersionSpec[]): Column[] {
  const found = versions
    .toReversed()
    .flatMap(({ questions }, back) => questions.map((spec, position) => ({ spec, position, back })))
  const distinct = found.filter(
    ({ spec }, i) =>
      found.findIndex((other) => other.spec.id === spec.id && shapeOf(other.spec) === shapeOf(spec)) === i,
  )
  return distinct
    .filter(({ spec }) => spec.kind !== 'statement')
    .toSorted((one, other) => one.position - other.position || one.back - other.back)
    .map(({ spec: { id }, spec }) => ({
      id,
      shape: shapeOf(spec),
      choices: [
        ...new Set(
          versions
            .map((_, i) => specIn(id, versions.length - 1 - i, versions))
            .flatMap((one) => (one && shapeOf(one) === shapeOf(spec) ? (one.choices ?? []) : [])),
        ),
      ],
    }))
}

function versionOf(event: TestEvent, versions: readonly VersionSpec[]): number {
  const named = versions.findIndex(({ version }) => String(version) === property(event, '$survey_version'))
  if (named >= 0) return named
  return Math.max(0, versions.filter(({ from }) => Date.parse(from) <= msOf(event)).length - 1)
}

/** The codes of an event's answers, by column. */
function codesOf(event: TestEvent, columns: readonly Column[], versions: readonly VersionSpec[]): number[][] {
  const at = versionOf(event, versions)
  return columns.map((column) => {
    const spec = specIn(column.id, at, versions)
    if (!spec || shapeOf(spec) !== column.shape) return []
    const position = versions[at]?.questions.findIndex(({ id }) => id === column.id) ?? -1
    const old = position === 0 ? '$survey_response' : `$survey_response_${position}`
    const raw = property(event, `$survey_response_${column.id}`) || (position < 0 ? '' : property(event, old))
    return raw === '' ? [] : answerCodes(raw, { spec, column, at, versions, event })
  })
}

interface Reading {
  spec: AnswerSpec
  column: Column
  at: number
  versions: readonly VersionSpec[]
  event: TestEvent
}

const inOrder = (codes: readonly number[]): number[] => [...new Set(codes)].toSorted((a, b) => a - b)

const severalChoices = (raw: string, reading: Reading): number[] =>
  inOrder(listOf(raw).map((text) => choiceCode(text, reading)))

const codesByKind: Record<AnswerSpec['kind'], (raw: string, reading: Reading) => number[]> = {
  open: () => [1],
  link: () => [1],
  contact: (raw) => (raw === '{}' ? [] : [1]),
  consent: (raw) => (raw === 'true' ? [1] : raw === 'false' ? [0] : []),
  date: (raw) => (/^\d{4}-\d{2}-\d{2}$/.test(raw) ? [Number(raw.replaceAll('-', ''))] : []),
  rating: (raw, { spec: { least = 1, most = 5 } }) =>
    /^\d{1,2}$/.test(raw) && Number(raw) >= least && Number(raw) <= most ? [Number(raw)] : [],
  'single-choice': (raw, reading) => [choiceCode(raw, reading)],
  'multiple-choice': severalChoices,
  picture: severalChoices,
  ranking: (raw, reading) => {
    const codes = listOf(raw).map((text) => choiceCode(text, reading))
    return [...new Set(codes.filter((code) => code > 0))].map((code, i) => pairCode(i + 1, code))
  },
  matrix: (raw, { spec }) => inOrder(cellsOf(raw, spec)),
  statement: () => [],
}

const answerCodes = (raw: string, reading: Reading): number[] => codesByKind[reading.spec.kind](raw, reading)

function listOf(raw: string): string[] {
  const texts = raw.startsWith('[') ? parsed(raw) : [raw]
  return Array.isArray(texts) ? texts.map(String).filter((text) => text !== '') : []
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

function cellsOf(raw: string, { rows = [], columns = [] }: AnswerSpec): number[] {
  const given = parsed(raw)
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return []
  return Object.entries(given).flatMap(([row, column]) => {
    const [first, second] = [rows.indexOf(row), columns.indexOf(String(column))]
    return first >= 0 && second >= 0 ? [pairCode(first + 1, second + 1)] : []
  })
}

/** The choice with this text: in the event's version and language first, then in all others. */
function choiceCode(text: string, reading: Reading): number {
  const { spec, column, at, versions } = reading
  const order = [...versions.keys()].toSorted((one, other) => distance(one, at) - distance(other, at))
  for (const i of order) {
    const other = specIn(column.id, i, versions)
    const id = other && shapeOf(other) === column.shape ? choiceIn(other, text, reading) : undefined
    if (id !== undefined) return column.choices.indexOf(id) + 1
  }
  return spec.hasOther ? column.choices.indexOf(spec.choices?.at(-1) ?? '') + 1 : 0
}

/** Earlier versions come before all later ones. */
const distance = (version: number, at: number): number => (version <= at ? at - version : 1000 + version)

function choiceIn(
  { texts = {}, choices = [] }: AnswerSpec,
  text: string,
  { event, versions }: Reading,
): string | undefined {
  const language = property(event, '$survey_language').toLowerCase()
  const known = languagesOf(versions)
  const spoken = [language, baseOf(language)].find((tag) => known.includes(tag)) ?? ''
  const lists = new Map(Object.entries(texts).map(([tag, list]) => [tag.toLowerCase(), list]))
  const tags = [spoken, baseOf(spoken), '', ...[...lists.keys()].toSorted(byText)]
  const found = tags.find((tag) => lists.get(tag)?.includes(text))
  return found === undefined ? undefined : choices[lists.get(found)?.indexOf(text) ?? -1]
}

const baseOf = (language: string): string => language.split('-')[0] ?? ''

const languagesOf = (versions: readonly VersionSpec[]): string[] =>
  versions
    .flatMap(({ questions }) => questions.flatMap(({ texts = {} }) => Object.keys(texts)))
    .map((tag) => tag.toLowerCase())

/** One submission, merged from its events. */
interface PlainSubmission {
  sent: readonly PlainEvent[]
  at: number
  latest: number[][]
  started: boolean
  responded: boolean
  completed: boolean
  lastEvent: string
  furthest: number
  last: PlainEvent
}

function submissionsIn(
  events: readonly PlainEvent[],
  columns: readonly Column[],
  { versions }: SurveyQuery,
): PlainSubmission[] {
  const ofSubmissions = events.filter((event) => event.event !== 'survey shown' && submissionOf(event) !== '')
  return [...Map.groupBy(ofSubmissions, submissionOf).values()].flatMap((theirEvents) => {
    const last = theirEvents.at(-1)
    if (!last) return []
    const answers = theirEvents.map((event) => ({ event, codes: codesOf(event, columns, versions) }))
    const sent = answers.filter(({ event }) => event.event === 'survey sent')
    const furthest = Math.max(
      0,
      ...answers.flatMap(({ codes }) => codes.map((code, i) => (code.length > 0 ? i + 1 : 0))),
    )
    return [
      {
        sent: sent.map(({ event }) => event),
        at: msOf(sent.at(-1)?.event ?? last),
        latest: columns.map(
          (_, i) => sent.findLast(({ codes }) => (codes[i] ?? []).length > 0)?.codes[i] ?? [],
        ),
        started: sent.length > 0 || furthest > 0,
        responded: sent.length > 0,
        completed: sent.some(({ event }) => property(event, '$survey_completed') !== 'false'),
        lastEvent: last.event,
        furthest,
        last,
      },
    ]
  })
}

/** The events of submissions that fulfil all conditions on answers. */
function withAnswers(
  events: readonly PlainEvent[],
  columns: readonly Column[],
  question: SurveyQuery,
): readonly PlainEvent[] {
  if (question.answers.length === 0) return events
  const matching = submissionsIn(events, columns, question).filter((submission) =>
    question.answers.every((condition) => fulfils(submission, condition, columns, question)),
  )
  const ids = new Set(matching.map(({ last }) => submissionOf(last)))
  return events.filter((event) => ids.has(submissionOf(event)))
}

function fulfils(
  { latest, sent }: PlainSubmission,
  condition: AnswerCondition,
  columns: readonly Column[],
  { versions }: SurveyQuery,
): boolean {
  if ('values' in condition)
    return columns.some(
      (column, i) =>
        column.id === condition.question &&
        condition.values.some((value) => (latest[i] ?? []).includes(plainCode(column, value) ?? -1)),
    )
  if ('isAnswered' in condition)
    return columns.some(({ id }, i) => id === condition.question && (latest[i] ?? []).length > 0)
  if (columns.every(({ id }) => id !== condition.question)) return false
  const text = sent.map((event) => rawIn(event, condition.question, versions)).findLast(Boolean) ?? ''
  const words = text.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u)
  return words.includes(condition.containing.toLowerCase())
}

function rawIn(event: TestEvent, id: string, versions: readonly VersionSpec[]): string {
  const { questions = [] } = versions[versionOf(event, versions)] ?? {}
  const position = questions.findIndex((one) => one.id === id && one.kind !== 'statement')
  const old = position === 0 ? '$survey_response' : `$survey_response_${position}`
  return property(event, `$survey_response_${id}`) || (position < 0 ? '' : property(event, old))
}

/** The code of a value; undefined where the question has no such answer. */
function plainCode({ shape, choices }: Column, value: AnswerValue): number | undefined {
  const [kind = ''] = shape.split(' ')
  if (['single-choice', 'multiple-choice', 'picture'].includes(kind))
    return value === null ? 0 : choices.findIndex((one) => one === value) + 1 || undefined
  if (kind === 'ranking') return pairCode(1, choices.findIndex((one) => one === value) + 1 || 999)
  if (kind === 'matrix' && typeof value === 'object' && value)
    return pairCode(Number(value.row.slice(1)), Number(value.column.slice(1)))
  const types: Record<string, string> = { rating: 'number', consent: 'boolean', date: 'string' }
  if (typeof value !== types[kind]) return undefined
  return Number(typeof value === 'string' ? value.replaceAll('-', '') : value)
}

function numbersOf(
  events: readonly PlainEvent[],
  columns: readonly Column[],
  question: SurveyQuery,
  submissions = submissionsIn(events, columns, question),
): SurveyNumbers {
  const who = (some: readonly PlainEvent[]) =>
    countOf(some.map((event) => `${event.person} ${property(event, '$survey_iteration')}`))
  const sent = events.filter(({ event }) => event === 'survey sent')
  const open = submissions.filter(({ started, completed }) => started && !completed)
  const ended = (name: string) => open.filter(({ lastEvent }) => lastEvent === name).length
  return {
    shown: events.filter(({ event }) => event === 'survey shown').length,
    reached: who(events),
    answered: who(sent),
    completedBy: who(sent.filter((event) => property(event, '$survey_completed') !== 'false')),
    submissions: {
      started: submissions.filter(({ started }) => started).length,
      responded: submissions.filter(({ responded }) => responded).length,
      completed: submissions.filter(({ completed }) => completed).length,
      dismissed: ended('survey dismissed'),
      abandoned: ended('survey abandoned'),
    },
    dismissedUnanswered: events.filter(
      (event) => event.event === 'survey dismissed' && submissionOf(event) === '',
    ).length,
    questions: countsOf(submissions, columns),
  }
}

const countsOf = (submissions: readonly PlainSubmission[], columns: readonly Column[]): AnswerCounts[] =>
  columns.map((_, i) => {
    const codes = submissions.flatMap(({ latest }) => latest[i] ?? [])
    const counts = [...Map.groupBy(codes, (code) => code)].map(([code, all]): [number, number] => [
      code,
      all.length,
    ])
    return {
      answered: submissions.filter(({ latest }) => (latest[i] ?? []).length > 0).length,
      stopped: submissions.filter(
        ({ started, completed, furthest }) => started && !completed && furthest === i + 1,
      ).length,
      counts: counts.filter(([code]) => code !== answeredCode).toSorted(([one], [other]) => one - other),
    }
  })

function courseOf(
  events: readonly PlainEvent[],
  columns: readonly Column[],
  question: SurveyQuery,
  { calendar }: PlainSurveyWorld,
  period: Period,
): NonNullable<SurveyAnswer['course']> {
  const { interval = 'day' } = question
  const { starts, end } = bucketsOf(period, interval, calendar) ?? { starts: [], end: period.until }
  const submissions = submissionsIn(events, columns, question)
  const parts = starts.map((start, i) =>
    submissions.filter(({ at }) => at >= start.getTime() && at < (starts[i + 1] ?? end).getTime()),
  )
  return {
    interval,
    starts: starts.map((start) => start.toISOString()),
    lastIsIncomplete: end > calendar.now,
    responded: parts.map((part) => part.filter(({ responded }) => responded).length),
    questions: parts.map((part) => countsOf(part, columns)),
  }
}

function partsOf(
  events: readonly PlainEvent[],
  columns: readonly Column[],
  question: SurveyQuery,
  valueOf: (event: TestEvent) => string | null,
): NonNullable<SurveyAnswer['breakdown']> {
  const sent = events.filter(({ event }) => event === 'survey sent')
  const ranked = [...Map.groupBy(sent, valueOf)]
    .map(([value, theirEvents]) => ({
      value,
      size: countOf(theirEvents.map(submissionOf)),
      key: value === null ? '' : `=${value}`,
    }))
    .toSorted((one, other) => other.size - one.size || byText(one.key, other.key))
  const shown = ranked.slice(0, question.limit).map(({ value }) => value)
  const submissions = submissionsIn(events, columns, question)
  const numbers = (isIt: (event: TestEvent) => boolean) =>
    numbersOf(
      events.filter(isIt),
      columns,
      question,
      submissions.filter(({ last }) => isIt(last)),
    )
  const isOther = (event: TestEvent) => !shown.includes(valueOf(event))
  const hasOthers = events.some(isOther)
  return {
    values: [
      ...shown.map((value) => ({ value: [value], numbers: numbers((event) => valueOf(event) === value) })),
      ...(hasOthers ? [{ value: [], isOthers: true as const, numbers: numbers(isOther) }] : []),
    ],
    valuesInAll: ranked.length,
  }
}
