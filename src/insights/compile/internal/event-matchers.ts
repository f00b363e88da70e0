import { type Sql, sql, string } from '#engine/sql'
import type { Events } from './events'
import type { EventMatcher } from '../../query-fields'

/** Returns the event names of several matchers; undefined if one matches any event. */
export function eventNamesOf(matchers: readonly EventMatcher[]): string[] | undefined {
  const names = matchers.flatMap(({ event }) => (event === null ? [] : [event]))
  return names.length === matchers.length ? [...new Set(names)] : undefined
}

/** Whether an event matches, on the columns of `events.rows()`; call it before `rows`. */
export function matchesEvent({ event, filter }: EventMatcher, events: Events): Sql {
  const named = event === null ? sql`true` : sql`event = ${string(event)}`
  return filter ? sql`(${named} and ${events.holds(filter)})` : sql`(${named})`
}
