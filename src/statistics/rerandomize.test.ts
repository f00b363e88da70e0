import { describe, expect, test } from 'vitest'
import { estimateEffect } from './effect'
import { welchTest } from './frequentist'
import { mergeMoments, momentsOf } from './moments'
import { rerandomizer } from './rerandomize'

const units = 4000
/** Two values that go together, one of them mostly 0, as revenue before and after. */
const before = Array.from({ length: units }, (_, i) => (i % 5 === 0 ? (i * 7919) % 1000 : 0))
const after = before.map((value, i) => value / 2 + (i % 11 === 0 ? (i * 104_729) % 300 : 0))

describe('units are divided by chance', () => {
  test('both arms together are all units', () => {
    const { next } = rerandomizer([after, before], 1)
    const all = momentsOf(after.map((value, i) => [value, before[i] ?? 0]))
    for (let i = 0; i < 5; i++) {
      const merged = mergeMoments(next())
      expect(merged.n).toBe(units)
      expect(merged.means[0]).toBeCloseTo(all.means[0] ?? 0, 9)
      for (const [row, column] of [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ] as const)
        expect(merged.deviations[row]?.[column]).toBeCloseTo(all.deviations[row]?.[column] ?? 0, 3)
    }
  })

  test('the same seed divides in the same way, another in another', () => {
    const sizes = (seed: number) => {
      const { next } = rerandomizer([after], seed)
      return [next(), next(), next()].map(([, { n }]) => n)
    }
    expect(sizes(7)).toEqual(sizes(7))
    expect(sizes(7)).not.toEqual(sizes(8))
  })

  test('an arm has half of the units, with the deviation of fair coins', () => {
    const { next } = rerandomizer([after], 3)
    const sizes = Array.from({ length: 2000 }, () => next()[1].n)
    const { means, deviations } = momentsOf(sizes.map((size) => [size]))
    expect(Math.abs((means[0] ?? 0) - units / 2)).toBeLessThan(4 * Math.sqrt(units / 4 / 2000))
    const variance = (deviations[0]?.[0] ?? 0) / 1999
    expect(variance / (units / 4)).toBeGreaterThan(0.85)
    expect(variance / (units / 4)).toBeLessThan(1.15)
  })

  test('means of the arms vary as two random halves do', () => {
    const { next } = rerandomizer([after], 11)
    const all = momentsOf(after.map((value) => [value]))
    const differences = Array.from({ length: 2000 }, () => {
      const [control, treatment] = next()
      return [(treatment.means[0] ?? 0) - (control.means[0] ?? 0)]
    })
    const seen = momentsOf(differences)
    const expected = (4 * (all.deviations[0]?.[0] ?? 0)) / (units - 1) / units
    expect((seen.deviations[0]?.[0] ?? 0) / 1999 / expected).toBeGreaterThan(0.85)
    expect((seen.deviations[0]?.[0] ?? 0) / 1999 / expected).toBeLessThan(1.15)
  })
})

test('Welch’s test finds an effect in 5 % of divisions without one', () => {
  const { next } = rerandomizer([after], 5)
  let found = 0
  for (let i = 0; i < 4000; i++) {
    const [control, treatment] = next()
    const outcome = estimateEffect(control, treatment, { estimand: { kind: 'mean' }, scale: 'absolute' })
    if (outcome.done && welchTest(outcome.effect).p < 0.05) found += 1
  }
  // four standard deviations of a binomial with 4,000 trials
  expect(found / 4000).toBeGreaterThan(0.036)
  expect(found / 4000).toBeLessThan(0.064)
})

test('without units there is nothing to divide', () => {
  expect(rerandomizer([[]], 1).next()).toEqual([
    { n: 0, means: [0], deviations: [[0]] },
    { n: 0, means: [0], deviations: [[0]] },
  ])
})
