import { describe, expect, test } from 'vitest'
import { seededRandom } from '#test/random/seeded-random'
import reference from '#test/vectors/statistics-reference.json' with { type: 'json' }
import { covariateFactor, type Effect, type Estimand, estimateEffect } from './effect'
import { welchTest } from './frequentist'
import { mergeMoments, type Moments, momentsOf } from './moments'
import { sequentialTest } from './sequential'

const random = seededRandom(20_261_123)
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

const effectOf = (
  control: Moments,
  treatment: Moments,
  options: { estimand?: Estimand; scale?: Effect['scale']; theta?: number } = {},
): Effect => {
  const outcome = estimateEffect(control, treatment, {
    estimand: { kind: 'mean' },
    scale: 'absolute',
    ...options,
  })
  if (!outcome.done) throw new Error(outcome.problem)
  return outcome.effect
}

const column = (values: readonly number[]): Moments => momentsOf(values.map((value) => [value]))

test.each(reference.welch.map((one, i) => [i, one] as const))('Welch’s test of sample %s', (_, sample) => {
  const effect = effectOf(column(sample.control), column(sample.treatment))
  const { p, interval } = welchTest(effect)
  const near = (value: number, expected: number) =>
    expect(Math.abs(value - expected)).toBeLessThan(1e-9 * Math.max(0.5, Math.abs(expected)))
  near(p, sample.p)
  near(effect.freedom, sample.freedom)
  near(interval.low, sample.interval[0] ?? NaN)
  near(interval.high, sample.interval[1] ?? NaN)
  near(welchTest(effect, { alternative: 'greater' }).p, sample.greater)
})

describe('invariances', () => {
  const units = (n: number, lift: number) =>
    Array.from({ length: n }, () => {
      const before = 5 + normal()
      return [before + lift + normal(), 2 + random(), before, 2 + random()]
    })
  const [control, treatment] = [units(400, 0), units(500, 0.3)]
  const metrics: [string, Estimand, number[]][] = [
    ['a mean', { kind: 'mean' }, [0]],
    ['a ratio', { kind: 'ratio' }, [0, 1]],
    ['an adjusted mean', { kind: 'mean', covariate: true }, [0, 2]],
    ['an adjusted ratio', { kind: 'ratio', covariate: true }, [0, 1, 2, 3]],
  ]
  const arm = (rows: readonly number[][], values: readonly number[]) =>
    momentsOf(rows.map((row) => values.map((i) => row[i] ?? 0)))

  describe.each(metrics)('of %s', (_, estimand, values) => {
    const [a, b] = [arm(control, values), arm(treatment, values)]
    const theta = estimand.covariate ? covariateFactor([a, b], estimand.kind) : 0

    test('the other arm as control turns the sign', () => {
      const there = effectOf(a, b, { estimand, theta })
      const back = effectOf(b, a, { estimand, theta })
      expect(back.value).toBeCloseTo(-there.value, 12)
      expect(back.standardError).toBeCloseTo(there.standardError, 12)
    })

    test('another unit of measure scales the difference and leaves the relative effect', () => {
      const inCents = (rows: readonly number[][]) =>
        rows.map(([m = 0, d = 0, x = 0, e = 0]) => [100 * m, d, 100 * x, e])
      const [scaledA, scaledB] = [arm(inCents(control), values), arm(inCents(treatment), values)]
      expect(effectOf(scaledA, scaledB, { estimand, theta }).value).toBeCloseTo(
        100 * effectOf(a, b, { estimand, theta }).value,
        9,
      )
      const relative = { estimand, theta, scale: 'relative' } as const
      expect(effectOf(scaledA, scaledB, relative).value).toBeCloseTo(effectOf(a, b, relative).value, 12)
      expect(effectOf(scaledA, scaledB, relative).standardError).toBeCloseTo(
        effectOf(a, b, relative).standardError,
        12,
      )
    })

    test('days that are merged give the result of the whole', () => {
      const days = (rows: readonly number[][]) =>
        mergeMoments([rows.slice(0, 7), rows.slice(7, 8), [], rows.slice(8)].map((day) => arm(day, values)))
      const whole = effectOf(a, b, { estimand, theta, scale: 'relative' })
      const merged = effectOf(days(control), days(treatment), { estimand, theta, scale: 'relative' })
      expect(merged.value).toBeCloseTo(whole.value, 12)
      expect(merged.standardError).toBeCloseTo(whole.standardError, 12)
      expect(merged.freedom).toBeCloseTo(whole.freedom, 6)
    })
  })

  test('behaviour before the exposure narrows the interval by its correlation', () => {
    const [a, b] = [arm(control, [0, 2]), arm(treatment, [0, 2])]
    const theta = covariateFactor([a, b], 'mean')
    const adjusted = effectOf(a, b, { estimand: { kind: 'mean', covariate: true }, theta })
    const plain = effectOf(arm(control, [0]), arm(treatment, [0]))
    expect(theta).toBeGreaterThan(0.9)
    expect(theta).toBeLessThan(1.1)
    // the behaviour before explains half of the variance
    expect((adjusted.standardError / plain.standardError) ** 2).toBeCloseTo(0.5, 1)
  })
})

test('values of a thousand million keep their variance', () => {
  const deviations = [0, 1, 2, 3, 4]
  const large = column(deviations.map((one) => 1e9 + one))
  const merged = mergeMoments(deviations.map((one) => column([1e9 + one])))
  expect(large.deviations[0]?.[0]).toBe(10)
  expect(merged.deviations[0]?.[0]).toBeCloseTo(10, 12)
})

test.each<[string, number[], number[], Effect['scale'], string]>([
  ['one unit', [1], [1, 2, 3], 'absolute', 'too-few-units'],
  ['no unit', [], [1, 2, 3], 'absolute', 'too-few-units'],
  ['values that are all alike', [2, 2, 2], [2, 2, 2], 'absolute', 'no-variance'],
  ['a control of nothing', [-1, 0, 1], [1, 2, 3], 'relative', 'zero-control'],
])('%s has no effect: %s', (_, control, treatment, scale, problem) => {
  const outcome = estimateEffect(column(control), column(treatment), { estimand: { kind: 'mean' }, scale })
  expect(outcome).toEqual({ done: false, problem })
})

test('a negative control keeps the direction of the relative effect', () => {
  const { value } = effectOf(column([-9, -10, -11]), column([-14, -15, -16]), { scale: 'relative' })
  expect(value).toBeCloseTo(-0.5, 12)
})

test('the interval for every look is wider than that for one', () => {
  const effect = effectOf(column([1, 2, 3, 4, 5, 6]), column([4, 5, 6, 7, 8, 9]))
  const [once, always] = [welchTest(effect), sequentialTest(effect, { tuning: 10 })]
  expect(always.interval.low).toBeLessThan(once.interval.low)
  expect(always.interval.high).toBeGreaterThan(once.interval.high)
  expect(always.p).toBeGreaterThan(once.p)
})
