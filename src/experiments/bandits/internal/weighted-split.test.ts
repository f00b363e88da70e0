import { expect, test } from 'vitest'
import { weightedSplit } from './weighted-split'

const phase = (control: number) => ({
  startedAt: new Date('2026-03-02T00:00:00Z'),
  weights: { control, test: 100 - control },
  hasFixedVariants: false,
})
const cell = (variant: string, at: number, versioned: number | undefined) => ({
  variant,
  phase: at,
  segment: '',
  day: '',
  units: 1000,
  ...(versioned !== undefined && { versioned }),
  metrics: [],
})
const variants = ['control', 'test']

test('each time is tested against its own weights', () => {
  const cells = [cell('control', 0, 500), cell('test', 0, 500), cell('control', 1, 100), cell('test', 1, 900)]
  expect(weightedSplit({ cells }, variants, [phase(50), phase(10)])).toMatchObject({
    p: 1,
    statistic: 0,
    units: 2000,
  })
})

test('a mismatch in one of the times is found', () => {
  const cells = [cell('control', 0, 500), cell('test', 0, 500), cell('control', 1, 160), cell('test', 1, 840)]
  const split = weightedSplit({ cells }, variants, [phase(50), phase(10)])
  // (160 − 100)² / 100 + (840 − 900)² / 900, with two degrees of freedom: exp(−20)
  expect(split?.statistic).toBeCloseTo(40, 10)
  expect(split?.p).toBeCloseTo(Math.exp(-20), 12)
  expect(split?.largestDeviation).toBeCloseTo(0.1, 10)
})

test('units whose exposure names no version are not tested, nor times with too few', () => {
  const cells = [
    cell('control', 0, undefined),
    cell('test', 0, undefined),
    cell('control', 1, 20),
    cell('test', 1, 20),
  ]
  expect(weightedSplit({ cells }, variants, [phase(50), phase(10)])).toBeUndefined()
})
