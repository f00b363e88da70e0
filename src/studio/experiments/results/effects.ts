import type { ExperimentMetric } from '#experiments/experiment'
import type {
  EffectEstimate,
  EffectReading,
  EstimatedComparison,
  MetricComparison,
  MetricReport,
  NoEstimateReason,
} from '#experiments/results/report'
import { type IntervalScale, intervalScale } from '#ui/chart/interval-scale'
import { amount, percent, type Unit } from '#ui/format'

/** Differences as shares of the control’s value, or in the unit of the metric. */
export type ShownScale = 'relative' | 'absolute'

/** An effect as it is shown: after the adjustment where there is one, with the one before beside it. */
export interface ShownEffect {
  main: EffectEstimate
  unadjusted: EffectEstimate | undefined
  /** By how much the adjustment reduces the variance, as a share. */
  varianceReduction: number | undefined
}

/** Undefined where the control’s value is 0, so that nothing can be relative to it. */
export function effectOn(comparison: EstimatedComparison, scale: ShownScale): ShownEffect | undefined {
  const { adjusted } = comparison
  const main = (adjusted ?? comparison)[scale]
  return (
    main && {
      main,
      unadjusted: adjusted && comparison[scale],
      varianceReduction: adjusted?.varianceReduction,
    }
  )
}

/** The estimate by which a comparison is judged. */
export function judgedEffect(comparison: EstimatedComparison): EffectEstimate {
  const { relative, absolute } = comparison.adjusted ?? comparison
  return relative ?? absolute
}

export const unitOfEffects = (shape: MetricReport['shape'], scale: ShownScale): Unit =>
  scale === 'relative' || shape === 'share' ? 'percent' : 'number'

/** +12%, −0.4 points, +3.21 */
export function effectText(value: number, shape: MetricReport['shape'], scale: ShownScale): string {
  const sign = value > 0 ? '+' : ''
  if (scale === 'relative') return sign + percent(value)
  if (shape === 'share') return `${sign}${amount(roundedTo(100 * value, 3))} points`
  return sign + amount(roundedTo(value, 3))
}

export const valueText = (value: number | null, shape: MetricReport['shape']): string =>
  shape === 'share' ? amount(value, 'percent') : amount(value === null ? null : roundedTo(value, 4))

const roundedTo = (value: number, digits: number): number => Number(value.toPrecision(digits))

export const intervalText = (
  { low, high }: EffectEstimate,
  shape: MetricReport['shape'],
  scale: ShownScale,
): string => `${effectText(low, shape, scale)} to ${effectText(high, shape, scale)}`

/** An expected loss, without the digits of one that does not matter. */
export function lossText(loss: number, shape: MetricReport['shape'], scale: ShownScale): string {
  const size = Math.abs(loss)
  if (scale === 'relative') return size < 0.0005 ? '<0.1%' : percent(size)
  if (shape === 'share') return size < 0.00005 ? '<0.01 points' : `${amount(roundedTo(100 * size, 2))} points`
  return amount(roundedTo(size, 2))
}

/** A chance is never shown as certain. */
export function chanceText(chance: number): string {
  if (chance > 0.999) return '>99.9%'
  return chance < 0.001 ? '<0.1%' : percent(chance, 1)
}

export const readingWords: Record<EffectReading, { label: string; tone: 'good' | 'bad' | 'unclear' }> = {
  better: { label: 'Better', tone: 'good' },
  worse: { label: 'Worse', tone: 'bad' },
  unclear: { label: 'Not clear yet', tone: 'unclear' },
  safe: { label: 'Safe', tone: 'good' },
  violated: { label: 'Beyond margin', tone: 'bad' },
}

/** Why there is no estimate. */
const missingWords = (reason: NoEstimateReason, minimumUnits: number): string =>
  ({
    'too-few-units': `A variant has fewer than ${minimumUnits} units.`,
    'too-few-conversions': 'Fewer than 5 conversions so far.',
    'no-variance': 'All values are the same, so far.',
    'zero-denominator': 'The denominator is 0.',
  })[reason]

/** Why there is no effect, absolute or relative to the control. */
export const whyNoEffect = (comparison: MetricComparison | undefined, minimumUnits: number): string =>
  comparison?.state === 'no-estimate'
    ? missingWords(comparison.reason, minimumUnits)
    : 'The control’s value is 0, or hardly known: only the absolute difference is.'

/** The position of a guardrail's margin: on the side that is worse. */
export function marginOn(
  { role, goal, margin, values }: Pick<MetricReport, 'role' | 'goal' | 'margin' | 'values'>,
  scale: ShownScale,
): number | undefined {
  if (role !== 'guardrail') return undefined
  const relative = (goal === 'increase' ? -margin : margin) / 100
  if (scale === 'relative') return relative
  const control = values[0]?.value
  return control === null || control === undefined ? undefined : relative * Math.abs(control)
}

/** The scale on which the effects of some metrics are drawn together. */
export function scaleOf(metrics: readonly MetricReport[], scale: ShownScale): IntervalScale {
  const effects = metrics.flatMap(({ comparisons }) =>
    comparisons.flatMap((one) => (one.state === 'estimated' ? (effectOn(one, scale) ?? []) : [])),
  )
  const margins = metrics.flatMap((metric) => marginOn(metric, scale) ?? [])
  const isPercent = metrics.every(({ shape }) => unitOfEffects(shape, scale) === 'percent')
  return intervalScale(
    effects.flatMap(({ main, unadjusted }) => (unadjusted ? [main, unadjusted] : [main])),
    margins,
    isPercent ? 'percent' : 'number',
  )
}

export const goalWords: Record<ExperimentMetric['goal'], string> = {
  increase: 'higher is better',
  decrease: 'lower is better',
}
