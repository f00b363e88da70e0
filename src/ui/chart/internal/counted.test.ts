import * as fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { gridOf } from './calendar'
import { averages, largestReturn } from '../RetentionTriangle'
import { flowOf } from './flow'
import { stepFiguresAt } from '../FunnelChart'
import { strengthOf, upTo } from './heat'
import { ringOf } from '../PieChart'
import { maxSwitchableSeries } from './ChartLegend'
import { countries, world } from './world-map'

describe('a funnel', () => {
  const groups = [
    { key: 'a', label: 'A', steps: [{ count: 100 }, { count: 40 }, { count: 50 }] },
    { key: 'b', label: 'B', steps: [{ count: 0 }, { count: 0 }] },
  ]

  test('says how many went on, and how many did not', () => {
    expect(stepFiguresAt(groups, 1)[0]).toMatchObject({
      ofFirst: 0.4,
      ofBefore: 0.4,
      dropped: 60,
      width: 0.4,
    })
  })

  test('drops no one at an optional step that more reach than the one before', () => {
    expect(stepFiguresAt(groups, 2)[0]).toMatchObject({ dropped: 0, ofBefore: 1.25 })
  })

  test('of no one has no ratios that are not numbers', () => {
    expect(stepFiguresAt(groups, 1)[1]).toMatchObject({ ofFirst: 0, ofBefore: 0, dropped: 0, width: 0 })
  })
})

test('averages are weighed by size and leave out cohorts that are not that old, or not done', () => {
  const cohort = { key: '', label: '' }
  expect(
    averages(
      [
        { ...cohort, size: 100, counts: [100, 50, 20] },
        { ...cohort, size: 300, counts: [300, 30, null], lastIsIncomplete: true },
        { ...cohort, size: 0, counts: [0, 0, null] },
      ],
      4,
    ),
  ).toEqual([1, 0.5, 0.2, null])
})

describe('paths', () => {
  const node = (key: string, step: number) => ({ key, label: key, step })

  test('drop off what goes nowhere, except at the end', () => {
    const { nodes } = flowOf({
      title: '',
      counted: '',
      nodes: [node('a', 0), node('b', 1), node('c', 2)],
      links: [
        { from: 'a', to: 'b', value: 10 },
        { from: 'b', to: 'c', value: 4 },
      ],
      totals: { a: 15 },
    })
    expect(nodes.map(({ key, total, dropped }) => [key, total, dropped])).toEqual([
      ['a', 15, 5],
      ['b', 10, 6],
      ['c', 4, 0],
    ])
  })

  test('leave out circles, strangers and nothing, and stay inside', () => {
    const flow = flowOf({
      title: '',
      counted: '',
      nodes: [node('a', 0), node('b', 1), node('empty', 1)],
      links: [
        { from: 'a', to: 'b', value: 1e12 },
        { from: 'b', to: 'a', value: 5 },
        { from: 'a', to: 'nobody', value: 5 },
        { from: 'a', to: 'a', value: 5 },
        { from: 'a', to: 'empty', value: 0 },
      ],
    })
    expect(flow.links.map(({ from, to }) => from + to)).toEqual(['ab'])
    expect(flow.nodes.map(({ key }) => key)).toEqual(['a', 'b'])
    expect(flow.nodes.every(({ y, height }) => y >= 0 && y + height <= 100)).toBe(true)
  })

  test('of no one are nothing', () => {
    expect(flowOf({ title: '', counted: '', nodes: [], links: [] })).toMatchObject({
      nodes: [],
      links: [],
      steps: 0,
    })
  })

  /** Two lines of the smallest text. */
  const labelRem = 2

  const size = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 100_000 }))
  const graphs = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 }).chain((widths) => {
    const keys = widths.map((width, step) => Array.from({ length: width }, (_, i) => `${step}:${i}`))
    const pairs = keys.flatMap((from, step) => from.map((key) => ({ key, onto: keys[step + 1] ?? [] })))
    const link = ({ key, onto }: (typeof pairs)[number]) =>
      fc
        .subarray(onto)
        .chain((some) => fc.tuple(...some.map((to) => size.map((value) => ({ from: key, to, value })))))
    return fc.record({
      nodes: fc.constant(keys.flatMap((column, step) => column.map((key) => node(key, step)))),
      links: fc.tuple(...pairs.map(link)).map((some) => some.flat()),
      totals: fc.dictionary(fc.constantFrom(...keys.flat()), size),
    })
  })

  test('give each label a node of its own height, the largest first, however small the flows are', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const { nodes, heightRem } = flowOf({ title: '', counted: '', ...graph })
        for (const column of Map.groupBy(nodes, ({ step }) => step).values()) {
          let free = 0
          for (const { y, height } of column.toSorted((one, other) => one.y - other.y)) {
            const [top, bottom] = [(y / 100) * heightRem, ((y + height) / 100) * heightRem]
            expect(top).toBeGreaterThanOrEqual(free - 0.01)
            expect(bottom - top).toBeGreaterThan(labelRem)
            expect(bottom).toBeLessThan(heightRem + 0.01)
            free = bottom
          }
          const downwards = column.toSorted((one, other) => one.y - other.y).map(({ total }) => total)
          expect(downwards).toEqual(downwards.toSorted((one, other) => other - one))
        }
      }),
    )
  })

  test('put all others last, however many they are', () => {
    const { nodes } = flowOf({
      title: '',
      counted: '',
      nodes: [node('a', 0), { ...node('rest', 1), isOthers: true }, node('b', 1)],
      links: [
        { from: 'a', to: 'rest', value: 90 },
        { from: 'a', to: 'b', value: 10 },
      ],
    })
    expect(nodes.map(({ key }) => key)).toEqual(['a', 'b', 'rest'])
  })

  test('light up one whole path from any link: onwards and back along the largest', () => {
    const { links, nodes } = flowOf({
      title: '',
      counted: '',
      nodes: [node('a', 0), node('b', 1), node('c', 1), node('d', 2), node('e', 2)],
      links: [
        { from: 'a', to: 'b', value: 9 },
        { from: 'a', to: 'c', value: 2 },
        { from: 'b', to: 'd', value: 6 },
        { from: 'b', to: 'e', value: 3 },
      ],
    })
    expect(links.map(({ litBy }) => litBy)).toEqual([[0, 2, 3], [1], [0, 2], [3]])
    expect(nodes.find(({ key }) => key === 'd')?.litBy).toEqual([0, 2])
  })
})

test('a ring takes the smallest together, and its shares make one', () => {
  const slices = [5, 1, 0, 3, 1, -2].map((value, place) => ({ key: `${place}`, label: `${place}`, value }))
  const ring = ringOf(slices, 3)
  expect(ring.map(({ label, value }) => [label, value])).toEqual([
    ['0', 5],
    ['3', 3],
    ['2 others', 2],
  ])
  expect(ring.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1)
})

test('strengths go from nothing to the largest, and the legend says where each ends', () => {
  expect([null, 0, 1, 40, 41, 999, 1000].map((amount) => strengthOf(amount, 1000))).toEqual([
    0, 0, 1, 1, 2, 5, 5,
  ])
  expect([1, 2, 5].map((strength) => upTo(strength, 1000))).toEqual([40, 160, 1000])
  expect(strengthOf(0.3, 0)).toBe(0)
})

describe('a calendar', () => {
  test('has a column for each week, Monday first', () => {
    const { squares, width } = gridOf({
      title: '',
      valueLabel: '',
      days: [
        { day: '2026-11-21', value: 1 },
        { day: '2026-11-22', value: 2 },
        { day: '2026-11-23', value: 3 },
      ],
    })
    expect(squares.map(({ row, column }) => [row, column])).toEqual([
      [5, 0],
      [6, 0],
      [0, 1],
    ])
    expect(width).toBe(2)
    expect(squares[0]?.title).toBe('Sat, 21 Nov 2026')
  })

  test('of a week knows its hours', () => {
    const { squares } = gridOf({ title: '', valueLabel: '', week: [[7]] })
    expect(squares).toHaveLength(168)
    expect(squares[0]).toMatchObject({ title: 'Mon, 00:00 – 01:00', value: 7 })
    expect(squares.at(-1)).toMatchObject({ title: 'Sun, 23:00 – 00:00', value: null })
  })
})

describe('the world', () => {
  test('has every country that has a code, once, inside the drawing', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    const codes = [...countries.keys()].filter((code) => code.length === 2)
    expect(codes.filter((code) => names.of(code) === 'none')).toEqual([])
    expect(codes.length).toBeGreaterThan(240)
    for (const { code, x, y } of countries.values()) {
      expect(x >= 0 && x <= world.width && y >= 0 && y <= world.height, code).toBe(true)
    }
  })

  test.each([
    // west to east, and north to south
    ['US', 'FR', 'x'],
    ['FR', 'DE', 'x'],
    ['DE', 'JP', 'x'],
    ['SG', 'JP', 'x'],
    ['NO', 'IT', 'y'],
    ['IT', 'ZA', 'y'],
    ['CA', 'AR', 'y'],
  ] as const)('%s comes before %s', (one, other, way) => {
    expect(countries.get(one)?.[way]).toBeLessThan(countries.get(other)?.[way] ?? 0)
  })
})

test('every series that a legend can switch off has its rules', () => {
  const css = readFileSync(join(import.meta.dirname, '../../charts.css'), 'utf8')
  for (let series = 0; series < maxSwitchableSeries; series++) {
    expect(css.split(`.series-switch[value='${series}']`).length - 1).toBe(2)
    expect(css.split(`[data-series='${series}']`).length - 1).toBe(2)
  }
})

test('cells are as strong as their share of the largest return, without the period that all began in', () => {
  const cohort = { key: 'a', label: 'a', size: 200, counts: [200, 40, 10, null] }
  expect(largestReturn([cohort, { ...cohort, size: 0, counts: [0, 0, null, null] }])).toBe(0.2)
  expect(largestReturn([{ ...cohort, counts: [200, 0] }])).toBe(1)
  expect(largestReturn([{ ...cohort, counts: [200] }])).toBe(1)
})
