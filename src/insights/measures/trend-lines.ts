import { eventLabel } from '#events/taxonomy'
import { type AnsweredQuery, isOfKind, type KindName, type QueryByKind } from '../answered-query'
import type { TrendLine } from '../kinds/trend/answer'

/** The numbers of a trend, for modules that evaluate them. */
export interface TrendNumbers {
  /** The beginning of each bucket. */
  starts: string[]
  lastIsIncomplete: boolean
  lines: Pick<TrendLine, 'label' | 'as' | 'within' | 'values' | 'total' | 'compared'>[]
}

/** Returns undefined for answers of other kinds. */
export function trendNumbers(answered: AnsweredQuery): TrendNumbers | undefined {
  if (!isOfKind('trend', answered)) return undefined
  const { starts, lastIsIncomplete, lines } = answered.answer
  return { starts, lastIsIncomplete, lines }
}

/** Returns the names of its lines without an answer: visible series, then formulas. Undefined for other kinds. */
export function trendLabels(query: QueryByKind[KindName]): string[] | undefined {
  if (query.kind !== 'trend') return undefined
  const { series, formulas } = query
  return [
    ...series
      .filter(({ isHidden }) => !isHidden)
      .map(({ label, event }) => label ?? (event === null ? 'Any event' : eventLabel(event))),
    ...formulas.map(({ label, text }) => label ?? text),
  ]
}

/** Returns the shown values of a trend’s first breakdown, most frequent first; null for events without the property. */
export function breakdownValues({
  answer: { lines },
}: Pick<AnsweredQuery<'trend'>, 'answer'>): (string | null)[] {
  return lines.flatMap(({ breakdown: [value], isOthers }) => (isOthers || value === undefined ? [] : [value]))
}
