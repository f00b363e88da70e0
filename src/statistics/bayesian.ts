import type { Effect } from './effect'
import type { EstimateInterval } from './frequentist'
import { lnGamma, normalCdf, normalDensity, normalQuantile } from './special-functions'

/** The effect assumed before the experiment: a normal distribution. */
interface EffectPrior {
  mean: number
  standardDeviation: number
}

interface EffectPosterior {
  mean: number
  standardDeviation: number
  /** The probability that the effect is above 0. */
  chanceAboveZero: number
  interval: EstimateInterval
  /** The expected loss of keeping the control, and that of choosing the treatment, for a metric that should rise. */
  risk: readonly [keep: number, choose: number]
}

/** The normal posterior of an effect. Without a prior, every effect is as likely as another beforehand. */
export function posteriorOf(
  { value, standardError }: Pick<Effect, 'value' | 'standardError'>,
  { prior, level = 0.95 }: { prior?: EffectPrior; level?: number } = {},
): EffectPosterior {
  const own = 1 / standardError ** 2
  const before = prior ? 1 / prior.standardDeviation ** 2 : 0
  const mean = (own * value + before * (prior?.mean ?? 0)) / (own + before)
  const standardDeviation = Math.sqrt(1 / (own + before))
  const reach = normalQuantile(1 - (1 - level) / 2) * standardDeviation
  return {
    mean,
    standardDeviation,
    chanceAboveZero: normalCdf(mean / standardDeviation),
    interval: { low: mean - reach, high: mean + reach },
    risk: expectedLoss(mean, standardDeviation),
  }
}

/** The expected gain that is missed by keeping the control, and the expected loss by choosing the treatment. */
export function expectedLoss(
  mean: number,
  standardDeviation: number,
): readonly [keep: number, choose: number] {
  const z = mean / standardDeviation
  // beyond it one of the two is certain, and the other below the smallest number
  if (Math.abs(z) > 37) return mean > 0 ? [mean, 0] : [0, -mean]
  const around = standardDeviation * normalDensity(z)
  return [Math.max(0, around + mean * normalCdf(z)), Math.max(0, around - mean * normalCdf(-z))]
}

/** A share by its posterior: a beta distribution with whole parameters. */
interface BetaShare {
  alpha: number
  beta: number
}

/**
 * The probability that the share of B is above that of A: the closed form of E. Miller, Formulas for Bayesian A/B testing,
 * 2015. The sum runs over the smallest of the four parameters, each of which can be summed over by symmetry.
 */
export function chanceAbove(a: BetaShare, b: BetaShare): number {
  const least = Math.min(a.alpha, a.beta, b.alpha, b.beta)
  if (b.alpha === least) return sumOverAlpha(a, b)
  if (a.alpha === least) return 1 - sumOverAlpha(b, a)
  const mirrored = ({ alpha, beta }: BetaShare): BetaShare => ({ alpha: beta, beta: alpha })
  if (a.beta === least) return sumOverAlpha(mirrored(b), mirrored(a))
  return 1 - sumOverAlpha(mirrored(a), mirrored(b))
}

function sumOverAlpha(a: BetaShare, b: BetaShare): number {
  let sum = 0
  // of each term the logarithm follows from the one before
  let lnTerm = lnBeta(a.alpha, a.beta + b.beta) - lnBeta(a.alpha, a.beta)
  for (let i = 0; i < b.alpha; i++) {
    sum += Math.exp(lnTerm)
    lnTerm += Math.log(((a.alpha + i) * (b.beta + i)) / ((a.alpha + a.beta + b.beta + i) * (i + 1)))
  }
  return sum
}

const lnBeta = (a: number, b: number): number => lnGamma(a) + lnGamma(b) - lnGamma(a + b)

/** The difference of two quantiles, with the standard error that their intervals stand for. */
export function quantileEffect(
  control: QuantileEstimate,
  treatment: QuantileEstimate,
): Pick<Effect, 'value' | 'standardError'> {
  return {
    value: treatment.value - control.value,
    standardError: Math.hypot(quantileError(control), quantileError(treatment)),
  }
}

/** The standard error that the interval of a quantile stands for. */
export const quantileError = ({ n, low, high }: Omit<QuantileEstimate, 'value'>): number =>
  ((high - low) / (2 * normalQuantile(0.975))) * Math.sqrt((n - 1) / n)

/** A quantile of a sample with its 95 % interval between order statistics. */
interface QuantileEstimate {
  n: number
  value: number
  low: number
  high: number
}
