import { Client, type Connection } from './client'
import { identifier, sql, string, strings, uint, type Sql } from './sql'

/** One step in the history of the tables. It never changes once released: a mistake is mended by the next one. */
export interface Migration {
  number: number
  name: string
  /** Each must do no harm when run again: a migration that was cut short is begun anew. */
  statements: (form: TableForm) => Sql[]
}

/** What tables can be on this server. Migrations ask; nothing else knows that servers differ. */
export interface TableForm {
  /** The engine of every ordinary table. */
  mergeTree: Sql
  /** Of rows with the same key only the one with the highest version remains. */
  replacingMergeTree: (version: Sql) => Sql
  /** A map can be kept in buckets of keys, so that one key is read without the others. */
  bucketedMaps: boolean
}

/** What was done, or why nothing must be. */
export type Migrated = { applied: number[] } | { refused: string }

type Speaker = Pick<Client, 'query' | 'command'>

/** Rebuilding a large table may take its time. */
const deadlineMs = 60 * 60_000

/** Everything an engine needs before it is used: its database, and the tables in it. */
export async function bringUpToDate(client: Client, history: readonly Migration[]): Promise<Migrated> {
  await ensureDatabase(client.connection)
  return migrate(client, history)
}

/** Brings the tables to where this program expects them, in order, from wherever an earlier attempt was cut short. */
export async function migrate(client: Speaker, history: readonly Migration[]): Promise<Migrated> {
  const form = await formOf(client)
  await client.command(createRecord(form))
  const done = await recorded(client)
  const newest = Math.max(0, ...history.map(({ number }) => number))
  const beyond = Math.max(...done)
  if (beyond > newest) return { refused: tooNew(beyond, newest) }

  const pending = history.filter(({ number }) => !done.includes(number))
  for (const migration of pending) await apply(client, migration, form)
  return { applied: pending.map(({ number }) => number) }
}

/** The database is looked for before it is made, since whoever may use one may often not make one. */
async function ensureDatabase(connection: Connection): Promise<void> {
  const { database } = connection.address
  // A client that names a database which does not exist is not heard at all.
  const client = new Client({ ...connection, address: { ...connection.address, database: 'system' } })
  try {
    const found = await ask(client, sql`select name from system.databases where name = ${string(database)}`)
    if (found.length > 0) return
    await client.command(sql`create database if not exists ${identifier(database, [database])}`)
  } finally {
    await client.close()
  }
}

async function apply(
  client: Speaker,
  { number, name, statements }: Migration,
  form: TableForm,
): Promise<void> {
  for (const statement of statements(form)) await client.command(statement, { deadlineMs })
  await client.command(
    sql`insert into tilth_migrations (number, name) select ${uint(number)}, ${string(name)}`,
  )
}

const createRecord = ({ mergeTree }: TableForm) => sql`
  create table if not exists tilth_migrations (
    number UInt32,
    name String,
    at DateTime('UTC') default now()
  )
  engine = ${mergeTree}
  order by number`

async function recorded(client: Speaker): Promise<number[]> {
  const rows = await ask<{ number: number }>(client, sql`select distinct number from tilth_migrations`)
  return rows.map(({ number }) => number)
}

function tooNew(found: number, newest: number): string {
  return (
    `The engine's tables were made by a newer Tilth (step ${found}; this one knows ${newest}). ` +
    'Start the newer version again, or restore a backup made before the update.'
  )
}

/** What migrations/engine uses when the server has it. */
const bucketSettings = [
  'map_serialization_version',
  'map_buckets_strategy',
  'max_buckets_in_map',
  'map_buckets_min_avg_size',
]

async function formOf(client: Speaker): Promise<TableForm> {
  const known = await ask(
    client,
    sql`select name from system.merge_tree_settings where name in ${strings(bucketSettings)}`,
  )
  const [database] = await ask<{ engine: string }>(
    client,
    sql`select engine from system.databases where name = currentDatabase()`,
  )
  return tableForm({
    bucketedMaps: known.length === bucketSettings.length,
    replicated: database?.engine === 'Replicated',
  })
}

/** In a database that copies itself to replicas, tables must take part in it; the names of the engines say so. */
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

function ask<Row>(client: Speaker, question: Sql): Promise<Row[]> {
  return client.query<Row>(question, { lane: 'ingest' })
}
