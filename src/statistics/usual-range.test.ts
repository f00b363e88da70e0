import { describe, expect, test } from 'vitest'
import { seededRandom } from '#test/random/seeded-random'
import { isUsual, leastWeeks, usualRange } from './usual-range'

const weeks = 8

type Random = () => number

/** A normal number, by Box and Muller. */
const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** A Poisson count: by its arrivals, or nearly so where there are many. */
function poisson(random: Random, mean: number): number {
  if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)))
  let arrivals = -1
  for (let passed = 0; passed < mean; arrivals++) passed += -Math.log(1 - random())
  return Math.max(0, arrivals)
}

/** A count of a week whose mean itself varies by such a share from week to week. */
const overdispersed = (random: Random, mean: number, spread: number): number =>
  poisson(random, mean * Math.exp(spread * normal(random) - spread ** 2 / 2))

const history = (count: number, week: () => number): number[] => Array.from({ length: count }, week)

/** The share of quiet weeks in which at least one of a project’s numbers is unusual. */
function falseAlarms(random: Random, means: readonly number[], spread: number): number {
  const projects = 4000
  let alarms = 0
  for (let i = 0; i < projects; i++) {
    const isUnusual = means.some((mean) => {
      const week = () => overdispersed(random, mean, spread)
      const range = usualRange(history(weeks, week), { level: 0.04 / means.length })
      return range && !isUsual(week(), range)
    })
    if (isUnusual) alarms++
  }
  return alarms / projects
}

describe('of quiet weeks, at most 5 % have an unusual number', () => {
  const one = [4000]
  const several = [4000, 900, 300, 120, 40, 12, 3]
  const many = [4000, ...Array.from({ length: 24 }, (_, i) => 5 + 20 * i)]
  test.each([
    { name: 'one number, by chance alone', means: one, spread: 0 },
    { name: 'seven numbers, by chance alone', means: several, spread: 0 },
    { name: 'seven numbers that vary by 10 %', means: several, spread: 0.1 },
    { name: 'seven numbers that vary by 30 %', means: several, spread: 0.3 },
    { name: '25 numbers that vary by 20 %', means: many, spread: 0.2 },
  ])('$name', ({ means, spread }) => {
    // 4,000 weeks of 5 % have a standard error of 0.34 %
    expect(falseAlarms(seededRandom(7), means, spread)).toBeLessThan(0.06)
  })
})

/** The share of weeks of such a change that are unusual, among seven numbers. */
function found(random: Random, mean: number, spread: number, factor: number): number {
  const projects = 1000
  let alarms = 0
  for (let i = 0; i < projects; i++) {
    const range = usualRange(
      history(weeks, () => overdispersed(random, mean, spread)),
      { level: 0.04 / 7 },
    )
    if (range && !isUsual(overdispersed(random, mean * factor, spread), range)) alarms++
  }
  return alarms / projects
}

test.each([
  // mean  spread  factor  at least
  [4000, 0.05, 1.36, 0.9],
  [400, 0, 1.36, 0.9],
  [400, 0.05, 1.36, 0.6],
  [4000, 0.1, 0.5, 0.85],
  [40, 0, 3, 0.95],
])('a number of about %d that varies by %d and changes by the factor %d is found', (...wanted) => {
  const [mean, spread, factor, least] = wanted
  expect(found(seededRandom(7), mean, spread, factor)).toBeGreaterThanOrEqual(least)
})

test('too few weeks have no range', () => {
  expect(usualRange([10, 11, 9, 10], { level: 0.05 })).toBeUndefined()
  expect(usualRange([10, 11, 9, 10, 10], { level: 0.05 })).toMatchObject({ weeks: leastWeeks })
})

test('a launch among the weeks before does not make a later one usual', () => {
  const quiet = [1000, 1020, 980, 1010, 990, 1005, 1000]
  const range = usualRange([...quiet, 9000], { level: 0.01 })
  expect(range).toMatchObject({ weeks: 7 })
  expect(range?.high).toBeLessThan(1200)
})

test('steady numbers have a range of a tenth, and a number that grows each week is usual', () => {
  const range = usualRange(
    Array.from({ length: 8 }, () => 1_000_000),
    { level: 0.01 },
  )
  expect(range?.low).toBeCloseTo(900_000, -1)
  expect(range?.high).toBeCloseTo(1_100_000, -1)
  const growing = usualRange(
    Array.from({ length: 8 }, (_, i) => 1000 * 1.06 ** i),
    { level: 0.01 },
  )
  expect(growing && isUsual(1000 * 1.06 ** 8, growing)).toBe(true)
})

test('the range of money is as wide as that of the orders it comes from', () => {
  const orders = [20, 22, 18, 21, 19, 20, 20, 20]
  const counts = usualRange(orders, { level: 0.01 })
  const cents = usualRange(
    orders.map((count) => count * 5000),
    { level: 0.01, unit: 5000 },
  )
  expect(cents?.low).toBeCloseTo((counts?.low ?? 0) * 5000)
  expect(cents?.high).toBeCloseTo((counts?.high ?? 0) * 5000)
})
