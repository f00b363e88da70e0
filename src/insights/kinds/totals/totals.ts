import type { Outcome } from '../../../projects/problems'
import { type AnswerTable, kindOf } from '../../kind'
import type { Scope } from '../../scope'
import { tellVisits, type Totals } from '../../tell-visits'
import type { Figures } from '../../visits'
import { type TotalsQuestion, totalsQuestion } from './question'

export const totalsKind = kindOf<TotalsQuestion, Totals>({
  label: 'Totals',
  about: 'Visitors, visits, views, bounces, time and revenue of a period, beside those of another.',
  question: totalsQuestion,
  answer,
  table,
})

async function answer(question: TotalsQuestion, scope: Scope): Promise<Outcome<{ answer: Totals }>> {
  const told = await tellVisits(question, scope)
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
] as const satisfies { name: string; as: string; of: keyof Figures }[]

function table({ starts, course }: Totals): AnswerTable {
  return {
    columns: [{ name: 'From', as: 'date' }, ...columns.map(({ name, as }) => ({ name, as }))],
    rows: course.map((figures, i) => [starts[i] ?? '', ...columns.map(({ of }) => figures[of])]),
  }
}
