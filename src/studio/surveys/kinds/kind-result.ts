import type { AnswerValue } from '#insights/kinds/survey/schema'
import type { Choice, QuestionKind, QuestionOf } from '#surveys/question'
import type { Estimate } from '#surveys/results/intervals'
import type { QuestionResults } from '#surveys/results/question-results'
import type { ChartColour } from '#ui/chart/chart'

/** The results and the words of the answers to a kind of question. */
export interface KindResult<Kind extends QuestionKind> {
  /** Prepares the results for drawing. Choices that are gone follow those of the question. */
  draw: (question: QuestionOf<Kind>, results: Partial<QuestionResults>) => DrawnAnswers
  /** Set for kinds whose panel has two parts beside each other. */
  isWide?: true
  /** Set for kinds whose answers a card draws. Texts are personal, and dates and tables need more room. */
  isCard?: true
  /** A value of a condition in words; the usual words if it is undefined. */
  valueInWords?: (value: AnswerValue, question: QuestionOf<Kind>) => string | undefined
  /** The name of several values together. */
  groupInWords?: (values: readonly AnswerValue[], question: QuestionOf<Kind>) => string | undefined
  /** One part of an answer that has several, in words. */
  partInWords?: (name: string, value: string, question: QuestionOf<Kind>) => string
  /** A text of an answer in words, as the engine stores it; it has no phrases. */
  storedInWords?: (stored: string) => string
}

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
  | { shape: 'bars'; rows: AnswerRow[]; several: boolean; marketFit?: Estimate | undefined }
  | { shape: 'ranking'; rows: (AnswerRow & { meanRank: number | undefined })[] }
  | { shape: 'matrix'; columns: Choice[]; rows: { key: string; label: string; cells: number[] }[] }
  | { shape: 'texts' }
  | { shape: 'none' }
)

export type DrawnAnswers = QuestionResult extends infer Result
  ? Result extends unknown
    ? Omit<Result, 'answered' | 'stopped'>
    : never
  : never

export interface RatingScore {
  label: 'NPS' | 'CSAT'
  estimate: Estimate
  /** As written: a number from −100 to 100, or a percentage. */
  unit: 'points' | 'percent'
  groups: RatingGroup[]
}

export interface RatingGroup {
  label: string
  count: number
  /** The ratings of the group. */
  values: number[]
  /** Set for the three groups of an NPS. */
  colour?: ChartColour
}

/** The bars of choices: first as they are now, then those that were answered and are gone, then typed texts. */
export function choiceBars(
  choices: readonly Choice[],
  { choices: results = [] }: Partial<QuestionResults>,
  several: boolean,
): DrawnAnswers {
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
  const others = typed > 0 ? [{ key: 'other', label: 'Typed answers', value: typed, answer: null }] : []
  return { shape: 'bars', several, rows: [...current, ...gone, ...others] }
}

export const removedLabel = (text: string): string => `Removed choice (${text})`

/** A choice that a condition names, in words. */
export const choiceInWords = (
  value: AnswerValue,
  { choices }: { choices: readonly Choice[] },
): string | undefined => (typeof value === 'string' ? nameIn(choices, value) : undefined)

export const nameIn = (list: readonly Choice[], id: string): string =>
  list.find((one) => one.id === id)?.text ?? id
