import type { ExperimentMetric } from '#experiments/experiment'
import type {
  EffectEstimate,
  EffectReading,
  EstimatedComparison,
  MetricComparison,
  MetricReport,
  MetricUnit,
  NoEstimateReason,
} from '#experiments/results/report'
import { valueWords } from '#experiments/results/estimate-words'
import type { EffectScale } from '#statistics/effect'
import { type IntervalScale, intervalScale } from '#ui/chart/interval-scale'
import { amount, percent, type Unit } from '#ui/format'

/** An effect as it is shown: after the adjustment where there is one, with the one before beside it. */
export interface ShownEffect {
  main: EffectEstimate
  unadjusted: EffectEstimate | undefined
  /** By how much the adjustment reduces the variance, as a share. */
  varianceReduction: number | undefined
}

/** Undefined where the control’s value is 0, so that nothing can be relative to it. */
export function effectOn(comparison: EstimatedComparison, scale: EffectScale): ShownEffect | undefined {
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

export function unitOfEffects({ shape, currency }: MetricUnit, scale: EffectScale): Unit {
  if (scale === 'relative' || shape === 'share') return 'percent'
  return currency === undefined ? 'number' : { currency }
}

/** An expected loss, without the digits of one that does not matter. */
export function lossText(loss: number, unit: MetricUnit, scale: EffectScale): string {
  const size = Math.abs(loss)
  if (scale === 'relative') return size < 0.0005 ? '<0.1%' : percent(size)
  if (unit.shape === 'share')
    return size < 0.00005 ? '<0.01 points' : `${amount(roundedTo(100 * size, 2))} points`
  return unit.currency === undefined ? amount(roundedTo(size, 2)) : valueWords(size, unit)
}

const roundedTo = (value: number, digits: number): number => Number(value.toPrecision(digits))

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
  scale: EffectScale,
): number | undefined {
  if (role !== 'guardrail') return undefined
  const relative = (goal === 'increase' ? -margin : margin) / 100
  if (scale === 'relative') return relative
  const control = values[0]?.value
  return control === null || control === undefined ? undefined : relative * Math.abs(control)
}

/** The scale on which the effects of some metrics are drawn together. */
export function scaleOf(metrics: readonly MetricReport[], scale: EffectScale): IntervalScale {
  const effects = metrics.flatMap(({ comparisons }) =>
    comparisons.flatMap((one) => (one.state === 'estimated' ? (effectOn(one, scale) ?? []) : [])),
  )
  const margins = metrics.flatMap((metric) => marginOn(metric, scale) ?? [])
  const isPercent = metrics.every((metric) => unitOfEffects(metric, scale) === 'percent')
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
