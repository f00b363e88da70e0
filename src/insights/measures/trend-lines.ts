import { eventLabel } from '#events/taxonomy'
import type { AnsweredQuestion } from '../ask'
import type { TrendAnswer, TrendLine } from '../kinds/trend/answer'
import type { TrendQuestion } from '../kinds/trend/question'

/** The numbers of a trend, for modules that evaluate them. */
export interface TrendNumbers {
  /** The beginning of each bucket. */
  starts: string[]
  lastIsIncomplete: boolean
  lines: Pick<TrendLine, 'label' | 'as' | 'values' | 'total' | 'compared'>[]
}

/** Returns undefined for answers of other kinds. */
export function trendNumbers({
  question,
  answer,
}: Pick<AnsweredQuestion, 'question' | 'answer'>): TrendNumbers | undefined {
  if (!('kind' in question) || question.kind !== 'trend') return undefined
  const { starts, lastIsIncomplete, lines } = answer as TrendAnswer // by the kind of its question
  return { starts, lastIsIncomplete, lines }
}

/** Returns the names of its lines without an answer: visible series, then formulas. Undefined for other kinds. */
export function trendLabels(question: { kind: string }): string[] | undefined {
  if (question.kind !== 'trend') return undefined
  const { series, formulas } = question as { kind: string } & Pick<TrendQuestion, 'series' | 'formulas'> // by its kind
  return [
    ...series
      .filter(({ isHidden }) => !isHidden)
      .map(({ label, event }) => label ?? (event === null ? 'Any event' : eventLabel(event))),
    ...formulas.map(({ label, text }) => label ?? text),
  ]
}

/** Returns the shown values of a trend’s first breakdown, most frequent first; null for events without the property. */
export function breakdownValues({
  question,
  answer,
}: Pick<AnsweredQuestion, 'question' | 'answer'>): (string | null)[] {
  if (!('kind' in question) || question.kind !== 'trend') return []
  const { lines } = answer as TrendAnswer // by the kind of its question
  return lines.flatMap(({ breakdown: [value], isOthers }) => (isOthers || value === undefined ? [] : [value]))
}
