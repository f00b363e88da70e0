import type { Migration } from '#engine/migrate'
import { sql } from '#engine/sql'

/**
 * Whether a uuid was stored within the last 30 days is asked whatever the event's own time is. The order of the table
 * does not help there: these indexes leave out the granules that cannot have it.
 */
export const uuidIndex: Migration = {
  number: 5,
  name: 'uuid-index',
  statements: () => [
    sql`
      alter table events
        add index if not exists by_uuid uuid type bloom_filter(0.02) granularity 1,
        add index if not exists by_received_at received_at type minmax granularity 1`,
    // parts that are there already are read without the indexes until this is done, in the background
    sql`alter table events materialize index by_uuid, materialize index by_received_at`,
  ],
}
