import type { Properties } from '../events/event'

/** As a server's SDK sends it to `/batch/`, on behalf of a visitor who is elsewhere. */
export interface DemoEvent {
  uuid: string
  event: string
  distinct_id: string
  /** When it happened, in ISO 8601. */
  timestamp: string
  properties: Properties
}
