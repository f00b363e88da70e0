import { createHash } from 'node:crypto'
import type { PreparedEvent } from '#events/event'

export const noon = Date.parse('2026-11-20T12:00:00Z')

/** The n-th event; the same number is the same event. */
export function eventNumber(n: number, changes: Partial<PreparedEvent> = {}): PreparedEvent {
  const at = new Date(noon + n)
  return {
    uuid: uuidNumber(n),
    projectId: 1,
    name: 'numbered',
    at,
    receivedAt: at,
    distinctId: `visitor ${n % 10}`,
    sessionId: '',
    hasPerson: true,
    isCookieless: false,
    person: { set: {}, setOnce: {}, unset: [], add: {} },
    identity: undefined,
    groups: {},
    group: undefined,
    columns: { path: `/${n}` },
    properties: { n: String(n) },
    ...changes,
  }
}

export function eventNumbers(
  from: number,
  amount: number,
  changes: Partial<PreparedEvent> = {},
): PreparedEvent[] {
  return Array.from({ length: amount }, (_, i) => eventNumber(from + i, changes))
}

export const uuidNumber = (n: number): string => uuidOf(String(n))

/** The same text is the same UUID. */
export function uuidOf(text: string): string {
  const hex = createHash('md5').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}

/** An event with nothing else about it, to be compared with another. */
export function plain(event: PreparedEvent): PreparedEvent {
  const { uuid, projectId, name, at, receivedAt, distinctId, sessionId, hasPerson, isCookieless } = event
  const { person, identity, groups, group, columns, properties } = event
  const known = { uuid, projectId, name, at, receivedAt, distinctId, sessionId, hasPerson, isCookieless }
  return { ...known, person, identity, groups, group, columns, properties }
}
