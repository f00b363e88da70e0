import {
  chancesOfLargestMean,
  chancesOfLargestShare,
  meanBeliefs,
  shareBelief,
  thompsonPercentages,
} from '#statistics/best-arm'
import { estimateEffect } from '#statistics/effect'
import { welchTest } from '#statistics/frequentist'
import { inverseProbabilityMoments, type WeightedMoments } from '#statistics/inverse-probability'
import { type Moments, momentsOf } from '#statistics/moments'
import type { Simulation } from './simulations'

/** A bandit of two arms whose weights move once a day. */
interface SimulatedBandit {
  days: number
  unitsPerDay: number
  draw: (random: () => number, arm: number, day: number) => number
  beliefs: 'shares' | 'means'
}

const smallestPercent = 5

function runBandit({ days, unitsPerDay, draw, beliefs }: SimulatedBandit, random: () => number) {
  const times: { moments: Moments; probability: number }[][] = [[], []]
  let percentages = [50, 50]
  let inSecond = 0
  for (let day = 0; day < days; day++) {
    const values: number[][][] = [[], []]
    for (let unit = 0; unit < unitsPerDay; unit++) {
      const arm = 100 * random() < (percentages[0] ?? 0) ? 0 : 1
      values[arm]?.push([draw(random, arm, day)])
      inSecond += arm
    }
    times.forEach((own, arm) =>
      own.push({ moments: withWidth(values[arm] ?? []), probability: (percentages[arm] ?? 0) / 100 }),
    )
    percentages = thompsonPercentages(chancesIn(inverseProbabilityMoments(times), beliefs), smallestPercent)
  }
  return { arms: inverseProbabilityMoments(times), shareOfSecond: inSecond / (days * unitsPerDay) }
}

const withWidth = (values: readonly number[][]): Moments =>
  values.length > 0 ? momentsOf(values) : { n: 0, means: [0], deviations: [[0]] }

function chancesIn(arms: readonly WeightedMoments[], beliefs: SimulatedBandit['beliefs']): number[] {
  const known = arms.map(({ moments: { n, means, deviations }, effectiveUnits }) => ({
    mean: means[0] ?? 0,
    variance: ((deviations[0]?.[0] ?? 0) / (n - 1) / n) * effectiveUnits,
    units: effectiveUnits,
  }))
  return beliefs === 'shares'
    ? chancesOfLargestShare(known.map(({ mean, units }) => shareBelief(mean, units)))
    : chancesOfLargestMean(meanBeliefs(known))
}

/** The percentage of bandits whose 95 % interval does not contain the true effect. */
function missed(bandit: SimulatedBandit, effect: number) {
  return (experiments: number, random: () => number): number => {
    let count = 0
    for (let i = 0; i < experiments; i++) {
      const [control, treatment] = runBandit(bandit, random).arms
      if (!control || !treatment) return Number.NaN
      const outcome = estimateEffect(control.moments, treatment.moments, {
        estimand: { kind: 'mean' },
        scale: 'absolute',
      })
      if (!outcome.done) continue
      const { low, high } = welchTest(outcome.effect).interval
      count += low > effect || high < effect ? 1 : 0
    }
    return (100 * count) / experiments
  }
}

const shares: SimulatedBandit = {
  days: 14,
  unitsPerDay: 500,
  draw: (random) => (random() < 0.1 ? 1 : 0),
  beliefs: 'shares',
}

const risingShares: SimulatedBandit = {
  ...shares,
  draw: (random, _, day) => (random() < 0.05 + 0.02 * day ? 1 : 0),
}

const effect = 0.02
const better: SimulatedBandit = {
  ...shares,
  draw: (random, arm) => (random() < 0.1 + effect * arm ? 1 : 0),
}

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

const revenue: SimulatedBandit = {
  ...shares,
  draw: (random) => (random() < 0.3 ? Math.exp(2 + 0.5 * normal(random)) : 0),
  beliefs: 'means',
}

/** The cost of learning of a bandit, as a percentage of that of equal weights. */
const regret: Simulation = {
  name: 'A bandit with an effect of 10 % to 12 %: regret, % of that of equal weights',
  run: (experiments, random) => {
    let lost = 0
    for (let i = 0; i < experiments; i++) lost += 1 - runBandit(better, random).shareOfSecond
    return (100 * lost) / experiments / 0.5
  },
  least: 20,
  most: 60,
}

/**
 * Fewer intervals than 5 % leave 0 if there is no difference: an early difference by chance moves the weights away from the
 * arm that seems worse, and fewer units of that arm make the interval wider.
 */
const bounds = { least: 1.5, most: 5.6 }

/** The arm that is behind gets few units, so its variance is known less well. */
const ahead = { least: 4.4, most: 6.5 }

export const banditSimulations: readonly Simulation[] = [
  { name: 'A/A bandit, a share of 10 %: false positives, %', run: missed(shares, 0), ...bounds },
  {
    name: 'A/A bandit, a share that rises from 5 % to 31 %: false positives, %',
    run: missed(risingShares, 0),
    ...bounds,
  },
  { name: 'A/A bandit, log-normal revenue: false positives, %', run: missed(revenue, 0), ...bounds },
  {
    name: 'A bandit with an effect of 10 % to 12 %: 95 % intervals without the truth, %',
    run: missed(better, effect),
    ...ahead,
  },
  regret,
]
