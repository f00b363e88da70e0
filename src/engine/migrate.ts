import { EngineClient, type EngineConnection } from './client'
import { baseTables } from './project-views'
import { identifier, sql, string, strings, uint, type Sql } from './sql'

/** One step in the history of the tables. A released step never changes: the next one corrects a mistake. */
export interface Migration {
  number: number
  name: string
  /** Every statement must be repeatable: an interrupted migration starts again from the beginning. */
  statements: (form: TableForm) => Sql[]
}

/** The table features of a server. Only migrations depend on the differences between servers. */
interface TableForm {
  /** The engine of every ordinary table. */
  mergeTree: Sql
  /** Of rows with the same key only the one with the highest version remains. */
  replacingMergeTree: (version: Sql) => Sql
  /** Whether a map can be stored in buckets of keys, so that one key is read without the others. */
  bucketedMaps: boolean
}

/** The applied steps, or why there were none. */
type MigrationOutcome = { applied: number[] } | { refused: string }

/** Called before existing tables are changed, with the number of the first step. It may refuse the change. */
type BeforeMigration = (step: number) => Promise<{ refused: string } | undefined>

type EngineAccess = Pick<EngineClient, 'query' | 'command'>

/** Rebuilding a large table takes long. */
const deadlineMs = 60 * 60_000

/** Creates the database and its tables. */
export async function createAndMigrate(
  client: EngineClient,
  history: readonly Migration[],
  beforeStep?: BeforeMigration,
  isBeingRestored = false,
): Promise<MigrationOutcome> {
  await ensureDatabase(client.connection)
  return migrate(client, history, beforeStep, isBeingRestored)
}

/** Applies the missing steps in order. An interrupted step starts again. */
export async function migrate(
  client: EngineAccess,
  history: readonly Migration[],
  beforeStep?: BeforeMigration,
  isBeingRestored = false,
): Promise<MigrationOutcome> {
  const spread = await tableOfOtherServers(client)
  if (spread) return { refused: spreadTableMessage(spread) }
  if (!isBeingRestored && (await isUnfinished(client))) return { refused: unfinishedRestoreMessage }
  const form = await formOf(client)
  await client.command(createMigrationsTable(form))
  const done = await appliedSteps(client)
  const newest = Math.max(0, ...history.map(({ number }) => number))
  const beyond = Math.max(...done)
  if (beyond > newest) return { refused: newerEngineMessage(beyond, newest) }

  const pending = history.filter(({ number }) => !done.includes(number))
  const [next] = pending
  const refusal = next && done.length > 0 ? await beforeStep?.(next.number) : undefined
  if (refusal) return refusal
  for (const migration of pending) await apply(client, migration, form)
  return { applied: pending.map(({ number }) => number) }
}

/** The beginning of the names of tables that a restore fills, and drops when everything has its place. */
export const unfinishedPrefix = 'tilth_restoring_'

async function isUnfinished(client: EngineAccess): Promise<boolean> {
  const found = await runQuery(
    client,
    sql`
      select name
      from system.tables
      where database = currentDatabase() and startsWith(name, ${string(unfinishedPrefix)})
      limit 1`,
  )
  return found.length > 0
}

const unfinishedRestoreMessage =
  'A restore into the database of TILTH_ENGINE was cut short, and it may lack something. Repeat tilth restore or tilth ' +
  `move into the same folder, or name an empty database. (The tables ${unfinishedPrefix}… mark it.)`

/** Checks for the database before creating it: a user of an existing one often may not create one. */
async function ensureDatabase(connection: EngineConnection): Promise<void> {
  const { database } = connection.address
  // the server rejects every request of a client that names a missing database
  const client = new EngineClient({ ...connection, address: { ...connection.address, database: 'system' } })
  try {
    const found = await runQuery(
      client,
      sql`select name from system.databases where name = ${string(database)}`,
    )
    if (found.length > 0) return
    await client.command(sql`create database if not exists ${identifier(database, [database])}`)
  } finally {
    await client.close()
  }
}

async function apply(
  client: EngineAccess,
  { number, name, statements }: Migration,
  form: TableForm,
): Promise<void> {
  for (const statement of statements(form)) await client.command(statement, { deadlineMs })
  await client.command(
    sql`insert into tilth_migrations (number, name) select ${uint(number)}, ${string(name)}`,
  )
}

const createMigrationsTable = ({ mergeTree }: TableForm) => sql`
  create table if not exists tilth_migrations (
    number UInt32,
    name String,
    at DateTime('UTC') default now()
  )
  engine = ${mergeTree}
  order by number`

/** The numbers of the steps that the tables have. */
export async function appliedSteps(client: EngineAccess): Promise<number[]> {
  const rows = await runQuery<{ number: number }>(client, sql`select distinct number from tilth_migrations`)
  return rows.map(({ number }) => number)
}

interface NamedTable {
  name: string
  engine: string
}

/** A table of Tilth's name that is only a window on others, such as one of shards. */
async function tableOfOtherServers(client: EngineAccess): Promise<NamedTable | undefined> {
  const [found] = await runQuery<NamedTable>(
    client,
    sql`
      select name, engine
      from system.tables
      where database = currentDatabase() and name in ${strings(baseTables)} and not endsWith(engine, 'MergeTree')
      order by name
      limit 1`,
  )
  return found
}

const spreadTableMessage = ({ name, engine }: NamedTable): string =>
  `The table "${name}" of this database is of the engine ${engine}, and Tilth keeps its events in tables of its own: over ` +
  'shards its updates are refused and answers about persons would be wrong. Name a database of one server, or of its ' +
  'replicas, in TILTH_ENGINE.'

export function newerEngineMessage(found: number, newest: number): string {
  return (
    `The engine's tables were made by a newer Tilth (step ${found}; this one knows ${newest}). ` +
    'Start the newer version again, or restore a backup made before the update.'
  )
}

/** The settings that migrations/engine uses if the server has them. */
const bucketSettings = [
  'map_serialization_version',
  'map_buckets_strategy',
  'max_buckets_in_map',
  'map_buckets_min_avg_size',
]

async function formOf(client: EngineAccess): Promise<TableForm> {
  const known = await runQuery(
    client,
    sql`select name from system.merge_tree_settings where name in ${strings(bucketSettings)}`,
  )
  const [database] = await runQuery<{ engine: string }>(
    client,
    sql`select engine from system.databases where name = currentDatabase()`,
  )
  return tableForm({
    bucketedMaps: known.length === bucketSettings.length,
    replicated: database?.engine === 'Replicated',
  })
}

/** In a replicated database, tables must be replicated too; the names of the engines show whether it is one. */
export function tableForm({
  bucketedMaps,
  replicated,
}: {
  bucketedMaps: boolean
  replicated: boolean
}): TableForm {
  return {
    bucketedMaps,
    mergeTree: replicated ? sql`ReplicatedMergeTree` : sql`MergeTree`,
    replacingMergeTree: (version) =>
      replicated ? sql`ReplicatedReplacingMergeTree(${version})` : sql`ReplacingMergeTree(${version})`,
  }
}

function runQuery<Row>(client: EngineAccess, statement: Sql): Promise<Row[]> {
  return client.query<Row>(statement, { lane: 'ingest' })
}
