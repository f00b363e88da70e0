import { numberOf, textOf, type IngestStep } from './step'

/** A greater amount is taken for a mistake, because it would dominate every sum. */
const mostRevenue = 1e12

/** Reads the revenue of the event. An amount in an unknown currency is stored without a currency. */
export const readRevenue: IngestStep = ({ event: { properties }, columns }) => {
  const revenue = numberOf(properties, '$revenue') ?? numberOf(properties, 'revenue')
  if (revenue === undefined || Math.abs(revenue) > mostRevenue) return
  columns.revenue = revenue
  const currency = (textOf(properties, '$currency') || textOf(properties, 'currency')).toUpperCase()
  if (/^[A-Z]{3}$/.test(currency)) columns.currency = currency
}
