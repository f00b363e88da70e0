import type { MeasuredMetric } from '#insights/kinds/experiment/schema'
import { type Moments, pickMoments } from '#statistics/moments'
import type { MetricReport } from '../report'

export function shapeOf({ type }: MeasuredMetric): MetricReport['shape'] {
  if (type === 'conversion' || type === 'funnel') return 'share'
  if (type === 'quantile') return 'quantile'
  return type === 'total' ? 'mean' : 'ratio'
}

/** The last step of a funnel, or the values themselves, without those of the time before. */
export function ownValues(arm: Moments, measured: MeasuredMetric): Moments {
  if (measured.type === 'funnel') return pickMoments(arm, [measured.steps.length - 1])
  return pickMoments(arm, shapeOf(measured) === 'ratio' ? [0, 1] : [0])
}
