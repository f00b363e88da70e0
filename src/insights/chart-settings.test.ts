import { expect, test } from 'vitest'
import { fromFirstEvent } from './chart-settings'

const starts = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'].map(
  (day) => `${day}T00:00:00Z`,
)
const chartOf = (values: number[], compared?: number[]) => ({
  points: starts.map((label) => ({ label: label.slice(8, 10) })),
  series: [
    { key: 'visitors', label: 'Visitors', values, hrefs: values.map(String), ...(compared && { compared }) },
  ],
  annotations: [
    { at: 1, label: 'before' },
    { at: 3, label: 'launch' },
  ],
})
const since = new Date('2026-03-03T12:00:00Z')

test('a chart of a young project begins at its first event, with its links and annotations', () => {
  const chart = fromFirstEvent(chartOf([0, 0, 0, 4, 5]), starts, since)
  expect(chart.points.map(({ label }) => label)).toEqual(['03', '04', '05'])
  expect(chart.series).toMatchObject([{ values: [0, 4, 5], hrefs: ['0', '4', '5'] }])
  expect(chart.annotations).toEqual([{ at: 1, label: 'launch' }])
})

test.each([
  // values, of the compared period, creation of the project, points that are left
  ['events from before the project was created', [0, 3, 0, 4, 5], undefined, since, 4],
  ['a compared period that had some', [0, 0, 0, 4, 5], [0, 1, 1, 1, 1], since, 4],
  ['an older project', [0, 0, 0, 4, 5], undefined, new Date('2025-01-01'), 5],
  ['an unknown age', [0, 0, 0, 4, 5], undefined, undefined, 5],
  ['a project of today: one point is no course', [0, 0, 0, 0, 5], undefined, new Date('2026-03-06'), 2],
] as const)('%s', (_, values, compared, created, left) => {
  const chart = fromFirstEvent(chartOf([...values], compared && [...compared]), starts, created)
  expect(chart.points.length).toBe(left)
})
