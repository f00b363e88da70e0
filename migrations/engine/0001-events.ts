import type { Migration } from '#engine/migrate'
import { sql } from '#engine/sql'

/**
 * Everything that ever happened, and who it turned out to have happened to.
 *
 * The order is for the questions of products: one event, some days. `person_id` is not in it, because a column of the
 * order can never be corrected, and merging persons corrects it. The JSON type is not used for `properties`: with many
 * names it opened thousands of files and its merges never ended.
 */
export const events: Migration = {
  number: 1,
  name: 'events',
  statements: (form) => [
    sql`
      create table if not exists events (
        project_id      UInt32                codec(ZSTD(3)),
        uuid            UUID                  codec(ZSTD(6)),
        event           ${word},
        timestamp       DateTime64(3, 'UTC')  codec(Delta, ZSTD(3)),
        received_at     DateTime('UTC')       codec(Delta, ZSTD(3)),
        distinct_id     ${text},
        person_id       UUID                  codec(ZSTD(3)),
        session_id      UUID                  codec(ZSTD(6)),
        has_person      Bool                  codec(ZSTD(3)),
        is_cookieless   Bool                  codec(ZSTD(3)),
        traffic         ${word},

        host            ${word},
        path            ${word},
        title           ${word},
        referrer        ${text},
        referrer_host   ${word},
        source          ${word},
        channel         ${word},
        utm_source      ${word},
        utm_medium      ${word},
        utm_campaign    ${word},
        utm_content     ${word},
        utm_term        ${word},
        click_id        ${word},

        country         ${word},
        region          ${word},
        city            ${word},

        browser         ${word},
        browser_version ${word},
        os              ${word},
        os_version      ${word},
        device          ${word},
        screen          ${word},
        language        ${word},
        lib             ${word},
        lib_version     ${word},

        revenue         Float64               codec(ZSTD(3)),
        currency        ${word},
        engaged_ms      UInt32                codec(ZSTD(3)),
        scroll_depth    UInt8                 codec(ZSTD(3)),
        elements        ${text},

        groups          Map(LowCardinality(String), String) codec(ZSTD(3)),
        properties      Map(LowCardinality(String), String) codec(ZSTD(6))
      )
      engine = ${form.mergeTree}
      partition by toYYYYMM(timestamp)
      order by (project_id, event, toDate(timestamp), cityHash64(distinct_id), timestamp)
      settings ${durable}, ${correctable}${form.bucketedMaps ? sql`, ${inBuckets}` : sql``}`,

    // Small, for what `person_id` above says wrongly since two persons turned out to be one.
    sql`
      create table if not exists person_overrides (
        project_id     UInt32,
        from_person_id UUID,
        to_person_id   UUID,
        version        UInt64
      )
      engine = ${form.replacingMergeTree(sql`version`)}
      order by (project_id, from_person_id)
      settings ${durable}`,
  ],
}

/**
 * ZSTD(3) makes a tenth less of a row than ZSTD(1), for no more work that could be measured. ZSTD(6) makes a tenth less
 * of ids that begin with their time, and of properties; of other columns nothing.
 */
const text = sql`String codec(ZSTD(3))`

/** Also for paths and titles: even where each is another one, they take a twentieth more room and no more time. */
const word = sql`LowCardinality(String) codec(ZSTD(3))`

/** The journal forgets what the engine has answered for, so the answer must mean "on disk", power cut included. */
const durable = sql`fsync_after_insert = 1, fsync_part_directory = 1`

/** The settings with which UPDATE changes a few rows without rewriting their parts. */
const correctable = sql`enable_block_number_column = 1, enable_block_offset_column = 1`

/**
 * One property is read for a tenth of the work, for a little more at merging. Measured with 800 names in use. A map that
 * is mostly empty, as that of the groups is, stays in one piece.
 */
const inBuckets = sql`
  map_serialization_version = 'with_buckets',
  map_buckets_strategy = 'constant',
  max_buckets_in_map = 16,
  map_buckets_min_avg_size = 2`
