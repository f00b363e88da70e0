import { type Sql, sql, string } from '../engine/sql'
import type { Events } from './events'
import type { Happening } from './question'

/** The names of the events that several happenings are about; undefined where one of them may be any. */
export function namesIn(happenings: readonly Happening[]): string[] | undefined {
  const names = happenings.flatMap(({ event }) => (event === null ? [] : [event]))
  return names.length === happenings.length ? [...new Set(names)] : undefined
}

/** Whether an event is it, on the columns of `events.rows()`; call it before `rows`. */
export function isHappening({ event, filter }: Happening, events: Events): Sql {
  const named = event === null ? sql`true` : sql`event = ${string(event)}`
  return filter ? sql`(${named} and ${events.holds(filter)})` : sql`(${named})`
}
