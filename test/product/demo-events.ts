import { beginningBefore, eventsByDay } from '#demo/internal/demo-days'
import type { DemoEvent } from '#demo/internal/event'

/** A Saturday, in the middle of the day. */
export const demoNow = new Date('2026-03-14T12:00:00.000Z')

export const demoDays = ({
  events = 1000,
  now = demoNow,
  seed = 'test',
}: { events?: number; now?: Date; seed?: string } = {}): DemoEvent[][] => [
  ...eventsByDay({ seed, begin: beginningBefore(now), until: now, events }),
]

/** The demo's ninety days up to `now`, as thinly as wanted, to fill a project of a test's with. */
export const demoEvents = (wanted: { events?: number; now?: Date; seed?: string } = {}): DemoEvent[] =>
  demoDays(wanted).flat()
