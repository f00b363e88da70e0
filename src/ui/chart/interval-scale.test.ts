import { expect, test } from 'vitest'
import { intervalScale } from './interval-scale'

test('intervals of one scale lie where their amounts are, and 0 is on it', () => {
  const scale = intervalScale([
    { value: 0.15, low: 0.1, high: 0.2 },
    { value: 0.05, low: -0.1, high: 0.2 },
  ])
  expect(scale.min).toBe(-0.1)
  expect(scale.max).toBe(0.2)
  expect(scale.at).toContain(0)
  expect(scale.position(-0.1)).toBe(0)
  expect(scale.position(0.05)).toBe(50)
  expect(scale.position(0.2)).toBe(100)
})

test('a margin is on the scale too', () => {
  expect(intervalScale([{ value: 0.01, low: 0, high: 0.02 }], [-0.05]).min).toBeLessThanOrEqual(-0.05)
})

test('an interval far wider than the others is cut off, and never its estimate', () => {
  const narrow = { value: 0.02, low: -0.01, high: 0.05 }
  const wide = { value: 0.4, low: -9, high: 12 }
  const scale = intervalScale([narrow, narrow, narrow, wide])
  expect(scale.max).toBeLessThan(1)
  expect(scale.max).toBeGreaterThanOrEqual(0.4)
  expect(scale.position(12)).toBe(100)
  expect(scale.position(-9)).toBe(0)
})

test('without intervals there is a scale', () => {
  const scale = intervalScale([])
  expect(scale.position(0)).toBe(0)
  expect(scale.max).toBeGreaterThan(scale.min)
})
