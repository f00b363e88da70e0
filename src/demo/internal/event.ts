import type { Properties } from '#events/event'

/** An event as a server's SDK sends it to `/batch/` for a visitor. */
export interface DemoEvent {
  uuid: string
  event: string
  distinct_id: string
  /** When it happened, in ISO 8601. */
  timestamp: string
  properties: Properties
}
