import { posteriorOf } from '#statistics/bayesian'
import { type Effect, type Estimand, estimateEffect } from '#statistics/effect'
import { type EstimateInterval, welchTest } from '#statistics/frequentist'
import { mergeMoments, type Moments, momentsOf } from '#statistics/moments'
import { powerOf, unitsNeeded } from '#statistics/power'
import { sampleRatioTest } from '#statistics/sample-ratio'
import { sequentialTest } from '#statistics/sequential'
import { banditSimulations } from './bandits'
import { verdictSimulations } from './verdicts'

/** A simulation of many experiments, and what its result must be. */
export interface Simulation {
  name: string
  /** The share of all experiments, in percent. */
  run: (experiments: number, random: () => number) => number
  /** The bounds for ten thousand experiments. */
  least: number
  most: number
}

/** Of fewer experiments than ten thousand more is allowed, by what chance allows them. */
export function boundsOf(
  { least, most }: Pick<Simulation, 'least' | 'most'>,
  experiments: number,
): [least: number, most: number] {
  if (experiments >= 10_000) return [least, most]
  const middle = Math.max(least, Math.min(most, (least + most) / 2)) / 100
  const chance = 4 * 100 * Math.sqrt((middle * (1 - middle)) / experiments)
  return [least - chance, most + chance]
}

interface MetricSource {
  name: string
  estimand: Estimand
  units: number
  /** The true value. */
  value: number
  draw: (random: () => number, lift?: number) => number[]
}

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

const share = (chance: number, units: number): MetricSource => ({
  name: `a share of ${100 * chance} %`,
  estimand: { kind: 'proportion' },
  units,
  value: chance,
  draw: (random, lift = 0) => [random() < chance * (1 + lift) ? 1 : 0],
})

const revenue: MetricSource = {
  name: 'log-normal revenue of one in five',
  estimand: { kind: 'mean' },
  units: 5000,
  value: 0.2 * Math.exp(3 + 0.5),
  draw: (random, lift = 0) => [random() < 0.2 ? (1 + lift) * Math.exp(3 + normal(random)) : 0],
}

/** Page views with clicks among them: the chance of a click differs from one person to the next. */
const ratio: MetricSource = {
  name: 'a ratio of clicks to views',
  estimand: { kind: 'ratio' },
  units: 1000,
  value: 0.3,
  draw: (random, lift = 0) => {
    const views = 1 + Math.floor(10 * random() ** 2)
    const chance = (0.1 + 0.4 * random()) * (1 + lift)
    let clicks = 0
    for (let view = 0; view < views; view++) clicks += random() < chance ? 1 : 0
    return [clicks, views]
  },
}

const sources = [share(0.01, 5000), share(0.1, 1000), share(0.5, 500), revenue, ratio]

const sample = (
  { units, draw }: MetricSource,
  random: () => number,
  { size = units, lift = 0 }: { size?: number; lift?: number } = {},
): Moments => momentsOf(Array.from({ length: size }, () => draw(random, lift)))

function effectBetween(control: Moments, treatment: Moments, estimand: Estimand): Effect | undefined {
  const outcome = estimateEffect(control, treatment, { estimand, scale: 'absolute' })
  return outcome.done ? outcome.effect : undefined
}

/** The percentage of experiments in which something happens. */
function percentage(experiments: number, happens: () => boolean): number {
  let count = 0
  for (let i = 0; i < experiments; i++) count += happens() ? 1 : 0
  return (100 * count) / experiments
}

const excludesZero = ({ low, high }: EstimateInterval): boolean => low > 0 || high < 0

const falsePositives = (source: MetricSource): Simulation => ({
  name: `A/A, ${source.name}: false positives, %`,
  run: (experiments, random) =>
    percentage(experiments, () => {
      const effect = effectBetween(sample(source, random), sample(source, random), source.estimand)
      return effect !== undefined && welchTest(effect).p < 0.05
    }),
  least: 4.4,
  most: 5.6,
})

const bayesianFalsePositives = (source: MetricSource): Simulation => ({
  name: `A/A, ${source.name}: 95 % credible intervals without 0, %`,
  run: (experiments, random) =>
    percentage(experiments, () => {
      const effect = effectBetween(sample(source, random), sample(source, random), source.estimand)
      return effect !== undefined && excludesZero(posteriorOf(effect).interval)
    }),
  least: 4.4,
  most: 5.6,
})

const looks = 50

const sequentialFalsePositives = (source: MetricSource): Simulation => ({
  name: `A/A, ${source.name}: ever significant in ${looks} looks, %`,
  run: (experiments, random) =>
    percentage(experiments, () => {
      let [control, treatment]: Moments[] = []
      for (let look = 0; look < looks; look++) {
        control = mergeMoments([
          ...(control ? [control] : []),
          sample(source, random, { size: source.units / 10 }),
        ])
        treatment = mergeMoments([
          ...(treatment ? [treatment] : []),
          sample(source, random, { size: source.units / 10 }),
        ])
        const effect = effectBetween(control, treatment, source.estimand)
        if (effect && sequentialTest(effect).p < 0.05) return true
      }
      return false
    }),
  least: 0,
  most: 5,
})

const trueLift = 0.1

const coverage = (source: MetricSource): Simulation => ({
  name: `An effect of 10 % on ${source.name}: 95 % intervals with the truth, %`,
  run: (experiments, random) =>
    percentage(experiments, () => {
      const control = sample(source, random)
      const effect = effectBetween(control, sample(source, random, { lift: trueLift }), source.estimand)
      if (!effect) return true
      const { low, high } = welchTest(effect).interval
      const truth = trueLift * source.value
      return low <= truth && truth <= high
    }),
  least: 94.4,
  most: 95.6,
})

const mismatchAlarms: Simulation = {
  name: 'A fair split: alarms of a mismatch, %',
  run: (experiments, random) =>
    percentage(experiments, () => {
      let control = 0
      for (let i = 0; i < 1000; i++) control += random() < 0.5 ? 1 : 0
      return sampleRatioTest([control, 1000 - control], [50, 50]).p < 0.001
    }),
  least: 0,
  most: 0.22,
}

const plannedEffect = 0.2

/** The planner says how many units find an effect of 20 % with a probability of 80 %. */
const plannedPower: Simulation = {
  name: 'The planned size: the planned effect is found, %',
  run: (experiments, random) => {
    const source = share(0.1, 0)
    const plan = { baseline: { mean: 0.1, variance: 0.09 }, effect: plannedEffect, alpha: 0.05 }
    const units = Math.ceil(unitsNeeded(plan, 0.8))
    if (Math.abs(powerOf({ ...plan, units }) - 0.8) > 0.001) return Number.NaN
    return percentage(experiments, () => {
      const control = sample(source, random, { size: units })
      const treatment = sample(source, random, { size: units, lift: plannedEffect })
      const outcome = estimateEffect(control, treatment, {
        estimand: { kind: 'proportion' },
        scale: 'relative',
      })
      return outcome.done && welchTest(outcome.effect).p < 0.05
    })
  },
  least: 78,
  most: 82,
}

/** Every simulation, the quick ones first. */
export const simulations: readonly Simulation[] = [
  mismatchAlarms,
  plannedPower,
  ...sources.map(falsePositives),
  ...sources.map(bayesianFalsePositives),
  ...sources.map(coverage),
  ...[share(0.1, 1000), ratio].map(sequentialFalsePositives),
  ...banditSimulations,
  ...verdictSimulations,
]
