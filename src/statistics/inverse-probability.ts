import { type Moments, noMoments } from './moments'

/** The units of one arm in a time of constant weights, and the probability with which a unit got that arm. */
export interface WeightedUnits {
  moments: Moments
  probability: number
}

/** The moments of an arm as if every unit had had the same probability of it. */
export interface WeightedMoments {
  /** The moments of a sample of the same size whose means have the variance of the weighted ones. */
  moments: Moments
  /** The number of units of equal weights that would say as much. */
  effectiveUnits: number
}

/** The fewest units of an arm in a stratum; with fewer, a mean of weighted units is biased. */
const fewestInStratum = 50

/**
 * The means of arms whose weights moved, each unit weighted by the inverse of its probability (J. Hájek, 1971).
 *
 * Times with other weights are strata, so that a trend over time is the same for all arms: a stratum counts by the units
 * of all arms in it. Where an arm has few units in a time, that time and the next are one stratum, within which units
 * are weighted. The variance is that of the linearized weighted mean. `arms` have the same times, in their order.
 */
export function inverseProbabilityMoments(arms: readonly (readonly WeightedUnits[])[]): WeightedMoments[] {
  const width = arms[0]?.[0]?.moments.means.length ?? 0
  const strata = strataOf(arms)
  const unitsIn = (stratum: readonly number[]) =>
    stratum.reduce((sum, time) => sum + arms.reduce((all, own) => all + (own[time]?.moments.n ?? 0), 0), 0)
  const whole = strata.reduce((sum, stratum) => sum + unitsIn(stratum), 0)
  return arms.map((own) =>
    combined(
      strata.map((stratum) => ({
        share: whole === 0 ? 0 : unitsIn(stratum) / whole,
        arm: weightedArm(stratum.flatMap((time) => own[time] ?? [])),
      })),
      width,
    ),
  )
}

/** The times of each stratum. A time without a chance of some arm compares nothing. */
function strataOf(arms: readonly (readonly WeightedUnits[])[]): number[][] {
  const times = Array.from({ length: arms[0]?.length ?? 0 }, (_, time) => time).filter((time) =>
    arms.every((own) => (own[time]?.probability ?? 0) > 0),
  )
  const isFilled = (stratum: readonly number[]) =>
    arms.every(
      (own) => stratum.reduce((sum, time) => sum + (own[time]?.moments.n ?? 0), 0) >= fewestInStratum,
    )
  const strata: number[][] = []
  let open: number[] = []
  for (const time of times) {
    open = [...open, time]
    if (!isFilled(open)) continue
    strata.push(open)
    open = []
  }
  const last = strata.pop()
  return [...strata, ...(last || open.length > 0 ? [[...(last ?? []), ...open]] : [])]
}

interface WeightedArm {
  n: number
  means: readonly number[]
  /** The covariances of the means. */
  covariances: readonly (readonly number[])[]
  effectiveUnits: number
}

function weightedArm(times: readonly WeightedUnits[]): WeightedArm {
  const filled = times.filter(({ moments }) => moments.n > 0)
  const [first] = filled
  if (!first) return { n: 0, means: [], covariances: [], effectiveUnits: 0 }
  const total = (of: (time: WeightedUnits) => number) => filled.reduce((sum, time) => sum + of(time), 0)
  const n = total(({ moments }) => moments.n)
  const weight = total(({ moments, probability }) => moments.n / probability)
  const squares = total(({ moments, probability }) => moments.n / probability ** 2)
  const means = first.moments.means.map(
    (_, i) =>
      total(({ moments, probability }) => (moments.n * (moments.means[i] ?? 0)) / probability) / weight,
  )
  const shift = ({ moments }: WeightedUnits, i: number) => (moments.means[i] ?? 0) - (means[i] ?? 0)
  const effectiveUnits = weight ** 2 / squares
  const correction = effectiveUnits > 1 ? effectiveUnits / (effectiveUnits - 1) : 0
  const covariances = first.moments.deviations.map((row, i) =>
    row.map(
      (_, j) =>
        (correction *
          total(
            (time) =>
              ((time.moments.deviations[i]?.[j] ?? 0) + time.moments.n * shift(time, i) * shift(time, j)) /
              time.probability ** 2,
          )) /
        weight ** 2,
    ),
  )
  return { n, means, covariances, effectiveUnits }
}

function combined(strata: readonly { share: number; arm: WeightedArm }[], width: number): WeightedMoments {
  const n = strata.reduce((sum, { arm }) => sum + arm.n, 0)
  if (n === 0) return { moments: noMoments(width), effectiveUnits: 0 }
  const indexes = Array.from({ length: width }, (_, i) => i)
  const total = (of: (stratum: { share: number; arm: WeightedArm }) => number) =>
    strata.reduce((sum, stratum) => sum + of(stratum), 0)
  return {
    moments: {
      n,
      means: indexes.map((i) => total(({ share, arm }) => share * (arm.means[i] ?? 0))),
      deviations: indexes.map((i) =>
        indexes.map(
          (j) => n * (n - 1) * total(({ share, arm }) => share ** 2 * (arm.covariances[i]?.[j] ?? 0)),
        ),
      ),
    },
    effectiveUnits:
      1 / total(({ share, arm }) => (arm.effectiveUnits > 0 ? share ** 2 / arm.effectiveUnits : 0)),
  }
}
