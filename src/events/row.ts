import type { EventColumns, PreparedEvent } from './event'

/** What a row says of its event. Not everything: what the event claims of people never reaches the engine. */
export type EventOfRow = Omit<PreparedEvent, 'person' | 'identity' | 'group'>

/**
 * A row of the engine's `events` table, as the JSON object it is sent as, in two parts. The person comes between them:
 * who it was is known later than everything else. And whoever reads a row back seldom needs more than its head.
 */
export interface RowText {
  /** Begins the object. */
  head: string
  /** Ends it. */
  details: string
}

/** By the names of the table. */
interface Head {
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
}

type Details = Partial<EventColumns> & Pick<PreparedEvent, 'properties'>

/** One line of what `engine.insert` takes. */
export function rowOf(event: EventOfRow, personId: string): string {
  return withPerson(rowText(event), personId)
}

export function withPerson({ head, details }: RowText, personId: string): string {
  return `${head},"person_id":"${personId}"${details}`
}

export function rowText(event: EventOfRow): RowText {
  const head: Head = {
    project_id: event.projectId,
    uuid: event.uuid,
    event: event.name,
    timestamp: event.at.toISOString(),
    received_at: event.receivedAt.toISOString(),
    distinct_id: event.distinctId,
    session_id: event.sessionId || undefined,
    has_person: event.hasPerson,
    is_cookieless: event.isCookieless,
    groups: event.groups,
  }
  const details: Details = { ...withinRange(event.columns), properties: event.properties }
  return { head: JSON.stringify(head).slice(0, -1), details: `,${JSON.stringify(details).slice(1)}` }
}

/** Throws where it is not the head of a row. */
export function readHead(text: string): Omit<EventOfRow, 'columns' | 'properties'> {
  // `rowText` wrote it, or something very like it: an older version
  const head = JSON.parse(`${text}}`) as Head
  const at = new Date(head.timestamp)
  if (typeof head.uuid !== 'string' || Number.isNaN(at.getTime())) throw new TypeError('It is no event.')
  return {
    projectId: head.project_id,
    uuid: head.uuid,
    name: head.event,
    at,
    receivedAt: new Date(head.received_at),
    distinctId: head.distinct_id,
    sessionId: head.session_id ?? '',
    hasPerson: head.has_person,
    isCookieless: head.is_cookieless,
    groups: head.groups,
  }
}

export function readDetails(text: string): Pick<EventOfRow, 'columns' | 'properties'> {
  // as above
  const { properties, ...columns } = JSON.parse(`{${text.slice(1)}`) as Details
  return { columns, properties }
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
