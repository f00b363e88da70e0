import { randomBytes } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { Kysely, sql, type Transaction } from 'kysely'
import { storeMigrations } from '#migrations/store/all'
import { migrateStore, unfinishedTable } from '#store/migrate'
import { openPool, postgresDialect } from '#store/postgres'
import type { Manifest } from './manifest'
import { BackupRefusedError } from './backup-refused'
import { RowsChecksum } from './internal/rows-checksum'
import { exportFile } from './store-export'

type StoreDescription = Manifest['store']
type PostgresTransaction = Transaction<unknown>

/** The migrations write this table themselves. */
export const migrationsTable = 'migrations'

const rowsAtOnce = 500
const mostCharactersAtOnce = 8 * 1024 ** 2

/**
 * Throws a `BackupRefusedError` unless the database at `url` has no table yet. A restore that `resumes` one that was cut
 * short may use the database that this one marked as its own.
 */
export async function requireEmptyDatabase(
  url: string,
  { resumes = false } = {},
): Promise<'empty' | 'unfinished'> {
  return await inTransaction(url, (tables) => requireEmpty(tables, resumes))
}

async function requireEmpty(tables: PostgresTransaction, resumes: boolean): Promise<'empty' | 'unfinished'> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() order by name`.execute(tables)
  const [found] = rows
  if (!found) return 'empty'
  const isMarked = rows.some(({ name }) => name === unfinishedTable)
  if (isMarked && resumes) return 'unfinished'
  throw new BackupRefusedError(
    isMarked
      ? 'A restore into the database for the store was cut short. Repeat it into the same folder, or create an empty ' +
          'database and name it with --store. Nothing was restored.'
      : `The database for the store is not empty: it has the table ${found.name}. Create an empty database and name it ` +
          'with --store. Nothing was restored.',
  )
}

/**
 * Marks an empty database as one that the move of this id fills. Throws a `BackupRefusedError` if it is not empty and has
 * another mark or none.
 */
export async function markDatabase(url: string, id: string): Promise<void> {
  await inTransaction(url, async (tables) => {
    if ((await requireEmpty(tables, true)) === 'empty') return await addMark(tables, id)
    const { rows } = await sql<{
      snapshot: string
    }>`select snapshot from ${sql.table(unfinishedTable)}`.execute(tables)
    if (rows[0]?.snapshot === id) return
    throw new BackupRefusedError(
      'Another move or restore into the database for the store was cut short. Repeat that one, or name an empty database.',
    )
  })
}

async function addMark(tables: PostgresTransaction, by: string): Promise<void> {
  await tables.schema.createTable(unfinishedTable).addColumn('snapshot', 'text').execute()
  await sql`insert into ${sql.table(unfinishedTable)} values (${by})`.execute(tables)
}

/**
 * Creates the tables as the migrations of the snapshot's time made them, and loads every row, in one transaction. Returns
 * the differences from what the manifest recorded; with any, nothing is committed. The database is marked: Tilth does not
 * start on it before `finishPostgres`.
 */
export async function importPostgres(
  url: string,
  tree: string,
  store: StoreDescription,
  { resumes = false, by = '' } = {},
): Promise<string[]> {
  return await withOptionalCommit(url, async (tables) => {
    if ((await requireEmpty(tables, resumes)) === 'unfinished') await dropTables(tables)
    const differences = await load(tables, tree, store)
    await addMark(tables, by)
    return { outcome: differences, isCommitted: differences.length === 0 }
  })
}

/** Takes the mark of `importPostgres` away. */
export async function finishPostgres(url: string): Promise<void> {
  await inTransaction(url, async (tables) => {
    await tables.schema.dropTable(unfinishedTable).ifExists().execute()
  })
}

async function dropTables(tables: PostgresTransaction): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(tables)
  for (const { name } of rows) await sql`drop table ${sql.table(name)} cascade`.execute(tables)
}

/** Does the same in a schema of its own, and takes it all back: no other connection ever sees any of it. */
export async function rehearseImport(url: string, tree: string, store: StoreDescription): Promise<string[]> {
  return await withOptionalCommit(url, async (tables) => {
    const schema = `tilth_verify_${randomBytes(6).toString('hex')}`
    await sql`create schema ${sql.id(schema)}`.execute(tables)
    await sql`set local search_path to ${sql.id(schema)}`.execute(tables)
    return { outcome: await load(tables, tree, store), isCommitted: false }
  })
}

/** Compares the exported files with the manifest, where there is no server to load them into. */
export async function compareExport(tree: string, store: StoreDescription): Promise<string[]> {
  const differences: string[] = []
  for (const table of Object.keys(store.rows)) {
    const sum = new RowsChecksum()
    if (existsSync(exportFile(tree, table)))
      for await (const line of linesOf(exportFile(tree, table))) sum.add(line)
    differences.push(...differencesOf(table, sum, store))
  }
  return differences
}

class RolledBackError extends Error {}

/** Commits only what the work says is to be kept. */
async function withOptionalCommit<Outcome>(
  url: string,
  work: (tables: PostgresTransaction) => Promise<{ outcome: Outcome; isCommitted: boolean }>,
): Promise<Outcome> {
  let outcomes: Outcome[] = []
  try {
    await inTransaction(url, async (tables) => {
      const { outcome, isCommitted } = await work(tables)
      outcomes = [outcome]
      if (!isCommitted) throw new RolledBackError()
    })
  } catch (problem) {
    if (!(problem instanceof RolledBackError)) throw problem
  }
  const [outcome] = outcomes
  if (outcome === undefined) throw new Error('The transaction ended without an outcome.')
  return outcome
}

async function inTransaction<Outcome>(
  url: string,
  work: (tables: PostgresTransaction) => Promise<Outcome>,
): Promise<Outcome> {
  const database = new Kysely<unknown>({ dialect: postgresDialect(await openPool(url)) })
  try {
    return await database.transaction().execute(work)
  } finally {
    await database.destroy()
  }
}

async function load(tables: PostgresTransaction, tree: string, store: StoreDescription): Promise<string[]> {
  await migrateStore(tables, 'postgres', stepsOf(store), async () => {})
  const names = await parentsFirst(tables)
  refuseUnknownTables(names, store)
  // a step may have written rows, which the snapshot has as well
  for (const name of names.toReversed())
    if (name in store.rows) await sql`delete from ${sql.table(name)}`.execute(tables)
  const differences: string[] = []
  for (const name of names) {
    if (!(name in store.rows)) continue
    await loadTable(tables, name, exportFile(tree, name))
    differences.push(...differencesOf(name, await sumOf(tables, name), store))
  }
  return differences
}

export function stepsOf({ steps }: StoreDescription) {
  const unknown = steps.find((name) => !storeMigrations.some((step) => step.name === name))
  if (unknown !== undefined)
    throw new BackupRefusedError(
      `The snapshot was written by a newer Tilth (its store has step "${unknown}"). Use that version or a later one.`,
    )
  return storeMigrations.filter(({ name }) => steps.includes(name))
}

/** A table comes after all tables that its foreign keys refer to. The table of the migrations is not among them. */
async function parentsFirst(tables: PostgresTransaction): Promise<string[]> {
  const all = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by name`.execute(tables)
  const keys = await sql<{ child: string; parent: string }>`
    select child.relname as child, parent.relname as parent
    from pg_constraint
    join pg_class child on child.oid = conrelid
    join pg_class parent on parent.oid = confrelid
    where contype = 'f' and connamespace = current_schema()::regnamespace and conrelid <> confrelid`.execute(
    tables,
  )
  const ordered = new Set<string>()
  const visit = (name: string, above: readonly string[]): void => {
    if (ordered.has(name) || above.includes(name)) return
    for (const { child, parent } of keys.rows) if (child === name) visit(parent, [...above, name])
    ordered.add(name)
  }
  for (const { name } of all.rows) visit(name, [])
  return [...ordered].filter((name) => name !== migrationsTable)
}

export function refuseUnknownTables(names: readonly string[], { rows }: StoreDescription): void {
  const strange = Object.keys(rows).filter((name) => name !== migrationsTable && !names.includes(name))
  if (strange.length === 0) return
  throw new BackupRefusedError(
    `The snapshot has tables that Tilth did not make: ${strange.join(', ')}. Nothing was loaded.`,
  )
}

/** Postgres reads what it wrote: `row_to_json` when exported, `json_populate_recordset` here. */
async function loadTable(tables: PostgresTransaction, name: string, file: string): Promise<void> {
  for await (const rows of rowBatches(file))
    await sql`
      insert into ${sql.table(name)}
      select * from json_populate_recordset(null::${sql.table(name)}, ${rows}::json)`.execute(tables)
}

/** Some rows of an exported file at a time, each time as one array in JSON. */
export async function* rowBatches(file: string): AsyncGenerator<string> {
  let lines: string[] = []
  let characters = 0
  for await (const line of linesOf(file)) {
    lines.push(line)
    characters += line.length
    if (lines.length < rowsAtOnce && characters < mostCharactersAtOnce) continue
    yield `[${lines.join(',')}]`
    lines = []
    characters = 0
  }
  if (lines.length > 0) yield `[${lines.join(',')}]`
}

async function sumOf(tables: PostgresTransaction, name: string): Promise<RowsChecksum> {
  const sum = new RowsChecksum()
  await sql`declare loaded cursor for
    select row_to_json(${sql.table(name)})::text as line from ${sql.table(name)}`.execute(tables)
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(rowsAtOnce)} from loaded`.execute(tables)
    for (const { line } of rows) sum.add(line)
    if (rows.length === 0) break
  }
  await sql`close loaded`.execute(tables)
  return sum
}

export function differencesOf(
  table: string,
  sum: RowsChecksum,
  { rows, checksums }: StoreDescription,
): string[] {
  const recorded = rows[table] ?? 0
  if (sum.rows !== recorded) return [`${table} has ${sum.rows} rows instead of ${recorded}.`]
  const checksum = checksums?.[table]
  return checksum === undefined || checksum === sum.text ? [] : [`${table} has other rows than it had.`]
}

/** Only a line feed ends a row. Postgres escapes those inside of values, but not other separators of lines. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const text of createReadStream(file, { encoding: 'utf8' })) {
    const lines = (rest + String(text)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
