import { expect, test } from 'vitest'
import { instantOf, localTime } from './local-time'

test.each([
  ['2026-03-02', '10:00', 'UTC', '2026-03-02T10:00:00.000Z'],
  ['2026-07-02', '10:00', 'Europe/Berlin', '2026-07-02T08:00:00.000Z'],
  ['2026-03-02', '00:15', 'Asia/Kathmandu', '2026-03-01T18:30:00.000Z'],
])('%s %s in %s is %s, and back', (day, time, zone, instant) => {
  const at = instantOf({ day, time }, zone)

  expect(at?.toISOString()).toBe(instant)
  expect(at && localTime(at, zone)).toEqual({ day, time })
})

test.each([
  ['', '10:00'],
  ['2026-02-30', '10:00'],
  ['2026-03-02', '25:00'],
])('%j %j is no time', (day, time) => expect(instantOf({ day, time }, 'UTC')).toBeUndefined())
