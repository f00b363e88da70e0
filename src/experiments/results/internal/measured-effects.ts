import type { QuantileMoments } from '#insights/kinds/experiment/answer'
import { quantileEffect, quantileError } from '#statistics/bayesian'
import { covariateFactor, type Effect, type Estimand, estimateEffect } from '#statistics/effect'
import { chanceOfLargerShare, exactShareP } from '#statistics/few-conversions'
import type { Moments } from '#statistics/moments'
import { pooledShareError, type Proportion } from '#statistics/proportions'
import { normalQuantile } from '#statistics/special-functions'
import type { ExperimentMetric } from '../../experiment'
import type { MissingComparison } from '../report'
import { hasFewValues, withVarianceOfBoth } from './few-conversions'
import { ownValues, shapeOf } from './metric-shape'

/** The absolute effect by which a variant is judged. */
export interface MeasuredEffect {
  effect: Effect
  /** The probability that the variant's share is larger, where it is known exactly. */
  chance?: () => number
}

export interface MeasuredComparison {
  variant: string
  state: 'measured'
  plain: MeasuredEffect
  /** With behaviour before the exposure taken into account. */
  adjusted: (MeasuredEffect & { varianceReduction: number }) | undefined
}

/** Measures the effect of a variant. `arms` are those of all variants, by which behaviour before the exposure is weighed. */
export function compareArms(
  variant: string,
  metric: Pick<ExperimentMetric, 'measured'>,
  pair: readonly [Moments, Moments],
  { arms, phases }: { arms: readonly Moments[]; phases: number },
): MeasuredComparison | MissingComparison {
  const shape = shapeOf(metric.measured)
  const own = (arm: Moments) => ownValues(arm, metric.measured)
  const isFew = hasFewValues(own(pair[0]), own(pair[1]), shape)
  const isCounted = shape === 'share' && phases === 1
  const kind: Estimand['kind'] = shape === 'ratio' ? 'ratio' : isCounted && !isFew ? 'proportion' : 'mean'
  const compared = ([control, treatment]: readonly [Moments, Moments]) =>
    isFew ? withVarianceOfBoth(control, treatment) : ([control, treatment] as const)
  const [a, b] = compared([own(pair[0]), own(pair[1])])
  const outcome = estimateEffect(a, b, { estimand: { kind }, scale: 'absolute' })
  if (!outcome.done)
    return {
      variant,
      state: 'no-estimate',
      reason: outcome.problem === 'zero-control' ? 'no-variance' : outcome.problem,
    }
  const { effect } = outcome
  const width = shape === 'ratio' ? 2 : 1
  const hasBefore = metric.measured.type !== 'funnel' && pair[0].means.length === 2 * width
  return {
    variant,
    state: 'measured',
    plain: isCounted ? ofShares(effect, { isFew }) : { effect },
    adjusted: hasBefore ? adjustedOf(compared(pair), { kind, arms, plain: effect }) : undefined,
  }
}

/** Few conversions are tested exactly, many by the variance of both together, neither of which is sure of a rare share. */
function ofShares(effect: Effect, { isFew }: { isFew: boolean }): MeasuredEffect {
  const [control, treatment] = [countOf(effect, 0), countOf(effect, 1)]
  const standardError = isFew
    ? exactError(effect, exactShareP(control, treatment))
    : Math.max(effect.standardError, pooledShareError(control, treatment))
  const least = Math.min(...[control, treatment].flatMap(({ count, size }) => [count, size - count]))
  return {
    effect: { ...effect, standardError, freedom: Number.POSITIVE_INFINITY },
    ...(least <= mostCounted && { chance: () => chanceOfLargerShare(control, treatment) }),
  }
}

/** The exact chance takes as many steps; with more conversions it is that of the normal distribution. */
const mostCounted = 1000

const countOf = ({ units, values }: Effect, arm: 0 | 1): Proportion => ({
  count: Math.round(units[arm] * values[arm]),
  size: units[arm],
})

/** The standard error with which the normal test has an exact one-sided p-value. */
function exactError({ value, standardError }: Effect, p: number): number {
  const tail = value > 0 ? p : 1 - p
  return tail > 0 && tail < 0.4 ? Math.abs(value) / -normalQuantile(tail) : standardError
}

function adjustedOf(
  [control, treatment]: readonly [Moments, Moments],
  { kind, arms, plain }: { kind: Estimand['kind']; arms: readonly Moments[]; plain: Effect },
): MeasuredComparison['adjusted'] {
  const theta = covariateFactor(arms, kind)
  if (theta === 0) return undefined
  const outcome = estimateEffect(control, treatment, {
    estimand: { kind, covariate: true },
    scale: 'absolute',
    theta,
  })
  if (!outcome.done) return undefined
  const { effect } = outcome
  const varianceReduction = 1 - (effect.standardError / plain.standardError) ** 2
  return { effect, varianceReduction }
}

/** Measures the difference of two quantiles of events. */
export function compareQuantileValues(
  variant: string,
  control: QuantileMoments,
  treatment: QuantileMoments,
): MeasuredComparison | MissingComparison {
  const ofEvents = (one: QuantileMoments) => ({ ...one, n: one.events })
  const difference = quantileEffect(ofEvents(control), ofEvents(treatment))
  if (!(difference.standardError > 0)) return { variant, state: 'no-estimate', reason: 'no-variance' }
  const variance = quantileError(ofEvents(control)) ** 2
  const effect: Effect = {
    ...difference,
    scale: 'absolute',
    freedom: control.units + treatment.units - 2,
    units: [control.units, treatment.units],
    values: [control.value, treatment.value],
    control: { variance, covariance: -variance },
  }
  return { variant, state: 'measured', plain: { effect }, adjusted: undefined }
}
