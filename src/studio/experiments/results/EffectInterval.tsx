import { estimateText } from '#experiments/results/estimate-words'
import type { EstimatedComparison, MetricReport } from '#experiments/results/report'
import type { EffectScale } from '#statistics/effect'
import { IntervalChart } from '#ui/chart/IntervalChart'
import type { IntervalScale } from '#ui/chart/interval-scale'
import { marginOn, readingWords, type ShownEffect } from './effects'

interface EffectIntervalProps {
  metric: MetricReport
  comparison: EstimatedComparison
  effect: ShownEffect
  /** Of the interval. */
  level: number
  scale: EffectScale
  drawnOn: IntervalScale
}

/** The effect of a variant on a metric with its interval, drawn and in words. */
export function EffectInterval({
  metric,
  comparison,
  effect: { main, unadjusted },
  level,
  scale,
  drawnOn,
}: EffectIntervalProps) {
  return (
    <IntervalChart
      label={`${metric.name}, ${comparison.variant}: ${estimateText(main, metric, { scale, level })}`}
      interval={main}
      other={unadjusted}
      scale={drawnOn}
      tone={readingWords[comparison.reading].tone}
      margin={marginOn(metric, scale)}
    />
  )
}
