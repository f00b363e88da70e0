import type { VisitFigures } from './compile/visits'
import type { AnswerColumn, CountedPersons } from './kind'

/** Says that an answer counted persons approximately, because it read more of them than are counted one by one. */
export interface Approximation {
  /** The margin, as a share of each number. It holds in more than 99 of 100 numbers. */
  within: number
  /** The number of persons up to which answers are exact. */
  above: number
}

/** The margin of approximate numbers, which `distinct.test.ts` holds. */
export const approximateWithin = 0.005

export const marginText = `±${approximateWithin * 100} %`

/** Completes a column of a table whose numbers are counts of persons, or shares of them. */
export const marginOf = (isApproximate: boolean | undefined): Pick<AnswerColumn, 'within'> =>
  isApproximate ? { within: approximateWithin } : {}

/** The margin of numbers that stand under one name, if any of them has one. */
export const marginAmong = (numbers: readonly Pick<AnswerColumn, 'within'>[]): Pick<AnswerColumn, 'within'> =>
  marginOf(numbers.some(({ within }) => within !== undefined))

/** Returns columns as an answer has them, with the margin of those that count persons. */
export const withMargins = (
  columns: readonly (AnswerColumn & { ofPersons?: true })[],
  isApproximate: boolean | undefined,
): AnswerColumn[] =>
  columns.map(({ name, as, ofPersons }) => ({ name, as, ...(ofPersons && marginOf(isApproximate)) }))

/** For kinds that count the visitors of a query. */
export const everyVisitor = (): readonly CountedPersons[] => [{}]

/** Returns the heading of a column: "Visitors (±0.5 %)" where its numbers are approximate. */
export const headingOf = ({ name, within }: Pick<AnswerColumn, 'name' | 'within'>): string =>
  within === undefined ? name : `${name} (${marginText})`

/** Returns a name as it stands on a page: "Visitors ±0.5 %" where its numbers are approximate. */
export const nameWithMargin = ({ name, within }: Pick<AnswerColumn, 'name' | 'within'>): string =>
  within === undefined ? name : `${name} ${marginText}`

/** The figures of visits that count visitors, or are a share of them. */
export const figuresOfPersons: ReadonlySet<string> = new Set<keyof VisitFigures>([
  'visitors',
  'conversions',
  'conversionRate',
])

/** Explains the margin beside a number. */
export const approximationText = ({ above }: Approximation): string =>
  `Counted approximately above ${above.toLocaleString('en')} persons`
