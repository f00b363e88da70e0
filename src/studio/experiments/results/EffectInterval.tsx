import type { EstimatedComparison, MetricReport } from '#experiments/results/report'
import { IntervalChart } from '#ui/chart/IntervalChart'
import type { IntervalScale } from '#ui/chart/interval-scale'
import { percent } from '#ui/format'
import {
  effectText,
  intervalText,
  marginOn,
  readingWords,
  type ShownEffect,
  type ShownScale,
} from './effects'

interface EffectIntervalProps {
  metric: MetricReport
  comparison: EstimatedComparison
  effect: ShownEffect
  /** Of the interval. */
  level: number
  scale: ShownScale
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
  const { name, shape } = metric
  const value = effectText(main.value, shape, scale)
  return (
    <IntervalChart
      label={`${name}, ${comparison.variant}: ${value}, ${percent(level, 1)} interval ${intervalText(main, shape, scale)}`}
      interval={main}
      other={unadjusted}
      scale={drawnOn}
      tone={readingWords[comparison.reading].tone}
      margin={marginOn(metric, scale)}
    />
  )
}
