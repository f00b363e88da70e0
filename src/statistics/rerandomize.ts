import type { Moments } from './moments'

/** Divides the same units into two arms by chance, again and again, and returns the moments of both arms. */
export interface Rerandomizer {
  readonly units: number
  readonly next: () => [control: Moments, treatment: Moments]
}

/**
 * Units with the same values are one group, for which only the number in the treatment is drawn: by exact coin tosses,
 * 32 in a random number. Most units of most metrics did nothing, which makes this many times faster.
 */
export function rerandomizer(columns: readonly ArrayLike<number>[], seed: number): Rerandomizer {
  const units = columns[0]?.length ?? 0
  const width = columns.length
  const centers = columns.map((column) => meanOf(column, units))
  const groups = groupsOf(columns, units)
  const statistics = width + (width * (width + 1)) / 2
  const table = statisticsTable(groups, centers, statistics)
  const totals = weightedSums(table, statistics, groups.counts)
  const toss = coinTosses(seed)
  const taken = new Float64Array(groups.counts.length)
  return {
    units,
    next: () => {
      let inTreatment = 0
      for (let group = 0; group < taken.length; group++) {
        const heads = toss(groups.counts[group] ?? 0)
        taken[group] = heads
        inTreatment += heads
      }
      const sums = weightedSums(table, statistics, taken)
      const rest = totals.map((total, i) => total - (sums[i] ?? 0))
      return [momentsOfSums(units - inTreatment, rest, centers), momentsOfSums(inTreatment, sums, centers)]
    },
  }
}

function meanOf(column: ArrayLike<number>, units: number): number {
  let sum = 0
  for (let i = 0; i < units; i++) sum += column[i] ?? 0
  return units === 0 ? 0 : sum / units
}

interface UnitGroups {
  rows: readonly (readonly number[])[]
  counts: readonly number[]
}

function groupsOf(columns: readonly ArrayLike<number>[], units: number): UnitGroups {
  const indexes = new Map<string, number>()
  const rows: number[][] = []
  const counts: number[] = []
  for (let unit = 0; unit < units; unit++) {
    const row = columns.map((column) => column[unit] ?? 0)
    const key = row.join()
    const known = indexes.get(key)
    if (known === undefined) {
      indexes.set(key, rows.length)
      rows.push(row)
      counts.push(1)
    } else counts[known] = (counts[known] ?? 0) + 1
  }
  return { rows, counts }
}

/** Returns each group's values less the means, and their products: sums of them keep their precision. */
function statisticsTable({ rows }: UnitGroups, centers: readonly number[], width: number): Float64Array {
  const table = new Float64Array(rows.length * width)
  rows.forEach((row, group) => {
    const values = row.map((value, i) => value - (centers[i] ?? 0))
    const products = values.flatMap((value, i) => values.slice(i).map((other) => value * other))
    table.set([...values, ...products], group * width)
  })
  return table
}

function weightedSums(table: Float64Array, width: number, weights: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(width)
  for (let group = 0; group < weights.length; group++) {
    const weight = weights[group] ?? 0
    if (weight === 0) continue
    const from = group * width
    for (let i = 0; i < width; i++) sums[i] = (sums[i] ?? 0) + weight * (table[from + i] ?? 0)
  }
  return sums
}

function momentsOfSums(n: number, sums: Float64Array, centers: readonly number[]): Moments {
  const width = centers.length
  const sum = (i: number) => sums[i] ?? 0
  const product = (i: number, j: number) => sums[width + i * width - (i * (i - 1)) / 2 + (j - i)] ?? 0
  const indexes = centers.map((_, i) => i)
  const size = Math.max(1, n)
  return {
    n,
    means: centers.map((center, i) => center + sum(i) / size),
    deviations: indexes.map((i) =>
      indexes.map((j) => product(Math.min(i, j), Math.max(i, j)) - (sum(i) * sum(j)) / size),
    ),
  }
}

/** Returns how many of a number of fair coins show heads. */
function coinTosses(seed: number): (coins: number) => number {
  const random = randomWords(seed)
  let [bits, left] = [0, 0]
  const some = (coins: number): number => {
    if (left < coins) [bits, left] = [random(), 32]
    const drawn = coins === 32 ? bits : bits & ((1 << coins) - 1)
    bits = coins === 32 ? 0 : bits >>> coins
    left -= coins
    return onesIn(drawn)
  }
  return (coins) => {
    let heads = 0
    for (let rest = coins; rest > 0; rest -= 32) heads += some(Math.min(32, rest))
    return heads
  }
}

function onesIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The generator sfc32 of C. Doty-Humphrey’s PractRand: 32 random bits at each call. */
function randomWords(seed: number): () => number {
  let [a, b, c, counter] = [seed | 0, 0x9e3779b9 | 0, 0x243f6a88, 1]
  const next = () => {
    const word = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + word
    c |= 0
    return word
  }
  for (let i = 0; i < 16; i++) next()
  return next
}
