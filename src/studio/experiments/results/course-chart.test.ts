import { expect, test } from 'vitest'
import type { CoursePoint } from '#experiments/results/course'
import { variantColours } from '#studio/flags/variant-colour'
import { courseChart, notesByDay } from './course-chart'

const colourOf = variantColours(['control', 'b', 'c'])

const point = (day: string, value: number | undefined, isRelative = true): CoursePoint => ({
  day,
  units: { control: 100, variant: 100 },
  values: { control: 1, variant: 1 },
  estimate:
    value === undefined
      ? undefined
      : {
          value,
          standardError: 0.1,
          low: value - 0.2,
          high: value + 0.2,
          p: undefined,
          adjustedP: undefined,
          chance: undefined,
          loss: undefined,
        },
  isRelative,
  reason: value === undefined ? 'too-few-units' : undefined,
})

test('a line has a gap on days without an estimate, and on days that only another variant has', () => {
  const variants = [
    { variant: 'b', points: [point('2026-03-01', undefined), point('2026-03-02', 0.5)] },
    { variant: 'c', points: [point('2026-03-03', 1)] },
  ]
  const { days, series } = courseChart({ variants }, colourOf)
  expect(days).toEqual(['2026-03-01', '2026-03-02', '2026-03-03'])
  expect(series.map(({ values }) => values)).toEqual([
    [null, 0.5, null],
    [null, null, 1],
  ])
  expect(series[0]?.bounds?.[1]).toEqual([0.3, 0.7])
  expect(series.map(({ colour }) => colour)).toEqual([2, 3])
})

test('absolute estimates of the first days are not drawn among relative ones', () => {
  const points = [point('2026-03-01', 40, false), point('2026-03-02', 0.5)]
  const { series, isRelative } = courseChart({ variants: [{ variant: 'b', points }] }, colourOf)
  expect(isRelative).toBe(true)
  expect(series[0]?.values).toEqual([null, 0.5])
})

test('a note stands on its day by the calendar of the project', () => {
  const notes = [
    { at: '2026-03-01T23:30:00Z', label: 'Launch' },
    { at: '2026-04-01T00:00:00Z', label: 'Later' },
  ]
  const days = ['2026-03-01', '2026-03-02']
  expect(notesByDay(notes, days, 'Europe/Berlin')).toEqual([{ at: 1, label: 'Launch' }])
  expect(notesByDay(notes, days, 'UTC')).toEqual([{ at: 0, label: 'Launch' }])
})
