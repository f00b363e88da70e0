import { expect, test } from 'vitest'
import { newStep, rampFrom, stepInput } from './NewSchedule'

test('a ramp goes on at the same time of each day, over months and years', () => {
  expect(rampFrom('2026-12-30T09:30').map(({ at, percentage }) => [at, percentage])).toEqual([
    ['2026-12-30T09:30', 1],
    ['2026-12-31T09:30', 10],
    ['2027-01-01T09:30', 50],
    ['2027-01-02T09:30', 100],
  ])
})

test.each([
  [newStep({ at: 'then', does: 'on' }), 'every', { at: 'then', isOn: true }],
  [newStep({ at: 'then', does: 'off' }), '1', { at: 'then', isOn: false }],
  [newStep({ at: 'then', does: 'share', percentage: 5 }), 'every', { at: 'then', isOn: true, percentage: 5 }],
  [
    newStep({ at: 'then', does: 'share', percentage: 0 }),
    '1',
    { at: 'then', isOn: false, percentage: 0, condition: 1 },
  ],
])('a step is told as the product takes it: %#', (step, set, input) =>
  expect(stepInput(step, set)).toEqual(input),
)
