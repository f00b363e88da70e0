import type { EventColumns, PreparedEvent } from './event'

/** The part of an event that a row contains. Identity and person changes are not sent to the engine. */
type EventOfRow = Omit<PreparedEvent, 'person' | 'identity' | 'group' | 'importId'>

/**
 * A row of the engine's `events` table, as the JSON object that is sent, in two parts. The person is inserted between
 * them, because it is known last. Code that reads a row back seldom needs more than its head.
 */
export interface RowText {
  /** The beginning of the object. */
  head: string
  /** The rest of the object. */
  details: string
}

/** The fields under their column names. */
interface Head {
  project_id: number
  uuid: string
  event: string
  timestamp: string
  received_at: string
  distinct_id: string
  /** Absent without a session: an empty text is no UUID. */
  session_id?: string
  has_person: boolean
  is_cookieless: boolean
  groups: Readonly<Record<string, string>>
}

type Details = Partial<EventColumns> & Pick<PreparedEvent, 'properties'>

/** Returns one line for `engine.insert`. */
export function rowOf(event: EventOfRow, personId: string): string {
  return withPerson(rowText(event), personId)
}

export function withPerson({ head, details }: RowText, personId: string): string {
  return `${head},"person_id":"${personId}"${details}`
}

/** Returns the head with another session. */
export function withSession(head: string, sessionId: string): string {
  const { session_id: _, ...others } = JSON.parse(`${head}}`) as Head // `rowText` wrote it
  return JSON.stringify({ ...others, session_id: sessionId }).slice(0, -1)
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

/** Throws if the text is not the head of a row. */
export function parseRowHead(text: string): Omit<EventOfRow, 'columns' | 'properties'> {
  // written by `rowText`, perhaps of an older version
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

export function parseRowDetails(text: string): Pick<EventOfRow, 'columns' | 'properties'> {
  // as above
  const { properties, ...columns } = JSON.parse(`{${text.slice(1)}`) as Details
  return { columns, properties }
}

/** The maximums of the engine's integer columns. Clients send fractions and may send anything. */
const columnMaximums = { engaged_ms: 2 ** 32 - 1, scroll_depth: 100 } as const

function withinRange(columns: Partial<EventColumns>): Partial<EventColumns> {
  const { engaged_ms, scroll_depth } = columns
  if (engaged_ms === undefined && scroll_depth === undefined) return columns
  return {
    ...columns,
    engaged_ms: clampToWhole(engaged_ms, columnMaximums.engaged_ms),
    scroll_depth: clampToWhole(scroll_depth, columnMaximums.scroll_depth),
  }
}

function clampToWhole(value: number | undefined, most: number): number | undefined {
  return value === undefined ? undefined : Math.min(most, Math.max(0, Math.round(value) || 0))
}
