import type { EventColumns, PreparedEvent } from './event'

/** The row of the engine's `events` table, by the table's own names; the columns of `EventColumns` stand beside these. */
interface Row extends Partial<EventColumns> {
  project_id: number
  uuid: string
  event: string
  timestamp: string
  received_at: string
  distinct_id: string
  /** Left out where there is none: an empty text is no UUID. */
  session_id?: string
  has_person: boolean
  is_cookieless: boolean
  groups: Readonly<Record<string, string>>
  properties: Readonly<Record<string, string>>
}

/** What a row says of its event. Not everything: what the event claims of people never reaches the engine. */
export type EventOfRow = Omit<PreparedEvent, 'person' | 'identity' | 'group'>

/** One line of what `engine.insert` takes. */
export function rowOf(event: EventOfRow, personId: string): string {
  return rowWithPerson(rowWithoutPerson(event), personId)
}

/** Written once, when the event arrives: who it was is known later, and everything else never changes. */
export function rowWithoutPerson(event: EventOfRow): string {
  const row: Row = {
    project_id: event.projectId,
    uuid: event.uuid,
    event: event.name,
    timestamp: event.at.toISOString(),
    received_at: event.receivedAt.toISOString(),
    distinct_id: event.distinctId,
    session_id: event.sessionId || undefined,
    has_person: event.hasPerson,
    is_cookieless: event.isCookieless,
    ...withinRange(event.columns),
    groups: event.groups,
    properties: event.properties,
  }
  return JSON.stringify(row)
}

/** Spliced in as text: a row is not taken apart again only to add a number to it. */
export function rowWithPerson(row: string, personId: string): string {
  return `${row.slice(0, -1)},"person_id":"${personId}"}`
}

/** Back from a row without its person. */
export function eventOfRow(text: string): EventOfRow {
  // nothing but `rowWithoutPerson` writes these, and the journal's checksum vouches for every byte
  const row = JSON.parse(text) as Row
  const { project_id, uuid, event, timestamp, received_at, distinct_id, session_id = '', ...rest } = row
  const { has_person, is_cookieless, groups, properties, ...columns } = rest
  return {
    projectId: project_id,
    uuid,
    name: event,
    at: new Date(timestamp),
    receivedAt: new Date(received_at),
    distinctId: distinct_id,
    sessionId: session_id,
    hasPerson: has_person,
    isCookieless: is_cookieless,
    columns,
    groups,
    properties,
  }
}

/** The most that the engine's whole-number columns hold. Scripts measure in fractions, and may send anything. */
const mostOf = { engaged_ms: 2 ** 32 - 1, scroll_depth: 100 } as const

function withinRange(columns: Partial<EventColumns>): Partial<EventColumns> {
  const { engaged_ms, scroll_depth } = columns
  if (engaged_ms === undefined && scroll_depth === undefined) return columns
  return {
    ...columns,
    engaged_ms: whole(engaged_ms, mostOf.engaged_ms),
    scroll_depth: whole(scroll_depth, mostOf.scroll_depth),
  }
}

function whole(value: number | undefined, most: number): number | undefined {
  return value === undefined ? undefined : Math.min(most, Math.max(0, Math.round(value) || 0))
}
