import type { LifecycleQuery } from '#insights/kinds/lifecycle/schema'
import { bucketsOf, type Calendar, periodOn } from '#insights/calendar/period'
import { type TestEvent, timeOf } from '../product/test-engine'

/** Lifecycle by a pencil: for each interval, each person is looked at for what they did in it, before it and ever. */
export function expectedLifecycle(
  { period, interval, happening }: LifecycleQuery,
  events: readonly TestEvent[],
  calendar: Calendar,
) {
  const asked = periodOn(calendar, period)
  const { starts, end } = bucketsOf(asked, interval, calendar) ?? { starts: [], end: asked.until }
  const [first = end] = starts
  // the events of the interval before the first, which begins where the instant before the first lies
  const before =
    bucketsOf({ from: new Date(first.getTime() - 1), until: first }, interval, calendar)?.starts[0] ?? first
  const did = events.filter(({ event }) => happening.event === null || event === happening.event)
  const people = [...new Set(did.map(({ person }) => person))]

  const wasActive = (person: string, from: Date, until: Date) =>
    did.some((event) => event.person === person && timeOf(event) >= from && timeOf(event) < until)

  const intervals = starts.map((start, i) => {
    const states = people.map((person) => {
      const isActive = wasActive(person, start, starts[i + 1] ?? end)
      const wasJustNow = wasActive(person, i === 0 ? before : (starts[i - 1] ?? before), start)
      if (!isActive) return wasJustNow ? 'dormant' : 'away'
      if (!wasActive(person, new Date(0), start)) return 'new'
      return wasJustNow ? 'returning' : 'resurrecting'
    })
    return (state: string) => states.filter((one) => one === state).length
  })
  const course = (state: string) => intervals.map((count) => count(state))
  return {
    new: course('new'),
    returning: course('returning'),
    resurrecting: course('resurrecting'),
    dormant: course('dormant'),
    complete: starts.filter((_, i) => (starts[i + 1] ?? end) <= calendar.now).length,
  }
}
