import { numberOf, textOf, type IngestStep } from './step'

/** Beyond it a number is a mistake, and a mistake of this size would be the whole of every sum. */
const mostRevenue = 1e12

/** What the event earned. An amount in a currency that is none is kept without one. */
export const readRevenue: IngestStep = ({ event: { properties }, columns }) => {
  const revenue = numberOf(properties, '$revenue') ?? numberOf(properties, 'revenue')
  if (revenue === undefined || Math.abs(revenue) > mostRevenue) return
  columns.revenue = revenue
  const currency = (textOf(properties, '$currency') || textOf(properties, 'currency')).toUpperCase()
  if (/^[A-Z]{3}$/.test(currency)) columns.currency = currency
}
