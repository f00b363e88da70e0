import type { Outcome } from '#projects/problems'
import { type AnswerTable, defineKind } from '#insights/kind'
import type { QueryScope } from '#insights/scope'
import { visitTotals, type VisitTotals } from '#insights/compile/visit-totals'
import type { VisitFigures } from '#insights/compile/visits'
import { type TotalsQuery, totalsQuery } from './schema'

export const totalsKind = defineKind<TotalsQuery, VisitTotals>({
  about: 'Visitors, visits, views, bounces, time and revenue of a period, beside those of another.',
  query: totalsQuery,
  answer,
  table,
})

async function answer(query: TotalsQuery, scope: QueryScope): Promise<Outcome<{ answer: VisitTotals }>> {
  const told = await visitTotals(query, scope)
  return told.done ? { done: true, answer: told.totals } : told
}

const columns = [
  { name: 'Visitors', as: 'number', of: 'visitors' },
  { name: 'Visits', as: 'number', of: 'visits' },
  { name: 'Views', as: 'number', of: 'views' },
  { name: 'Views per visit', as: 'number', of: 'viewsPerVisit' },
  { name: 'Bounce rate', as: 'percent', of: 'bounceRate' },
  { name: 'Visit duration', as: 'duration', of: 'duration' },
  { name: 'Revenue', as: 'money', of: 'revenue' },
  { name: 'Conversions', as: 'number', of: 'conversions' },
  { name: 'Conversion rate', as: 'percent', of: 'conversionRate' },
] as const satisfies { name: string; as: string; of: keyof VisitFigures }[]

function table({ starts, course }: VisitTotals): AnswerTable {
  return {
    columns: [{ name: 'From', as: 'date' }, ...columns.map(({ name, as }) => ({ name, as }))],
    rows: course.map((figures, i) => [starts[i] ?? '', ...columns.map(({ of }) => figures[of])]),
  }
}
