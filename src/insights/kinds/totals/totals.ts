import { z } from 'zod'
import type { Sql } from '#engine/sql'
import { failedOutcome, type Outcome } from '#projects/problems'
import { bucketsOfQuery } from '#insights/calendar/intervals'
import { everyVisitor, withMargins } from '#insights/approximation'
import { type AnswerTable, defineKind, pointIndex } from '#insights/kind'
import type { QueryScope } from '#insights/scope'
import { visitTotals, type VisitTotals } from '#insights/compile/visit-totals'
import { type VisitFigures, visitorsOf } from '#insights/compile/visits'
import { type TotalsQuery, totalsQuery } from './schema'

/** The visitors of the whole period, or of those visits that began in one bucket. */
const totalsPoint = z.strictObject({ bucket: pointIndex.optional() })
type TotalsPoint = z.infer<typeof totalsPoint>

export const totalsKind = defineKind<TotalsQuery, VisitTotals, TotalsPoint>({
  about: 'Visitors, visits, views, bounces, time and revenue of a period, beside those of another.',
  query: totalsQuery,
  answer,
  table,
  counted: everyVisitor,
  behind: { point: totalsPoint, persons },
})

async function answer(query: TotalsQuery, scope: QueryScope): Promise<Outcome<{ answer: VisitTotals }>> {
  const told = await visitTotals(query, scope)
  return told.done ? { done: true, answer: told.totals } : told
}

async function persons(
  query: TotalsQuery,
  { bucket }: TotalsPoint,
  scope: QueryScope,
): Promise<Outcome<{ statement: Sql }>> {
  const found = await bucketsOfQuery(query, scope)
  if (!found.done) return found
  const { period, buckets } = found
  if (bucket === undefined) return { done: true, statement: visitorsOf(query, scope, period) }
  const { starts, end } = buckets
  const from = starts[bucket]
  if (!from) return failedOutcome(`There are ${starts.length} intervals, counted from 0.`, 'bucket')
  const began = { from, until: starts[bucket + 1] ?? end }
  return { done: true, statement: visitorsOf(query, scope, period, began) }
}

const columns = [
  { name: 'Visitors', as: 'number', of: 'visitors', ofPersons: true },
  { name: 'Visits', as: 'number', of: 'visits' },
  { name: 'Views', as: 'number', of: 'views' },
  { name: 'Views per visit', as: 'number', of: 'viewsPerVisit' },
  { name: 'Bounce rate', as: 'percent', of: 'bounceRate' },
  { name: 'Visit duration', as: 'duration', of: 'duration' },
  { name: 'Revenue', as: 'money', of: 'revenue' },
  { name: 'Conversions', as: 'number', of: 'conversions', ofPersons: true },
  { name: 'Conversion rate', as: 'percent', of: 'conversionRate', ofPersons: true },
] as const satisfies { name: string; as: string; of: keyof VisitFigures; ofPersons?: true }[]

function table(
  { starts, course }: VisitTotals,
  _query: TotalsQuery,
  { isApproximate }: Pick<QueryScope, 'isApproximate'>,
): AnswerTable {
  return {
    columns: [{ name: 'From', as: 'date' }, ...withMargins(columns, isApproximate)],
    rows: course.map((figures, i) => [starts[i] ?? '', ...columns.map(({ of }) => figures[of])]),
  }
}
