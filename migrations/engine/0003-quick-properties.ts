import type { Migration } from '#engine/migrate'
import { sql } from '#engine/sql'

/**
 * A map in buckets gives one key's value without reading the others; whether the key is there at all takes all of them.
 * A value that is not empty says that it is, so only the keys of empty values, of which there are hardly any, are written
 * down. Which page was read is asked of every page view, too.
 */
export const quickProperties: Migration = {
  number: 3,
  name: 'quick-properties',
  statements: () => [
    sql`
      alter table events
        add column if not exists empty_keys Array(LowCardinality(String))
          default mapKeys(mapFilter((name, value) -> value = '', properties)) codec(ZSTD(3)),
        add column if not exists read_path LowCardinality(String)
          default properties['$prev_pageview_pathname'] codec(ZSTD(3))`,
    // what is there already is read the long way until this has been done, behind everybody's back
    sql`alter table events materialize column empty_keys, materialize column read_path`,
  ],
}
