import type { DropReason, EventColumns } from './event'

/** A message of the live page about one event or request. */
export type LiveEvent = StoredLiveEvent | DroppedLiveEvent | RefusedLiveRequest

/** A stored event, which queries read from now on. */
export interface StoredLiveEvent {
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

/** A valid event that was dropped. */
export interface DroppedLiveEvent {
  kind: 'dropped'
  at: string
  name: string
  reason: DropReason
}

/** A request that was refused as a whole. */
export interface RefusedLiveRequest {
  kind: 'refused'
  at: string
  dialect: string
  reason: string
  /** The key or site in the request. */
  named: string | undefined
}
