import type { Migration } from '#engine/migrate'
import { sql } from '#engine/sql'

/**
 * The facts about persons and groups, for questions about them. The store is the truth; these are copies, and of two
 * rows about the same one the higher version counts.
 */
export const people: Migration = {
  number: 2,
  name: 'people',
  statements: (form) => [
    sql`
      create table if not exists persons (
        project_id    UInt32,
        person_id     UUID,
        properties    Map(LowCardinality(String), String) codec(ZSTD(1)),
        is_identified Bool,
        created_at    DateTime64(3, 'UTC'),
        version       UInt64,
        is_deleted    UInt8
      )
      engine = ${form.replacingMergeTree(sql`version, is_deleted`)}
      order by (project_id, person_id)
      settings ${durable}`,

    sql`
      create table if not exists groups (
        project_id UInt32,
        type       LowCardinality(String),
        key        String,
        properties Map(LowCardinality(String), String) codec(ZSTD(1)),
        created_at DateTime64(3, 'UTC'),
        version    UInt64
      )
      engine = ${form.replacingMergeTree(sql`version`)}
      order by (project_id, type, key)
      settings ${durable}`,
  ],
}

/** The store counts a row as copied once the engine has answered for it. */
const durable = sql`fsync_after_insert = 1, fsync_part_directory = 1`
