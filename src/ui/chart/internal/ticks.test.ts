import { describe, expect, test } from 'vitest'
import type { Unit } from '#ui/format'
import { labelsThatFit, ticks } from './ticks'

describe('an axis', () => {
  test.each<[about: string, amounts: number[], unit: Unit, at: number[]]>([
    ['is round above and begins at zero', [520, 1680], 'number', [0, 500, 1000, 1500, 2000]],
    ['has zero inside when there is both', [120, -160], 'number', [-200, -100, 0, 100, 200]],
    ['ends at zero when all is below', [-3, -7], 'number', [-8, -6, -4, -2, 0]],
    ['counts in whole numbers when all are whole', [1, 2], 'number', [0, 1, 2]],
    ['counts in parts when they are parts', [0.3], 'number', [0, 0.1, 0.2, 0.3]],
    ['knows huge', [1.3e12], 'number', [0, 5e11, 1e12, 1.5e12]],
    ['knows tiny', [0.00023], 'number', [0, 0.0001, 0.0002, 0.0003]],
    ['of ratios may be finer than whole', [1], 'percent', [0, 0.5, 1]],
    ['of seconds has steps that clocks have', [83], 'seconds', [0, 30, 60, 90]],
    ['of hours too', [40_000], 'seconds', [0, 10_800, 21_600, 32_400, 43_200]],
    ['of milliseconds too', [9000], 'milliseconds', [0, 5000, 10_000]],
    ['of milliseconds below a second is round', [340], 'milliseconds', [0, 100, 200, 300, 400]],
    ['of nothing but zero still has a height', [0, 0], 'number', [0, 1]],
    ['of nothing at all too', [], 'number', [0, 1]],
    ['leaves out what is no number', [NaN, Infinity, 4], 'number', [0, 1, 2, 3, 4]],
  ])('%s', (_, amounts, unit, at) => {
    expect(ticks(amounts, unit).at).toEqual(at)
  })

  test('always holds every amount, zero, and at most a handful of lines', () => {
    for (let power = -6; power <= 14; power++) {
      for (const factor of [1, 1.01, 3.3, 9.99]) {
        const high = factor * 10 ** power
        const { min, max, at } = ticks([high, -high / 3])
        expect(min).toBeLessThanOrEqual(-high / 3)
        expect(max).toBeGreaterThanOrEqual(high)
        expect(at).toContain(0)
        expect(at.length).toBeLessThanOrEqual(8)
      }
    }
  })
})

describe('labels along an axis', () => {
  const days = Array.from({ length: 30 }, (_, place) => `${place + 1} Nov`)
  const shown = (labels: string[], width: string) =>
    labelsThatFit(labels)
      .filter(({ widthClasses }) => widthClasses.some((one) => one === width))
      .map(({ index }) => index)

  test('are fewer where there is less room, and evenly apart', () => {
    expect(shown(days, 'narrow')).toEqual([0, 7, 14, 21, 28])
    expect(shown(days, 'medium')).toEqual([0, 5, 10, 15, 20, 25])
    expect(shown(days, 'wide')).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24, 27])
  })

  test('are all shown when they are few, however long', () => {
    expect(shown(['a'.repeat(400), 'b', 'c'], 'narrow')).toEqual([0, 1, 2])
  })

  test('never collide, of a thousand as of eight', () => {
    for (const count of [8, 24, 90, 365, 1000]) {
      const labels = Array.from({ length: count }, () => '21 Nov 2026')
      expect(shown(labels, 'narrow').length).toBeLessThanOrEqual(3)
      expect(shown(labels, 'wide').length).toBeGreaterThanOrEqual(3)
    }
  })
})
