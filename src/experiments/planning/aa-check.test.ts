import { describe, expect, test } from 'vitest'
import type { AnalysisSettings, ExperimentMetric } from '../experiment'
import { runAaCheck } from './aa-check'

const analysis: AnalysisSettings = {
  method: 'frequentist',
  decision: { rule: 'any-time' },
  level: 0.95,
  prior: undefined,
  lookbackDays: 14,
  smallestEffect: 0.1,
  power: 0.8,
  minimumUnits: 50,
}

const metric = (measured: object, more: Partial<ExperimentMetric> = {}): ExperimentMetric => ({
  id: 'orders',
  name: 'Orders',
  role: 'primary',
  goal: 'increase',
  margin: 5,
  // a part of what the API takes is enough for the analysis
  measured: { delayHours: 0, onlyComplete: false, ...measured } as ExperimentMetric['measured'],
  ...more,
})

const conversion = metric({ type: 'conversion', happening: { event: 'ordered' } })
const total = metric({ type: 'total', amount: { happening: { event: 'ordered' } } })
const ratio = metric({
  type: 'ratio',
  numerator: { happening: { event: 'ordered' } },
  denominator: { happening: { event: '$pageview' } },
})

const units = 4000
const column = (value: (i: number) => number) => Array.from({ length: units }, (_, i) => value(i))
/** Repeatable numbers between 0 and 1 without a pattern that matters here. */
const noise = (i: number, salt: number): number => {
  const x = Math.sin(i * 12.9898 + salt * 78.233) * 43_758.5453
  return x - Math.floor(x)
}
const shares = column((i) => (noise(i, 1) < 0.2 ? 1 : 0))
const sharesBefore = shares.map((value, i) => (noise(i, 2) < 0.8 ? value : 1 - value))
const amounts = column((i) => Math.floor(noise(i, 3) * 9))
const amountsBefore = amounts.map((value, i) => value + Math.floor(noise(i, 4) * 3))
const views = amounts.map((value, i) => 1 + value + Math.floor(noise(i, 5) * 5))

const run = (
  one: ExperimentMetric,
  columns: readonly (readonly (number | null)[])[],
  more: object = {},
  times = 300,
) => {
  const settings = { ...analysis, ...more }
  const input = { metrics: [one], analysis: settings, columns: [columns], times, seed: 42 }
  const [result] = runAaCheck(input, () => {}).metrics
  if (result?.state !== 'checked') throw new Error(`not checked: ${result?.reason}`)
  return result
}

describe('a method that keeps its promise', () => {
  test.each<[string, ExperimentMetric, number[][], object]>([
    ['a share', conversion, [shares], {}],
    ['a share, adjusted', conversion, [shares, sharesBefore], {}],
    ['a share, Bayesian', conversion, [shares, sharesBefore], { method: 'bayesian' }],
    ['a mean, adjusted', total, [amounts, amountsBefore], {}],
    ['a ratio', ratio, [amounts, views], {}],
    ['a ratio, adjusted', ratio, [amounts, views, amountsBefore, views], {}],
  ])('%s: a difference is found in one of twenty random divisions', (_, one, columns, more) => {
    const { falsePositives, finding } = run(one, columns, more, 1000)
    // three standard deviations of a binomial with 1,000 trials
    expect(falsePositives.rate).toBeGreaterThan(0.029)
    expect(falsePositives.rate).toBeLessThan(0.071)
    expect(falsePositives.low).toBeLessThan(falsePositives.rate)
    expect(finding).toBe('as-promised')
  })

  test('sequential intervals find less at a single look', () => {
    const { falsePositives, finding } = run(conversion, [shares], { method: 'sequential' })
    expect(falsePositives.rate).toBeLessThan(0.03)
    expect(finding).toBe('as-promised')
  })
})

test('the power that is found is the one that is planned', () => {
  const { power, plannedPower } = run(total, [amounts], { smallestEffect: 0.05 })
  expect(plannedPower).toBeGreaterThan(0.3)
  expect(plannedPower).toBeLessThan(0.97)
  expect(Math.abs(power.rate - (plannedPower ?? 0))).toBeLessThan(0.05)
})

test('a metric that should fall is found to fall', () => {
  const { power } = run({ ...total, goal: 'decrease' }, [amounts], { smallestEffect: 0.2 })
  expect(power.rate).toBeGreaterThan(0.95)
})

test('the adjustment explains variance, and finds more', () => {
  const adjusted = run(total, [amounts, amountsBefore], { smallestEffect: 0.05 })
  const plain = run(total, [amounts], { smallestEffect: 0.05 })
  expect(adjusted.varianceReduction).toBeGreaterThan(0.8)
  expect(plain.varianceReduction).toBeNull()
  expect(adjusted.power.rate).toBeGreaterThan(plain.power.rate + 0.2)
})

test('one value that is far too large hides every effect', () => {
  const heavy = amounts.map((value, i) => (i === 7 ? 1e9 : value))
  expect(run(total, [heavy]).power.rate).toBeLessThan(0.05)
})

test('the same seed finds the same', () => {
  expect(run(total, [amounts, amountsBefore])).toEqual(run(total, [amounts, amountsBefore]))
})

test.each<[string, ExperimentMetric, (number | null)[][], string]>([
  ['quantiles', metric({ type: 'quantile', level: 0.5, property: 'price' }), [], 'quantile'],
  ['too few units', conversion, [[1, 0, 1]], 'too-few-units'],
  ['units whose window is not over', conversion, [column(() => 0).map(() => null)], 'too-few-units'],
  ['what never happened', conversion, [column(() => 0)], 'no-value'],
  ['what is always the same', total, [column(() => 3)], 'no-variance'],
])('says why it does not check %s', (_, one, columns, reason) => {
  const input = { metrics: [one], analysis, columns: [columns], times: 10, seed: 1 }
  expect(runAaCheck(input, () => {}).metrics).toMatchObject([{ state: 'not-checked', reason }])
})

test('the progress rises to the whole', () => {
  const calls: number[] = []
  const input = { metrics: [conversion, total], analysis, columns: [[shares], [amounts]], times: 40, seed: 1 }
  runAaCheck(input, (share) => calls.push(share))
  expect(calls).toEqual([0.25, 0.5, 0.75, 1])
})
