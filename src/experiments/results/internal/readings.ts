import { posteriorOf } from '#statistics/bayesian'
import type { Effect } from '#statistics/effect'
import { adjustments } from '#statistics/multiple-tests'
import { type Reach, relativeInterval } from '#statistics/relative-interval'
import type { AnalysisSettings } from '../../experiment'
import { decisionAlpha, harmAlpha, type Look, pAt, reachAt } from './looks'
import type { MeasuredComparison, MeasuredEffect } from './measured-effects'
import type {
  EffectEstimate,
  EffectReading,
  EstimatedComparison,
  MetricComparison,
  MetricReport,
  MissingComparison,
} from '../report'

export interface MeasuredMetricReport extends Omit<MetricReport, 'comparisons'> {
  comparisons: (MeasuredComparison | MissingComparison)[]
}

type JudgedMetric = Pick<MetricReport, 'role' | 'goal' | 'margin'>

/** The error rates by which one comparison is judged at a look. */
interface Rates {
  look: Look
  /** Of the interval, two-sided. */
  alpha: number
  /** Of harm, where it differs; at any look. */
  harm?: number
  /** Of the p-value: its correction for the other comparisons. */
  adjustedP: number | undefined
}

/**
 * Judges every comparison. Primary metrics are corrected by Holm's method, for each of them may decide, and secondary
 * ones by Benjamini and Hochberg's; intervals are those of the corrected rates, so that they exclude 0 exactly where
 * something was found. Before the planned end only harm is found, by a rate of its own. A guardrail is compared with its
 * margin: it is safe or not by its own interval, since all of them must be, and violated by the rate of harm.
 */
export function withReadings(
  metrics: readonly MeasuredMetricReport[],
  analysis: AnalysisSettings,
  look: Look,
): MetricReport[] {
  const { level } = analysis
  const deciding = metrics.filter(({ role }) => role !== 'secondary').flatMap(measuredIn).length
  const harm = harmAlpha(level, deciding)
  const uniform = (alpha: number) => (p: number) => ({
    alpha,
    adjustedP: Math.min(1, (p * (1 - level)) / alpha),
  })
  const rates = new Map<MeasuredComparison, Rates>()
  const judge = (
    role: MetricReport['role'],
    corrected: (p: readonly number[]) => { alpha: number; adjustedP: number | undefined }[],
    more: Partial<Rates> = {},
  ) => {
    const measured = metrics.filter((metric) => metric.role === role).flatMap(measuredIn)
    const found = corrected(measured.map((one) => pAt(look, decisiveEffect(one, analysis), level)))
    measured.forEach((one, i) => found[i] && rates.set(one, { look, ...found[i], ...more }))
  }
  judge('primary', (p) =>
    look === 'early' ? p.map(uniform(harm)) : holmRates(p, decisionAlpha(level), level),
  )
  judge('secondary', (p) => falseDiscoveryRates(p, 1 - level))
  judge('guardrail', (p) => p.map(() => ({ alpha: 1 - level, adjustedP: undefined })), { harm })
  return metrics.map((metric) => ({
    ...metric,
    comparisons: metric.comparisons.map((one): MetricComparison => {
      const found = one.state === 'measured' && rates.get(one)
      return found ? judged(metric, one, found, analysis) : (one as MissingComparison)
    }),
  }))
}

const measuredIn = ({ comparisons }: MeasuredMetricReport): MeasuredComparison[] =>
  comparisons.flatMap((one) => (one.state === 'measured' ? [one] : []))

/** The p-values of Holm's method on the scale of the level, and the rate of its last step for every interval. */
function holmRates(p: readonly number[], alpha: number, level: number) {
  const values = adjustments.holm(p)
  const found = values.filter((one) => one < alpha).length
  const own = alpha / Math.max(1, p.length - found)
  return values.map((value) => ({ alpha: own, adjustedP: Math.min(1, (value * (1 - level)) / alpha) }))
}

/** Y. Benjamini and D. Yekutieli, False discovery rate–adjusted multiple confidence intervals, 2005. */
function falseDiscoveryRates(p: readonly number[], alpha: number) {
  const values = adjustments.bh(p)
  const found = values.filter((one) => one < alpha).length
  return values.map((adjustedP) => ({ alpha: (alpha * Math.max(1, found)) / p.length, adjustedP }))
}

/** Judges one comparison by itself at one look, unless the method is for many. */
export const readAlone = (
  metric: JudgedMetric,
  one: MeasuredComparison,
  analysis: AnalysisSettings,
): EstimatedComparison => {
  const look = analysis.method === 'sequential' ? 'any' : 'planned'
  return judged(metric, one, { look, alpha: 1 - analysis.level, adjustedP: undefined }, analysis)
}

function judged(
  metric: JudgedMetric,
  one: MeasuredComparison,
  rates: Rates,
  analysis: AnalysisSettings,
): EstimatedComparison {
  const estimates = (measured: MeasuredEffect) => estimatesOf(metric, measured, rates, analysis)
  const comparison = {
    variant: one.variant,
    state: 'estimated' as const,
    ...estimates(one.plain),
    adjusted: one.adjusted && {
      ...estimates(one.adjusted),
      varianceReduction: one.adjusted.varianceReduction,
    },
  }
  return { ...comparison, reading: readingOf(metric, comparison) }
}

const decisiveEffect = (one: MeasuredComparison, analysis: AnalysisSettings): Effect =>
  withPrior((one.adjusted ?? one.plain).effect, analysis)

/** The prior is about relative effects, and draws the estimate towards it. */
function withPrior(effect: Effect, { method, prior }: AnalysisSettings): Effect {
  const base = Math.abs(effect.values[0])
  if (method !== 'bayesian' || !prior || base === 0) return effect
  const { mean, standardDeviation } = posteriorOf(effect, {
    prior: { mean: prior.mean * base, standardDeviation: prior.standardDeviation * base },
  })
  const covariance = (effect.control?.covariance ?? 0) * (standardDeviation / effect.standardError) ** 2
  return {
    ...effect,
    value: mean,
    standardError: standardDeviation,
    control: effect.control && { ...effect.control, covariance },
  }
}

function estimatesOf(
  { goal }: JudgedMetric,
  measured: MeasuredEffect,
  rates: Rates,
  analysis: AnalysisSettings,
): Pick<EstimatedComparison, 'absolute' | 'relative'> {
  const effect = withPrior(measured.effect, analysis)
  const { value, standardError } = effect
  const base = Math.abs(effect.values[0])
  const reach = reachOf(goal, effect, rates, analysis.level)
  const common = { p: pAt(rates.look, effect, analysis.level), adjustedP: rates.adjustedP }
  const { chance, loss } = sureness(goal, { ...measured, effect }, analysis)
  const relative = base === 0 ? undefined : relativeInterval(effect, reach)
  return {
    absolute: {
      value,
      standardError,
      low: value - reach.down * standardError,
      high: value + reach.up * standardError,
      ...common,
      chance,
      loss,
    },
    relative: relative && {
      value: value / base,
      standardError: relativeError(effect),
      ...relative,
      ...common,
      chance,
      loss: loss === undefined ? undefined : loss / base,
    },
  }
}

/** Towards harm the reach is that of the rate of harm. */
function reachOf(
  goal: JudgedMetric['goal'],
  effect: Effect,
  { look, alpha, harm }: Rates,
  level: number,
): Reach {
  const own = reachAt(look, effect, alpha, level)
  if (harm === undefined) return { down: own, up: own }
  const ofHarm = reachAt(look === 'planned' ? 'any' : look, effect, harm, level)
  return goal === 'increase' ? { down: own, up: ofHarm } : { down: ofHarm, up: own }
}

/** By the delta method. */
function relativeError({ value, standardError, values: [control], control: known }: Effect): number {
  const base = Math.abs(control)
  if (!known) return standardError / base
  const ratio = value / base
  const covariance = Math.sign(control) * known.covariance
  return Math.sqrt(standardError ** 2 - 2 * ratio * covariance + ratio ** 2 * known.variance) / base
}

/** The chance to win and the expected loss of the variant, for the Bayesian method. */
function sureness(
  goal: JudgedMetric['goal'],
  { effect, chance }: MeasuredEffect,
  { method, prior }: AnalysisSettings,
): Pick<EffectEstimate, 'chance' | 'loss'> {
  if (method !== 'bayesian') return { chance: undefined, loss: undefined }
  const { chanceAboveZero, risk } = posteriorOf(effect)
  const above = prior || !chance ? chanceAboveZero : chance()
  return goal === 'increase' ? { chance: above, loss: risk[1] } : { chance: 1 - above, loss: risk[0] }
}

function readingOf(
  { role, goal, margin }: JudgedMetric,
  comparison: Omit<EstimatedComparison, 'reading'>,
): EffectReading {
  const shown = role === 'guardrail' ? shownEstimate(comparison) : decisiveEstimate(comparison)
  const { value, low, high } = shown
  const [worst, best, middle] = goal === 'increase' ? [low, high, value] : [-high, -low, -value]
  if (role === 'guardrail') {
    // the margin is relative to the control; without a relative effect there is none
    const allowed = (comparison.adjusted ?? comparison).relative ? -margin / 100 : 0
    if (best < 0 && middle < allowed) return 'violated'
    return worst > allowed ? 'safe' : 'unclear'
  }
  if (worst > 0) return 'better'
  return best < 0 ? 'worse' : 'unclear'
}

type Estimates = Pick<EstimatedComparison, 'absolute' | 'relative' | 'adjusted'>

/** The estimate by which a comparison is judged. */
export const decisiveEstimate = (one: Estimates): EffectEstimate => (one.adjusted ?? one).absolute

/** The same as a share of the control's value, where there is one. */
export function shownEstimate(one: Estimates): EffectEstimate {
  const { relative, absolute } = one.adjusted ?? one
  return relative ?? absolute
}
