import { ratingGroup, ratingValues } from '#surveys/flow'
import type { Choice, ChoiceQuestion, SurveyQuestion, RatingQuestion } from '#surveys/question'
import type { Estimate } from '#surveys/results/intervals'
import type { QuestionResults, RatingResults } from '#surveys/results/question-results'
import type { AnswerValue } from '#insights/kinds/survey/schema'

export interface AnswerRow {
  key: string
  label: string
  value: number
  /** The value by which a filter names the answer. */
  answer: AnswerValue
}

/** One question's answers, as they are drawn. */
export type QuestionResult = { answered: number; stopped: number } & (
  | { shape: 'rating'; rows: AnswerRow[]; score: RatingScore | undefined }
  | { shape: 'bars'; rows: AnswerRow[]; several: boolean }
  | { shape: 'ranking'; rows: (AnswerRow & { meanRank: number | undefined })[] }
  | { shape: 'matrix'; columns: Choice[]; rows: { key: string; label: string; cells: number[] }[] }
  | { shape: 'texts' }
  | { shape: 'none' }
)

export interface RatingScore {
  label: 'NPS' | 'CSAT'
  estimate: Estimate
  /** As written: a number from −100 to 100, or a percentage. */
  unit: 'points' | 'percent'
  groups: RatingGroup[]
}

interface RatingGroup {
  label: string
  count: number
  /** The ratings of the group. */
  values: number[]
}

/** Prepares the results of a question for drawing. Choices that are gone follow those of the question. */
export function questionResult(
  question: SurveyQuestion,
  results: QuestionResults | undefined,
): QuestionResult {
  // the table has a function for each kind, which takes questions of that kind
  const draw = drawnByKind[question.kind] as (question: SurveyQuestion, results: AnyResults) => DrawnAnswers
  const drawn = draw(question, results ?? {})
  return { answered: results?.answered ?? 0, stopped: results?.stopped ?? 0, ...drawn }
}

type DrawnAnswers = QuestionResult extends infer Result
  ? Result extends unknown
    ? Omit<Result, 'answered' | 'stopped'>
    : never
  : never
type AnyResults = Partial<QuestionResults>
type DrawnByKind = {
  [Kind in SurveyQuestion['kind']]: (question: QuestionOf<Kind>, results: AnyResults) => DrawnAnswers
}
type QuestionOf<Kind> = Kind extends ChoiceQuestion['kind']
  ? ChoiceQuestion
  : Extract<SurveyQuestion, { kind: Kind }>

const choiceBars = (
  { choices }: { choices: readonly Choice[] },
  results: AnyResults,
  several: boolean,
): DrawnAnswers => ({ shape: 'bars', several, rows: choiceRows(choices, results.choices ?? []) })

const drawnByKind = {
  rating: (question, { rating }) => ratingResult(question, rating),
  'single-choice': (question, results) => choiceBars(question, results, false),
  'multiple-choice': (question, results) => choiceBars(question, results, true),
  picture: (question, results) => choiceBars(question, results, question.allowsSeveral),
  ranking: ({ choices }, { ranking = [] }) => ({ shape: 'ranking', rows: rankingRows(choices, ranking) }),
  matrix: (question, { matrix }) => matrixResult(question, matrix),
  consent: (_, { consent }) => ({ shape: 'bars', several: false, rows: consentRows(consent) }),
  date: (_, { dates = [] }) => ({ shape: 'bars', several: false, rows: dateRows(dates) }),
  open: () => ({ shape: 'texts' }),
  contact: () => ({ shape: 'texts' }),
  link: () => ({ shape: 'none' }),
  statement: () => ({ shape: 'none' }),
} satisfies DrawnByKind

/** The results of the question as it is asked now: one whose kind or scale changed has several. */
export const currentResults = (
  { id, kind }: Pick<SurveyQuestion, 'id' | 'kind'>,
  all: readonly QuestionResults[],
): QuestionResults | undefined =>
  all
    .filter((one) => one.id === id && one.kind === kind)
    .toSorted((one, other) => other.version - one.version)[0]

function ratingResult(question: RatingQuestion, rating: RatingResults | undefined) {
  const byValue = new Map(rating?.values.map(({ value, count }) => [value, count]))
  const rows = ratingValues(question.scale).map((value) => ({
    key: String(value),
    label: ratingLabel(question, value),
    value: byValue.get(value) ?? 0,
    answer: value,
  }))
  return { shape: 'rating' as const, rows, score: rating && ratingScore(question, rating) }
}

export function ratingLabel({ scale, lowerLabel, upperLabel }: RatingQuestion, value: number): string {
  if (scale === 2) return value === 1 ? 'Thumbs up' : 'Thumbs down'
  const values = ratingValues(scale)
  const end = value === values[0] ? lowerLabel : value === values.at(-1) ? upperLabel : ''
  return end === '' ? String(value) : `${value} · ${end}`
}

const groupLabels: Record<string, string> = {
  detractors: 'Detractors',
  passives: 'Passives',
  promoters: 'Promoters',
  negative: 'Low',
  neutral: 'In the middle',
  positive: 'High',
}

/** The groups of a scale with their ratings, from the lowest. */
export function ratingGroups(scale: RatingQuestion['scale']): Omit<RatingGroup, 'count'>[] {
  const byGroup = Map.groupBy(ratingValues(scale), (value) => ratingGroup(scale, value))
  return Array.from(byGroup, ([group, values]) => ({ label: groupLabels[group] ?? group, values }))
}

/** NPS of a scale from 0 to 10; the share of high ratings of the others. */
function ratingScore(
  { scale }: RatingQuestion,
  { values, nps, csat }: RatingResults,
): RatingScore | undefined {
  const byValue = new Map(values.map(({ value, count }) => [value, count]))
  const groups = ratingGroups(scale).map((group) => ({
    ...group,
    count: group.values.reduce((sum, value) => sum + (byValue.get(value) ?? 0), 0),
  }))
  if (scale === 10) return nps && { label: 'NPS', estimate: nps, unit: 'points', groups }
  return csat && { label: 'CSAT', estimate: csat, unit: 'percent', groups }
}

/** Choices as they are now first, then those that were answered and are gone, then typed texts. */
function choiceRows(
  choices: readonly Choice[],
  results: NonNullable<QuestionResults['choices']>,
): AnswerRow[] {
  const byId = new Map(results.map((one) => [one.id, one]))
  const row = (id: string, label: string) => ({
    key: id,
    label,
    value: byId.get(id)?.count ?? 0,
    answer: id,
  })
  const current = choices.map(({ id, text }) => row(id, text))
  const ids = new Set(choices.map(({ id }) => id))
  const gone = results.flatMap(({ id, text, count }) =>
    id === null || ids.has(id) || count === 0 ? [] : [row(id, removedLabel(text))],
  )
  const typed = byId.get(null)?.count ?? 0
  return [
    ...current,
    ...gone,
    ...(typed > 0 ? [{ key: 'other', label: 'Typed answers', value: typed, answer: null }] : []),
  ]
}

const removedLabel = (text: string): string => `Removed choice (${text})`

/** The choice with the best mean rank first. */
function rankingRows(choices: readonly Choice[], results: NonNullable<QuestionResults['ranking']>) {
  const byId = new Map(results.map((one) => [one.id, one]))
  const ids = new Set(choices.map(({ id }) => id))
  const gone = results
    .filter(({ id, ranked }) => !ids.has(id) && ranked > 0)
    .map(({ id, text }) => ({ id, text: removedLabel(text) }))
  return [...choices, ...gone]
    .map(({ id, text }) => ({
      key: id,
      label: text,
      value: byId.get(id)?.ranked ?? 0,
      answer: id,
      meanRank: byId.get(id)?.meanRank ?? undefined,
    }))
    .toSorted((one, other) => (one.meanRank ?? Infinity) - (other.meanRank ?? Infinity))
}

/** Rows and columns as they are now first, then those that were answered and are gone. */
function matrixResult(
  { rows, columns }: Extract<SurveyQuestion, { kind: 'matrix' }>,
  results: QuestionResults['matrix'],
) {
  const { rows: knownRows = [], columns: knownColumns = [], counts = [] } = results ?? {}
  const cell = (row: string, column: string) =>
    counts[knownRows.findIndex(({ id }) => id === row)]?.[
      knownColumns.findIndex(({ id }) => id === column)
    ] ?? 0
  const shownRows = withGone(rows, knownRows, 'row', (id) => knownColumns.some((one) => cell(id, one.id) > 0))
  const shownColumns = withGone(columns, knownColumns, 'column', (id) =>
    knownRows.some((one) => cell(one.id, id) > 0),
  )
  return {
    shape: 'matrix' as const,
    columns: shownColumns,
    rows: shownRows.map(({ id, text }) => ({
      key: id,
      label: text,
      cells: shownColumns.map((column) => cell(id, column.id)),
    })),
  }
}

function withGone(
  current: readonly Choice[],
  known: readonly Choice[],
  what: 'row' | 'column',
  isAnswered: (id: string) => boolean,
): Choice[] {
  const ids = new Set(current.map(({ id }) => id))
  const gone = known.filter(({ id }) => !ids.has(id) && isAnswered(id))
  return [
    ...current.map(({ id, text }) => ({ id, text })),
    ...gone.map(({ id, text }) => ({ id, text: `Removed ${what} (${text})` })),
  ]
}

const dateRows = (dates: NonNullable<QuestionResults['dates']>): AnswerRow[] =>
  dates
    .toSorted((one, other) => (one.date < other.date ? -1 : 1))
    .map(({ date, count }) => ({ key: date, label: date, value: count, answer: date }))

const consentRows = (consent: QuestionResults['consent']): AnswerRow[] => [
  { key: 'true', label: 'Given', value: consent?.givenCount ?? 0, answer: true },
  { key: 'false', label: 'Not given', value: consent?.refusedCount ?? 0, answer: false },
]
