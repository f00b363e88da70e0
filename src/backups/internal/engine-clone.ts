import type { Engine } from '#engine/engine'
import { identifier, type Sql, sql, string } from '#engine/sql'

type EngineAccess = Pick<Engine, 'query' | 'command'>

/** Every table that the migrations of the engine make, without their own record. */
export const engineTables = ['events', 'person_overrides', 'persons', 'groups', 'installation'] as const
export type EngineTable = (typeof engineTables)[number]

/** The tables that a statement is about: those of the engine, or others of the same form. */
export type TableNames = (table: EngineTable) => Sql

export const liveTables: TableNames = (table) => identifier(table, engineTables)

const prefix = 'tilth_backup_'
const cloneDeadlineMs = 40_000
const deadlineMs = 10 * 60_000

/** The name of the table that holds one moment of `table` for the backup of this id, which is hexadecimal. */
export const cloneTableName = (id: string, table: EngineTable): string => `${prefix}${id}_${table}`

export const cloneIdentifier = (id: string, table: EngineTable): Sql =>
  tableIdentifier(cloneTableName(id, table))

const tableIdentifier = (name: string): Sql => identifier(name, [name])

/** A clone leaves out what UPDATE wrote beside the parts. Called before the moment of the clone, this leaves little to do in it. */
export async function applyPatches(engine: EngineAccess): Promise<void> {
  await engine.command(sql`alter table events apply patches settings mutations_sync = 2`, { deadlineMs })
}

/** Ends merges, which replace parts while they are read one by one: the rows of those not read yet would be left out. */
export async function keepParts(engine: Pick<Engine, 'command'>, tables: TableNames): Promise<void> {
  for (const table of engineTables)
    await engine.command(sql`
      alter table ${tables(table)}
        modify setting max_bytes_to_merge_at_max_space_in_pool = 1, max_bytes_to_merge_at_min_space_in_pool = 1`)
}

/** Lets the engine merge again, once no part is to be known by its hash any more. */
export async function letMerge(engine: Pick<Engine, 'command'>): Promise<void> {
  for (const table of engineTables)
    await engine.command(sql`
      alter table ${liveTables(table)}
        reset setting max_bytes_to_merge_at_max_space_in_pool, max_bytes_to_merge_at_min_space_in_pool`)
}

/** Links the parts of every table into a table beside it, on the server: no row is copied. Nothing may write meanwhile. */
export async function cloneTables(engine: EngineAccess, id: string): Promise<void> {
  await applyPatches(engine)
  for (const table of engineTables)
    await engine.command(sql`create table ${cloneIdentifier(id, table)} clone as ${tableIdentifier(table)}`, {
      deadlineMs: cloneDeadlineMs,
    })
}

/** Drops the clones of the backups that are not wanted any more. A server's limit for dropping tables is not for these. */
export async function dropClones(
  engine: EngineAccess,
  isWanted: (id: string) => boolean | Promise<boolean>,
): Promise<void> {
  const rows = await engine.query<{ name: string }>(
    sql`
      select name
      from system.tables
      where database = currentDatabase() and startsWith(name, ${string(prefix)})`,
    { lane: 'ingest' },
  )
  for (const { name } of rows) {
    const [, id] = /^tilth_backup_([0-9a-f]+)_\w+$/.exec(name) ?? []
    if (id === undefined || (await isWanted(id))) continue
    await engine.command(
      sql`drop table if exists ${tableIdentifier(name)} sync settings max_table_size_to_drop = 0`,
      {
        deadlineMs,
      },
    )
  }
}
