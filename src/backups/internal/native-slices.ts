import type { Engine } from '#engine/engine'
import { type Sql, sql, string, uint } from '#engine/sql'

/** The size that the engine counts in columns; a slice is held in memory, here and on the server. */
const sliceBytes = 8 * 1024 ** 2
const mostRowsInSlice = 200_000
const deadlineMs = 10 * 60_000

export interface EnginePart {
  name: string
  /** Such as `202611` of events; `tuple()` of a table without months. */
  partition: string
  rows: number
  bytes: number
  hash: string
}

/** The active parts of a table that have rows. */
export async function partsIn(engine: Pick<Engine, 'query'>, table: string): Promise<EnginePart[]> {
  return await engine.query<EnginePart>(
    sql`
      select name, partition, toUInt64(rows) as rows, data_uncompressed_bytes as bytes, hash_of_all_files as hash
      from system.parts
      where database = currentDatabase() and table = ${string(table)} and active and rows > 0
      order by name`,
    { lane: 'ingest' },
  )
}

/** Reads a part of a table in the format Native, a bounded number of bytes at a time; only rows of the condition, if there is one. */
export async function* slicesOf(
  engine: Pick<Engine, 'queryNative'>,
  table: Sql,
  part: EnginePart,
  condition = sql`true`,
): AsyncGenerator<Buffer> {
  const bytesPerRow = Math.max(1, part.bytes / part.rows)
  const step = Math.min(mostRowsInSlice, Math.max(1, Math.floor(sliceBytes / bytesPerRow)))
  for (let from = 0; from < part.rows; from += step) {
    const slice = await engine.queryNative(
      sql`
        select *
        from ${table}
        where _part = ${string(part.name)}
          and _part_offset >= ${uint(from)} and _part_offset < ${uint(from + step)}
          and ${condition}`,
      { deadlineMs },
    )
    // all rows of it may be deleted
    if (slice.length > 0) yield slice
  }
}

interface PartToCopy {
  from: { engine: Pick<Engine, 'queryNative'>; table: Sql; part: EnginePart; condition?: Sql }
  to: { engine: Pick<Engine, 'insertNative'>; table: string }
}

/** Copies a part slice by slice, each read while the one before it is inserted. */
export async function copyPart({ from: { engine, table, part, condition }, to }: PartToCopy): Promise<void> {
  let inserting = Promise.resolve()
  for await (const slice of slicesOf(engine, table, part, condition)) {
    await inserting
    inserting = to.engine.insertNative(to.table, slice)
    inserting.catch(() => {}) // awaited before the next one
  }
  await inserting
}
