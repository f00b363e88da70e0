import { type Kysely, sql } from 'kysely'
import { type CopiesToDrop, StoreRefusedError } from '../store'

/** A schema of this prefix holds the tables as they were before an upgrade. */
const prefix = 'tilth_before_'

const nameFor = (at: Date): string => `${prefix}${at.toISOString().replaceAll(/\D/g, '')}`

/** Tables without rows in copies: deleted rows are to be gone for good. */
const withoutRows: ReadonlySet<string> = new Set(['visitor_salts'])

/** Postgres's code for a missing right. */
const insufficientPrivilege = '42501'

/**
 * Copies all tables into a schema of their own, within the transaction that goes on to change them. The schema can take
 * the place of the original by its name.
 */
export async function copyTablesAside(tables: Kysely<unknown>, at: Date): Promise<void> {
  const schema = nameFor(at)
  try {
    await sql`create schema ${sql.id(schema)}`.execute(tables)
  } catch (problem) {
    throw isForbidden(problem) ? missingRight(problem) : problem
  }
  const { rows } = await sql<{ name: string; is_unlogged: boolean }>`
    select relname as name, relpersistence = 'u' as is_unlogged
    from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace
    order by relname`.execute(tables)
  for (const { name, is_unlogged } of rows) {
    const copy = sql.id(schema, name)
    const kind = is_unlogged ? sql`unlogged table` : sql`table`
    await sql`create ${kind} ${copy} (like ${sql.table(name)} including all)`.execute(tables)
    if (!withoutRows.has(name))
      await sql`insert into ${copy} select * from ${sql.table(name)}`.execute(tables)
  }
  await copyForeignKeys(tables, schema)
}

/** `like` leaves them out. A definition names its table without a schema if that is the current one. */
async function copyForeignKeys(tables: Kysely<unknown>, schema: string): Promise<void> {
  const { rows } = await sql<{ on: string; name: string; definition: string; current: string }>`
    select relname as "on", conname as name, pg_get_constraintdef(c.oid) as definition, current_schema() as current
    from pg_constraint c
    join pg_class on pg_class.oid = conrelid
    where contype = 'f' and connamespace = current_schema()::regnamespace
    order by relname, conname`.execute(tables)
  const [first] = rows
  if (!first) return
  await sql`set local search_path to ${sql.id(schema)}`.execute(tables)
  for (const { on, name, definition } of rows)
    await sql`alter table ${sql.table(on)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(
      tables,
    )
  await sql`set local search_path to ${sql.id(first.current)}`.execute(tables)
}

/** Drops schemas of earlier upgrades. */
export async function dropCopies(
  tables: Kysely<unknown>,
  { madeBefore, mostKept }: CopiesToDrop,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select nspname as name from pg_namespace
    where starts_with(nspname, ${prefix}) order by nspname desc`.execute(tables)
  const limit = madeBefore && nameFor(madeBefore)
  const newestFirst = rows.map(({ name }) => name)
  const dropped = newestFirst.slice(mostKept ?? 0).filter((name) => limit === undefined || name < limit)
  for (const name of dropped) await sql`drop schema ${sql.id(name)} cascade`.execute(tables)
}

const isForbidden = (problem: unknown): boolean =>
  problem instanceof Error && 'code' in problem && problem.code === insufficientPrivilege

const missingRight = (cause: unknown): StoreRefusedError =>
  new StoreRefusedError(
    'This version changes the tables of the store, and the user of TILTH_STORE may not copy them into a schema of their ' +
      'own before. Run on that server as the owner of the database: grant create on database <name> to <user>. Then ' +
      'start again. Nothing was changed.',
    { cause },
  )
