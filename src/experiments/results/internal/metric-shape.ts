import type { MeasuredMetric } from '#insights/kinds/experiment/schema'
import { type Moments, pickMoments } from '#statistics/moments'
import type { MetricReport, MetricUnit } from '../report'

export function shapeOf({ type }: MeasuredMetric): MetricReport['shape'] {
  if (type === 'conversion' || type === 'funnel') return 'share'
  if (type === 'quantile') return 'quantile'
  return type === 'total' ? 'mean' : 'ratio'
}

/** The unit of a metric’s values in a project with a currency. */
export const unitOf = (measured: MeasuredMetric, currency: string): MetricUnit => ({
  shape: shapeOf(measured),
  ...(isMoney(measured) && { currency }),
})

/** Whether the values are amounts of revenue; one revenue divided by another is a number. */
function isMoney(measured: MeasuredMetric): boolean {
  if (measured.type === 'total') return isRevenue(measured.amount.property)
  if (measured.type === 'ratio')
    return isRevenue(measured.numerator.property) && !isRevenue(measured.denominator.property)
  return 'property' in measured && isRevenue(measured.property)
}

/** Both names are read at the way in. */
const isRevenue = (property: string | undefined): boolean => property === '$revenue' || property === 'revenue'

/** The last step of a funnel, or the values themselves, without those of the time before. */
export function ownValues(arm: Moments, measured: MeasuredMetric): Moments {
  if (measured.type === 'funnel') return pickMoments(arm, [measured.steps.length - 1])
  return pickMoments(arm, shapeOf(measured) === 'ratio' ? [0, 1] : [0])
}
