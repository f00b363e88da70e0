import type { Migration } from '#engine/migrate'
import { sql } from '#engine/sql'

/** Whose events these are: the store has the same id, and a store with another one must not answer from them. */
export const installation: Migration = {
  number: 4,
  name: 'installation',
  statements: (form) => [
    sql`
      create table if not exists installation (
        id String
      )
      engine = ${form.mergeTree}
      order by id
      settings fsync_after_insert = 1, fsync_part_directory = 1`,
  ],
}
