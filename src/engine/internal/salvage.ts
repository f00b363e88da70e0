import type { EngineClient } from '../client'
import { EngineError } from '../engine'
import { dateTime, identifier, sql, type Sql, string, uint } from '../sql'

type EngineAccess = Pick<EngineClient, 'query' | 'command'>

/** A damaged part that is still in use. */
export interface DamagedPart {
  table: string
  name: string
  partition: string
  rows: number
}

/** The readable rows of a part in a table of their own. */
export interface Salvage {
  table: string
  part: string
  rows: number
}

/** The number of rows that a mark of the primary key stands for: nothing smaller is read from disk alone. */
const granuleRows = 8192
/** Rows that are read at once. They are held in memory, so that either all of them are copied or none. */
const rowsAtOnce = 8 * granuleRows
const deadlineMs = 10 * 60_000
/** While a part is damaged, its events count as not stored. One that was sent again in this time is there already. */
const sentAgainWithinMs = 3_600_000

const prefix = 'tilth_salvage_'
const salvageTableOf = ({ table, name }: Pick<DamagedPart, 'table' | 'name'>): string =>
  `${prefix}${table}_${name}`

export const isSalvageTable = (table: string): boolean => table.startsWith(prefix)

const named = (name: string): Sql => identifier(name, [name])

/**
 * Copies the rows of a damaged part that can be read into a table of their own. A range that cannot be read is halved,
 * down to one granule. Returns the number of rows that could not be read.
 */
export async function salvage(client: EngineAccess, part: DamagedPart): Promise<number> {
  const to = salvageTableOf(part)
  await client.command(sql`drop table if exists ${named(to)} sync`, { deadlineMs })
  await client.command(sql`create table ${named(to)} as ${named(part.table)}`, { deadlineMs })
  let lost = 0
  for (let from = 0; from < part.rows; from += rowsAtOnce)
    lost += await copyRange(client, part, { from, until: Math.min(from + rowsAtOnce, part.rows) })
  if (part.table === 'events') await removeSentAgain(client, part)
  return lost
}

/** Puts the rows into the table, once the damaged part is detached. All of them are of one partition. */
export async function finishSalvage(
  client: EngineAccess,
  { table, part }: Pick<Salvage, 'table' | 'part'>,
): Promise<void> {
  const from = salvageTableOf({ table, name: part })
  const [partition] = await client.query<{ id: string }>(
    sql`
      select partition_id as id
      from system.parts
      where database = currentDatabase() and table = ${string(from)} and active and rows > 0
      limit 1`,
    { lane: 'ingest' },
  )
  if (partition)
    await client.command(
      sql`alter table ${named(from)} move partition id ${string(partition.id)} to table ${named(table)}`,
      { deadlineMs },
    )
  await dropSalvage(client, { table, part })
}

export async function dropSalvage(
  client: EngineAccess,
  { table, part }: Pick<Salvage, 'table' | 'part'>,
): Promise<void> {
  await client.command(sql`drop table if exists ${named(salvageTableOf({ table, name: part }))} sync`, {
    deadlineMs,
  })
}

/** Returns what an interrupted salvage has left. */
export async function unfinishedSalvages(client: EngineAccess): Promise<Salvage[]> {
  const tables = await client.query<{ name: string; rows: number }>(
    sql`
      select name, toUInt64(ifNull(total_rows, 0)) as rows
      from system.tables
      where database = currentDatabase() and startsWith(name, ${string(prefix)})`,
    { lane: 'ingest' },
  )
  return tables.flatMap(({ name, rows }) => {
    const [, table, part] = /^tilth_salvage_(.+?)_((?:\d{6}|all)(?:_\d+){3,4})$/.exec(name) ?? []
    return table === undefined || part === undefined ? [] : [{ table, part, rows }]
  })
}

interface RowRange {
  from: number
  until: number
}

async function copyRange(
  client: EngineAccess,
  part: DamagedPart,
  { from, until }: RowRange,
): Promise<number> {
  try {
    await client.command(copyStatement(part, { from, until }), { deadlineMs })
    return 0
  } catch (problem) {
    const isDamage = problem instanceof EngineError && problem.failure === 'corrupted'
    const isTooMuch = problem instanceof EngineError && problem.failure === 'memory'
    const isSmallest = until - from <= granuleRows
    if (!isDamage && !(isTooMuch && !isSmallest)) throw problem
    if (isSmallest) return until - from
    const middle = from + Math.ceil((until - from) / 2 / granuleRows) * granuleRows
    const first = await copyRange(client, part, { from, until: middle })
    return first + (await copyRange(client, part, { from: middle, until }))
  }
}

/** One thread copies one block, so that a failure leaves no row of the range in the copy. */
const copyStatement = (part: DamagedPart, { from, until }: RowRange): Sql => sql`
  insert into ${named(salvageTableOf(part))}
  select *
  from ${named(part.table)}
  where _part = ${string(part.name)}
    and _part_offset >= ${uint(from)}
    and _part_offset < ${uint(until)}
  settings max_threads = 1, max_insert_threads = 1,
    min_insert_block_size_rows = ${uint(2 * rowsAtOnce)}, min_insert_block_size_bytes = 0`

async function removeSentAgain(client: EngineAccess, { table, name, partition }: DamagedPart): Promise<void> {
  const copy = named(salvageTableOf({ table, name }))
  const since = dateTime(new Date(Date.now() - sentAgainWithinMs))
  const isSentAgain = sql`uuid in (
    select uuid
    from events
    where _partition_id = ${string(partition)}
      and _part != ${string(name)}
      and received_at >= ${since})`
  const [row] = await client.query<{ rows: number }>(
    sql`select count() as rows from ${copy} where ${isSentAgain}`,
    { lane: 'ingest', deadlineMs },
  )
  if (row && row.rows > 0)
    await client.command(
      sql`alter table ${copy} delete where ${isSentAgain} settings mutations_sync = 2, allow_nondeterministic_mutations = 1`,
      { deadlineMs },
    )
}
