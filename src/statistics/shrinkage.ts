/** A number with the standard error with which it is known. */
export interface UncertainValue {
  value: number
  standardError: number
}

/** Measured effects, drawn towards what all of them have in common. */
export interface Shrinkage {
  /** The mean of the effects that these are a sample of. */
  mean: UncertainValue
  /** The standard deviation between true effects. */
  spread: number
  /** The sum of the true effects with these indexes, however they were chosen. One of them alone is its shrunk effect. */
  sumOf: (indexes: readonly number[]) => UncertainValue
}

/** Fewer effects leave their spread open: every estimate of it would be the assumption. */
const fewestEffects = 3

/** The sum of independent numbers as they were measured. */
export const measuredSum = (effects: readonly UncertainValue[]): UncertainValue => ({
  value: effects.reduce((sum, { value }) => sum + value, 0),
  standardError: Math.hypot(...effects.map(({ standardError }) => standardError)),
})

/** The probability of a spread, and what follows from it. */
interface PossibleSpread {
  weight: number
  spread: number
  mean: number
  meanVariance: number
}

const gridSize = 300

/**
 * Shrinks effects by the normal model of meta-analyses: true effects vary normally around a mean, and each is measured
 * with a normal error. Of effects that were chosen because they looked large, the measured ones are too large and the
 * shrunk ones are not. Mean and spread are learned from the effects themselves, with no opinion beforehand, and every
 * spread counts by its probability. The moment estimate of the spread alone (Paule and Mandel) says too much: 95 %
 * intervals of the sum of the best quarter held the truth in 82 to 94 % of simulated programmes, and with all spreads in
 * 94 to 98 %. A. Gelman and others, Bayesian Data Analysis, third edition, 2013, section 5.4. Undefined for fewer than three.
 */
export function shrink(effects: readonly UncertainValue[]): Shrinkage | undefined {
  if (effects.length < fewestEffects) return undefined
  const possible = possibleSpreads(effects)
  const average = (of: (one: PossibleSpread) => number) =>
    possible.reduce((sum, one) => sum + one.weight * of(one), 0)
  const mixed = (of: (one: PossibleSpread) => { value: number; variance: number }): UncertainValue => {
    const value = average((one) => of(one).value)
    const variance = average((one) => of(one).variance + (of(one).value - value) ** 2)
    return { value, standardError: Math.sqrt(variance) }
  }
  return {
    mean: mixed(({ mean, meanVariance }) => ({ value: mean, variance: meanVariance })),
    spread: average(({ spread }) => spread),
    sumOf: (indexes) => {
      const chosen = indexes.flatMap((index) => effects[index] ?? [])
      return mixed((one) => sumAt(one, chosen))
    },
  }
}

/** The sum of some true effects if the spread were this one: their errors are independent, but for the mean’s. */
function sumAt(
  { spread, mean, meanVariance }: PossibleSpread,
  chosen: readonly UncertainValue[],
): { value: number; variance: number } {
  let [value, variance, fromMean] = [0, 0, 0]
  for (const { value: measured, standardError } of chosen) {
    const toMean = standardError ** 2 / (standardError ** 2 + spread ** 2)
    value += toMean * mean + (1 - toMean) * measured
    variance += (1 - toMean) * standardError ** 2
    fromMean += toMean
  }
  return { value, variance: variance + fromMean ** 2 * meanVariance }
}

/** Spreads from 0 to infinity, as `scale · t / (1 − t)` with `t` in equal steps. */
function possibleSpreads(effects: readonly UncertainValue[]): PossibleSpread[] {
  const scale = Math.sqrt(scaleSquared(effects))
  const possible = Array.from({ length: gridSize }, (_, i) => {
    const t = (i + 0.5) / gridSize
    const spread = (scale * t) / (1 - t)
    const { logProbability, ...known } = knownWith(spread, effects)
    return { spread, ...known, log: logProbability - 2 * Math.log(1 - t) }
  })
  const largest = Math.max(...possible.map(({ log }) => log))
  const whole = possible.reduce((sum, { log }) => sum + Math.exp(log - largest), 0)
  return possible.map(({ log, ...one }) => ({ ...one, weight: Math.exp(log - largest) / whole }))
}

function scaleSquared(effects: readonly UncertainValue[]): number {
  const mean = measuredSum(effects).value / effects.length
  return (
    effects.reduce((sum, { value, standardError }) => sum + (value - mean) ** 2 + standardError ** 2, 0) /
    effects.length
  )
}

/** The mean if the spread were this one, and the probability of that, but for a factor: equation 5.21. */
function knownWith(spread: number, effects: readonly UncertainValue[]) {
  const weighted = effects.map(({ value, standardError }) => ({
    value,
    weight: 1 / (standardError ** 2 + spread ** 2),
  }))
  const whole = weighted.reduce((sum, { weight }) => sum + weight, 0)
  const mean = weighted.reduce((sum, { value, weight }) => sum + weight * value, 0) / whole
  const logProbability = weighted.reduce(
    (sum, { value, weight }) => sum + (Math.log(weight) - weight * (value - mean) ** 2) / 2,
    -Math.log(whole) / 2,
  )
  return { mean, meanVariance: 1 / whole, logProbability }
}
