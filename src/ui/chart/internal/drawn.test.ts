import { describe, expect, test } from 'vitest'
import type { Amount } from '../chart'
import { alongBands, alongLine, amountsOf, upAxis } from './axis'
import { barBox } from './Bars'
import { markedPlaces } from './Lines'
import { shapeAt, textureAt } from './series-style'
import { barsPath, linePath } from './path'
import { describeChart as inWords, chartTableOf } from './chart-table'
import { fromZero, stack } from './stack'

describe('a line', () => {
  const axis = upAxis([0, 10])

  test.each<[about: string, values: Amount[], path: string]>([
    ['goes from edge to edge', [0, 5, 10], 'M0,100L50,50L100,0'],
    ['breaks where nothing is known', [10, null, 0, 0], 'M0,0ZM66.67,100L100,100'],
    ['of one point is in the middle', [5], 'M50,50Z'],
    ['of nothing is nothing', [null, NaN], ''],
  ])('%s', (_, values, path) => {
    expect(linePath(values, alongLine(values.length), axis)).toBe(path)
  })

  test('holds each amount until the next point, where it is of steps', () => {
    expect(linePath([0, 10, 5], alongLine(3), axis, { holds: true })).toBe('M0,100L50,100L50,0L100,0L100,50')
  })

  test('has at most two decimals anywhere, so that server and browser write the same', () => {
    const values = Array.from({ length: 97 }, (_, place) => Math.sin(place) * 1e7)
    const path = linePath(values, alongLine(97), upAxis(values))
    expect(path).not.toMatch(/\d\.\d{3}/)
    expect(path).not.toMatch(/e-?\d|NaN|Infinity/)
  })

  test('is marked here and there when there are others, and where a point stands alone', () => {
    const many = Array.from({ length: 70 }, () => 1)
    expect(markedPlaces(many, 0, 1)).toEqual([])
    expect(markedPlaces(many, 0, 2)).toEqual([0, 10, 20, 30, 40, 50, 60])
    expect(markedPlaces(many, 1, 2)).toEqual([5, 15, 25, 35, 45, 55, 65])
    expect(markedPlaces([3, null, 5, 6, null, 4], 0, 1)).toEqual([0, 5])
  })
})

test('a number with an interval is read with it, and the axis holds it', () => {
  const series = [{ key: 'nps', label: 'NPS', values: [20, null], bounds: [[-40, 70] as const, null] }]
  const axis = upAxis(amountsOf(series))
  expect([axis.min, axis.max]).toEqual([-50, 100])
  const points = [{ label: 'Mon' }, { label: 'Tue' }]
  const { rows } = chartTableOf({ points, series, along: alongLine(2), axis })
  expect(rows.map(({ cells }) => cells.map(({ text }) => text))).toEqual([['20 (−40 to 70)'], ['–']])
})

describe('bars', () => {
  test('stand on zero, upwards and downwards', () => {
    const axis = upAxis([-10, 10])
    const path = barsPath(fromZero([10, -10]), barBox(alongBands(2), 0), axis)
    expect(path).toBe('M18,0h14v50h-14ZM68,50h14v50h-14Z')
  })

  test('stack apart above and below zero', () => {
    expect(stack([[3], [-2], [4], [-1], [null]])).toEqual([
      [{ from: 0, to: 3 }],
      [{ from: 0, to: -2 }],
      [{ from: 3, to: 7 }],
      [{ from: -2, to: -3 }],
      [null],
    ])
  })

  test.each([1, 5, 30, 1000])('of %i points side by side stay in their bands', (count) => {
    const along = alongBands(count)
    for (const place of [0, 1, 2]) {
      const { left, width } = barBox(along, place, 3)(count - 1)
      expect(left).toBeGreaterThanOrEqual(100 - along.band - 0.02)
      expect(left + width).toBeLessThanOrEqual(100.02)
    }
  })
})

test('series are told apart without colour: eight have eight shapes and eight textures', () => {
  const eight = Array.from({ length: 8 }, (_, place) => place)
  expect(new Set(eight.map(shapeAt)).size).toBe(8)
  expect(new Set(eight.map(textureAt)).size).toBe(8)
})

describe('what is said', () => {
  const points = [
    { label: '20 Nov', title: 'Fri, 20 Nov 2026' },
    { label: '21 Nov', title: 'Sat, 21 Nov 2026', href: '/there' },
  ]
  const series = [{ key: 'v', label: 'Visitors', values: [1200, null], compared: [1000, 0], hrefs: ['/who'] }]
  const axis = upAxis([1200])

  test('is a row for each point, with where it is drawn and where it leads', () => {
    const before = { label: 'Before', points: [{ label: '21 Oct' }, { label: '22 Oct' }] }
    const table = chartTableOf({
      points,
      series,
      axis,
      along: alongLine(2),
      comparison: before,
      lastIsIncomplete: true,
    })
    expect(table.headings.map(({ label }) => label)).toEqual(['Visitors', 'Visitors, Before'])
    expect(table.rows).toEqual([
      {
        title: 'Fri, 20 Nov 2026, and 21 Oct',
        x: 0,
        cells: [
          { text: '1,200', y: 20, href: '/who' },
          { text: '1,000', y: 33.33 },
        ],
      },
      {
        title: 'Sat, 21 Nov 2026, and 22 Oct (in progress)',
        x: 100,
        href: '/there',
        cells: [{ text: '–' }, { text: '0', y: 100 }],
      },
    ])
  })

  test('is a sentence too', () => {
    expect(inWords(points, [{ key: 'v', label: 'Visitors', values: [3, 9] }])).toBe(
      'From Fri, 20 Nov 2026 to Sat, 21 Nov 2026. Visitors: between 3 and 9, highest at Sat, 21 Nov 2026.',
    )
    expect(inWords([], [])).toBe('No data.')
  })
})
