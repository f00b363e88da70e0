import { type Engine, EngineError } from '#engine/engine'
import { unfinishedPrefix } from '#engine/migrate'
import { identifier, type Sql, sql, string, strings } from '#engine/sql'
import { BackupRefusedError } from './backup-refused'
import { applyPatches, type EngineTable, engineTables, keepParts, liveTables } from './internal/engine-clone'
import { copyPart, partsIn } from './internal/native-slices'
import { sumDifferences, sumsByMonth } from './internal/verification-queries'

type EngineAccess = Pick<Engine, 'query' | 'command'>

/** The name of the table that a restore fills on a server. While it is there, Tilth does not start on that database. */
export const unfinishedTableName = (table: EngineTable): string => `${unfinishedPrefix}${table}`

export const unfinishedTables = (table: EngineTable): Sql => nameOf(unfinishedTableName(table))

const nameOf = (name: string): Sql => identifier(name, [name])
const deadlineMs = 10 * 60_000

/** Creates an empty table beside every live one. */
export async function createUnfinishedTables(engine: EngineAccess): Promise<void> {
  for (const table of engineTables)
    await engine.command(sql`create table ${unfinishedTables(table)} as ${liveTables(table)}`)
}

/**
 * Gives the filled tables their places. The events come last: a server whose table of events is empty is one into which
 * nothing was restored.
 */
export async function exchangeTables(engine: EngineAccess): Promise<void> {
  for (const table of engineTables.toReversed())
    await engine.command(sql`exchange tables ${unfinishedTables(table)} and ${liveTables(table)}`)
}

/** Empties a server that a restore has marked, whatever it has done there, and takes the marks away. */
export async function clearUnfinished(engine: EngineAccess): Promise<void> {
  const marks = await marksIn(engine)
  if (marks.length === 0) return
  for (const table of engineTables)
    await engine.command(
      sql`truncate table if exists ${liveTables(table)} settings max_table_size_to_drop = 0`,
      { deadlineMs },
    )
  await dropMarks(engine, marks)
}

/** Takes the marks away once all that belongs to the restore has its place. */
export async function finishTransfer(engine: EngineAccess): Promise<void> {
  await dropMarks(engine, await marksIn(engine))
}

const markOfMove = (id: string): string => `${unfinishedPrefix}move_${id}`

/**
 * Looks before anything is written whether a server is empty, or filled by the move of this id. Throws a
 * `BackupRefusedError` otherwise.
 */
export async function requireServerFor(engine: Pick<Engine, 'query'>, id: string): Promise<void> {
  try {
    const marks = await marksIn(engine)
    if (marks.some((name) => name !== markOfMove(id)))
      throw new BackupRefusedError(
        'Another move or restore into the database of the new engine was cut short. Repeat that one, or name an empty database.',
      )
    if (marks.length === 0) await requireNoRows(engine)
  } catch (problem) {
    const isMissing = problem instanceof EngineError && problem.code === unknownDatabase
    if (!isMissing) throw problem
  }
}

const unknownDatabase = '81'

async function requireNoRows(engine: Pick<Engine, 'query'>): Promise<void> {
  const [used] = await engine.query<{ name: string; rows: number }>(
    sql`
      select name, toUInt64(total_rows) as rows
      from system.tables
      where database = currentDatabase() and total_rows > 0 and not has(${strings(tablesOfEveryStart)}, name)
      order by name
      limit 1`,
    { lane: 'ingest' },
  )
  if (used)
    throw new BackupRefusedError(
      `The database of the new engine is not empty: its table ${used.name} has ${used.rows} rows. Name an empty one. Nothing was written.`,
    )
}

/** These have rows also where no event was ever stored. */
const tablesOfEveryStart = ['installation', 'tilth_migrations']

/** Marks a server as one that the move of this id fills. Of two at once, one is refused. */
export async function markServer(engine: EngineAccess, id: string): Promise<void> {
  await engine.command(
    sql`create table if not exists ${nameOf(markOfMove(id))} as ${liveTables('installation')}`,
  )
  try {
    await requireServerFor(engine, id)
  } catch (problem) {
    await dropMarks(engine, [markOfMove(id)])
    throw problem
  }
}

async function marksIn(engine: Pick<Engine, 'query'>): Promise<string[]> {
  const rows = await engine.query<{ name: string }>(
    sql`
      select name
      from system.tables
      where database = currentDatabase() and startsWith(name, ${string(unfinishedPrefix)})`,
    { lane: 'ingest' },
  )
  return rows.map(({ name }) => name)
}

async function dropMarks(engine: EngineAccess, marks: readonly string[]): Promise<void> {
  for (const name of marks)
    await engine.command(sql`drop table if exists ${nameOf(name)} sync settings max_table_size_to_drop = 0`, {
      deadlineMs,
    })
}

interface EngineTransfer {
  /** An engine on restored files, which nothing else uses and which is thrown away afterwards. */
  from: Pick<Engine, 'query' | 'command' | 'queryNative'>
  /** A server with the tables of `createUnfinishedTables`. */
  to: Pick<Engine, 'query' | 'insertNative'>
  progress: (copiedRows: number, allRows: number) => void
}

/**
 * Copies every row slice by slice, and compares the rows of every month in both. Throws a `BackupRefusedError` if something
 * is not the same.
 */
export async function copyEngine({ from, to, progress }: EngineTransfer): Promise<void> {
  await applyPatches(from)
  await keepParts(from, liveTables)
  const parts = []
  for (const table of engineTables) for (const part of await partsIn(from, table)) parts.push({ table, part })
  const all = parts.reduce((sum, { part }) => sum + part.rows, 0)
  let copied = 0
  for (const { table, part } of parts) {
    await copyPart({
      from: { engine: from, table: liveTables(table), part },
      to: { engine: to, table: unfinishedTableName(table) },
    })
    copied += part.rows
    progress(copied, all)
  }
  const differences = sumDifferences(await sumsByMonth(from), await sumsByMonth(to, unfinishedTables))
  if (differences.length > 0)
    throw new BackupRefusedError(
      ['The events on the server of TILTH_ENGINE are not those of the snapshot:', ...differences].join('\n'),
    )
}
