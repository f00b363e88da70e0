import type { Migration } from '#engine/migrate'
import { sql } from '#engine/sql'

/**
 * Properties are stored as text, so "5" may have been a number or a text. The names of the texts that read as another
 * value, of which there are hardly any, are written down as a list in JSON. Events of before name none.
 */
export const stringKeys: Migration = {
  number: 6,
  name: 'string-keys',
  statements: () => [
    sql`alter table events add column if not exists string_keys LowCardinality(String) codec(ZSTD(3))`,
  ],
}
