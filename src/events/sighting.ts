import type { DropReason, EventColumns } from './event'

/** What the live page hears of one event, moments after it happened to us. */
export type Sighting = StoredSighting | DroppedSighting | RefusedSighting

/** Stored: questions can be asked about it from now on. */
export interface StoredSighting {
  kind: 'stored'
  /** When it happened, and when it came. */
  at: string
  receivedAt: string
  uuid: string
  name: string
  distinctId: string
  personId: string
  sessionId: string
  isCookieless: boolean
  columns: Partial<EventColumns>
  groups: Readonly<Record<string, string>>
  properties: Readonly<Record<string, string>>
}

/** Understood, and not kept. */
export interface DroppedSighting {
  kind: 'dropped'
  at: string
  name: string
  reason: DropReason
}

/** Never became an event: the whole request was turned away. */
export interface RefusedSighting {
  kind: 'refused'
  at: string
  dialect: string
  reason: string
  /** The key or site it named. */
  named: string | undefined
}
