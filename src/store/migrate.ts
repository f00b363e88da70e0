import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { StoreMigration } from '#migrations/store/all'
import { type Store, StoreRefusedError } from './store'

/** Applies the missing steps, forward only, in one transaction with their records. */
export async function migrateStore(
  tables: Kysely<unknown>,
  form: Store['form'],
  steps: readonly StoreMigration[],
  backup: () => Promise<void>,
): Promise<void> {
  // other schemas may hold copies of the same tables
  const schema = form === 'postgres' ? await currentSchema(tables) : undefined
  const migrator = new Migrator({
    db: tables,
    provider: { getMigrations: async () => toKyselyMigrations(steps, form) },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
  })
  const applied = await appliedStepNames(tables, schema)
  refuseNewerStore(applied, steps)
  if (applied.length === steps.length) return

  if (applied.length > 0) await backup()
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

function toKyselyMigrations(
  steps: readonly StoreMigration[],
  form: Store['form'],
): Record<string, Migration> {
  return Object.fromEntries(
    steps.map((step) => [step.name, { up: (tables: Kysely<unknown>) => step.up(tables, form) }]),
  )
}

async function currentSchema(tables: Kysely<unknown>): Promise<string | undefined> {
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(tables)
  return rows[0]?.name ?? undefined
}

async function appliedStepNames(tables: Kysely<unknown>, schema?: string): Promise<string[]> {
  const existing = await tables.introspection.getTables({ withInternalKyselyTables: true })
  const isThere = existing.some(
    (table) => table.name === 'migrations' && (schema === undefined || table.schema === schema),
  )
  if (!isThere) return []
  const known = tables as Kysely<{ migrations: { name: string } }> // Kysely's own table; this is the name it was given
  const rows = await known.selectFrom('migrations').select('name').execute()
  return rows.map((row) => row.name)
}

/** The table that marks a database in which a restore is under way. */
export const unfinishedTable = 'tilth_restoring'

/** Throws a `StoreRefusedError` if a restore into this database was cut short: its rows may look complete. */
export async function refuseUnfinishedRestore(tables: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ mark: string | null }>`
    select to_regclass(${unfinishedTable})::text as mark`.execute(tables)
  if (rows[0]?.mark === null) return
  throw new StoreRefusedError(
    'A restore into the database of TILTH_STORE was cut short, and it may lack something. Repeat tilth restore into the ' +
      'same folder, or name an empty database.',
  )
}

function refuseNewerStore(applied: readonly string[], steps: readonly StoreMigration[]): void {
  const unknown = applied.find((name) => !steps.some((step) => step.name === name))
  if (!unknown) return
  throw new StoreRefusedError(
    `This data was written by a newer Tilth (it has step "${unknown}"). Start that version or a later one, or restore ` +
      'the backup made before the upgrade. Nothing was changed.',
  )
}
