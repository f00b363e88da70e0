import { expect, test } from 'vitest'
import type { WeightChange } from '#experiments/bandits/progress'
import { variantColours } from '#studio/flags/variant-colour'
import { weightsChart } from './BanditPanel'

const change = (at: string, control: number): WeightChange => ({
  at: new Date(at),
  by: 'bandit',
  why: '',
  movedPercent: 0,
  version: 1,
  weights: { control, test: 100 - control },
})

const settings = {
  until: new Date('2026-03-03T00:00:00Z'),
  timeZone: 'UTC',
  colourOf: variantColours(['control', 'test']),
}

test('a stretch of the chart is as wide as it was long, and has the weights of its time', () => {
  const changes = [change('2026-03-02T18:00:00Z', 10), change('2026-03-02T00:00:00Z', 50)]
  const { points, series } = weightsChart(changes, ['control', 'test'], settings)
  const [control, treatment] = series.map(({ values }) => values)
  expect(control?.filter((share) => share === 0.5)).toHaveLength(75)
  expect(control?.filter((share) => share === 0.1)).toHaveLength(26)
  expect(treatment?.at(-1)).toBe(0.9)
  expect([points[0]?.title, points.at(-1)?.title]).toEqual([
    'Mon, 2 Mar 2026, 00:00',
    'Tue, 3 Mar 2026, 00:00',
  ])
})

test('of several changes at once the last is in force, and without a change nothing is known', () => {
  const at = '2026-03-02T00:00:00Z'
  const { series } = weightsChart([change(at, 20), change(at, 50)], ['control'], settings)
  expect(new Set(series[0]?.values)).toEqual(new Set([0.2]))
  expect(new Set(weightsChart([], ['control'], settings).series[0]?.values)).toEqual(new Set([null]))
})
