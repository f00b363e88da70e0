import { isDeepStrictEqual } from 'node:util'
import type { MeasuredMetric, MetricAmount, ValueBound } from '../schema'

interface Contradiction {
  path: string[]
  message: string
}

/** Finds the settings of a metric that leave nothing to measure. */
export function contradictionsIn(metric: MeasuredMetric): Contradiction[] {
  return [...inWindow(metric), ...inValues(metric)]
}

const inWindow = ({ windowHours }: MeasuredMetric): Contradiction[] =>
  windowHours !== undefined && windowHours * 3600 < 1
    ? [{ path: ['windowHours'], message: 'A window lasts at least a second.' }]
    : []

function inValues(metric: MeasuredMetric): Contradiction[] {
  if (metric.type === 'value') return inBounds(metric)
  if (metric.type === 'total') return inBounds(metric, metric.amount)
  if (metric.type !== 'ratio') return []
  const { numerator, denominator } = metric
  const isOne = isDeepStrictEqual(unlabelled(numerator), unlabelled(denominator))
  return [
    ...inBounds(numerator, numerator).map(within('numerator')),
    ...inBounds(denominator, denominator).map(within('denominator')),
    ...(isOne
      ? [{ path: ['denominator'], message: 'Both parts of the ratio are the same, so it is always 1.' }]
      : []),
  ]
}

const within =
  (part: string) =>
  ({ path, message }: Contradiction): Contradiction => ({ path: [part, ...path], message })

const unlabelled = <Amount extends MetricAmount>(amount: Amount) => ({
  ...amount,
  happening: { ...amount.happening, label: undefined },
})

interface Bounds {
  atLeast?: ValueBound | undefined
  atMost?: ValueBound | undefined
}

function inBounds({ atLeast, atMost }: Bounds, amount?: MetricAmount): Contradiction[] {
  const path = ['atMost']
  const isCount = amount !== undefined && amount.property === undefined
  if (isCount && atMost && 'value' in atMost && atMost.value <= 0)
    return [{ path, message: 'A count is never below 0: use an upper bound above 0.' }]
  const lower = atLeast && atMost && excludedBy(atLeast, atMost)
  return lower === undefined
    ? []
    : [
        {
          path,
          message: `The upper bound must be above the lower one, which is ${lower}: otherwise all values are the same.`,
        },
      ]
}

/** The lower bound in words, if it leaves nothing below the upper one. A number and a percentile cannot be compared. */
function excludedBy(atLeast: ValueBound, atMost: ValueBound): string | undefined {
  if ('value' in atLeast && 'value' in atMost)
    return atLeast.value >= atMost.value ? String(atLeast.value) : undefined
  if ('percentile' in atLeast && 'percentile' in atMost)
    return atLeast.percentile >= atMost.percentile ? `percentile ${atLeast.percentile}` : undefined
  return undefined
}
