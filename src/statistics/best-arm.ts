import { incompleteBeta, normalCdf } from './special-functions'

/** A share by its posterior: a beta distribution. */
export interface ShareBelief {
  alpha: number
  beta: number
}

/** A mean by its posterior: a normal distribution. */
export interface MeanBelief {
  mean: number
  standardDeviation: number
}

/** The posterior of a share after `units` of which the share `mean` succeeded; before, every share is as likely. */
export const shareBelief = (mean: number, units: number): ShareBelief => ({
  alpha: 1 + mean * units,
  beta: 1 + (1 - mean) * units,
})

/**
 * The posteriors of means. Before, each is known as well as from one unit of all arms together. That also gives an arm
 * whose units are all alike a variance.
 */
export function meanBeliefs(
  arms: readonly { mean: number; variance: number; units: number }[],
): MeanBelief[] {
  const whole = arms.reduce((sum, { units }) => sum + units, 0)
  const total = (of: (arm: (typeof arms)[number]) => number) =>
    whole === 0 ? 0 : arms.reduce((sum, arm) => sum + arm.units * of(arm), 0) / whole
  const mean = total((arm) => arm.mean)
  const variance = total((arm) => arm.variance + (arm.mean - mean) ** 2)
  return arms.map((arm) => ({
    mean: (arm.units * arm.mean + mean) / (arm.units + 1),
    standardDeviation: Math.sqrt((arm.units * arm.variance + variance) / (arm.units + 1) / (arm.units + 1)),
  }))
}

/** A point of a distribution: a value, for a share also what it lacks to 1, and its part of the probability. */
interface QuadraturePoint {
  value: number
  rest: number
  mass: number
}

interface QuadratureArm {
  points: readonly QuadraturePoint[]
  below: (point: QuadraturePoint) => number
}

/** Returns for each share the probability that it is the largest. */
export function chancesOfLargestShare(shares: readonly ShareBelief[]): number[] {
  const narrowest = Math.min(...shares.map(logitDeviation))
  return chancesOfLargest(
    shares.map((share) => ({
      points: sharePoints(share, narrowest),
      below: ({ value, rest }) => incompleteBeta(share.alpha, share.beta, value, rest),
    })),
  )
}

/** Returns each mean's probability of being the largest. Means without any variance are compared as they are. */
export function chancesOfLargestMean(means: readonly MeanBelief[]): number[] {
  const narrowest = Math.min(...means.map(({ standardDeviation }) => standardDeviation))
  if (narrowest <= 0) return means.map(() => 1 / means.length)
  return chancesOfLargest(
    means.map(({ mean, standardDeviation }) => ({
      points: meanPoints({ mean, standardDeviation }, narrowest),
      below: ({ value }) => normalCdf((value - mean) / standardDeviation),
    })),
  )
}

/** The integral of each density times the probabilities that all others are below, by the trapezoidal rule. */
function chancesOfLargest(arms: readonly QuadratureArm[]): number[] {
  const chances = arms.map(({ points }, i) => {
    const others = arms.filter((_, j) => j !== i)
    const whole = points.reduce((sum, { mass }) => sum + mass, 0)
    const won = points.reduce(
      (sum, point) => sum + others.reduce((product, { below }) => product * below(point), point.mass),
      0,
    )
    return won / whole
  })
  const sum = chances.reduce((all, one) => all + one, 0)
  return chances.map((chance) => chance / sum)
}

/** The spread of a share’s logit. */
const logitDeviation = ({ alpha, beta }: ShareBelief): number => Math.sqrt(1 / alpha + 1 / beta)

/** The trapezoidal rule converges exponentially on smooth densities; a step of half a deviation is exact to 1e-16. */
const stepOf = (own: number, narrowest: number): number => Math.max(Math.min(own, narrowest) / 4, own / 400)

/** Returns points on the logit's scale, where a share's density is smooth and falls exponentially to both sides. */
function sharePoints(share: ShareBelief, narrowest: number): QuadraturePoint[] {
  const { alpha, beta } = share
  const deviation = logitDeviation(share)
  const step = stepOf(deviation, narrowest)
  const logDensity = (logit: number) =>
    -alpha * Math.log1p(Math.exp(-logit)) - beta * Math.log1p(Math.exp(logit))
  const middle = Math.log(alpha / beta)
  const peak = logDensity(middle)
  const from = middle - 10 * deviation - 40 / alpha
  const until = middle + 10 * deviation + 40 / beta
  return pointsBetween({ from, until, step }, (logit) => ({
    value: 1 / (1 + Math.exp(-logit)),
    rest: 1 / (1 + Math.exp(logit)),
    mass: Math.exp(logDensity(logit) - peak),
  }))
}

function meanPoints({ mean, standardDeviation }: MeanBelief, narrowest: number): QuadraturePoint[] {
  const step = stepOf(standardDeviation, narrowest) / standardDeviation
  return pointsBetween({ from: -10, until: 10, step }, (z) => ({
    value: mean + z * standardDeviation,
    rest: 0,
    mass: Math.exp((-z * z) / 2),
  }))
}

const negligible = 1e-18

function pointsBetween(
  { from, until, step }: { from: number; until: number; step: number },
  at: (x: number) => QuadraturePoint,
): QuadraturePoint[] {
  const count = Math.ceil((until - from) / step)
  return Array.from({ length: count + 1 }, (_, i) => at(from + i * step)).filter(
    ({ mass }) => mass > negligible,
  )
}

/**
 * The percentages of Thompson sampling: each arm gets a share as large as its chance of being the best, mixed with the
 * smallest percentage that every arm keeps. Whole numbers, by the largest remainder, so that small changes move no one.
 */
export function thompsonPercentages(chances: readonly number[], smallestPercent: number): number[] {
  const free = 100 - smallestPercent * chances.length
  const exact = chances.map((chance) => smallestPercent + free * chance)
  // a number that is whole but for rounding stays whole
  const floors = exact.map((one) => Math.floor(one + 1e-9))
  const left = 100 - floors.reduce((sum, one) => sum + one, 0)
  const byRemainder = exact
    .map((one, i) => ({ i, remainder: one - (floors[i] ?? 0) }))
    .toSorted((one, other) => other.remainder - one.remainder || one.i - other.i)
  const raised = new Set(byRemainder.slice(0, left).map(({ i }) => i))
  return floors.map((floor, i) => floor + (raised.has(i) ? 1 : 0))
}

/** The percentage of all ids whose arm changes, where arms take ranges one after the other in their order. */
export function movedPercent(before: readonly number[], after: readonly number[]): number {
  const ends = (weights: readonly number[]) => {
    let end = 0
    return weights.map((weight) => (end += weight))
  }
  const [was, is] = [ends(before), ends(after)]
  const kept = is.reduce((sum, until, i) => {
    const [from, wasFrom] = [is[i - 1] ?? 0, was[i - 1] ?? 0]
    return sum + Math.max(0, Math.min(until, was[i] ?? 0) - Math.max(from, wasFrom))
  }, 0)
  return Math.max(0, 100 - kept)
}
