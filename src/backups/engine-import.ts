import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine } from '#engine/engine'
import { sql } from '#engine/sql'
import { unfinishedTableName, unfinishedTables } from './engine-transfer'
import { type EngineTable, engineTables, liveTables, type TableNames } from './internal/engine-clone'
import { engineExportFolder } from './internal/engine-export'
import { pointDifferences } from './internal/verification-queries'
import type { Manifest } from './manifest'
import { BackupRefusedError } from './backup-refused'

type EngineAccess = Pick<Engine, 'query' | 'command' | 'insertNative'>

export const hasEngineExport = (folder: string): boolean => existsSync(join(folder, engineExportFolder))

/** Throws a `BackupRefusedError` unless the tables are there, of a version that knows the snapshot, and empty. */
export async function requireEmptyEngine(engine: EngineAccess, { point, name }: Manifest): Promise<void> {
  const [row] = await engine.query<{ events: number }>(sql`select count() as events from events`, {
    lane: 'ingest',
  })
  if (row && row.events > 0)
    throw new BackupRefusedError(
      `The engine holds ${row.events} events already. Name an empty database in TILTH_ENGINE, or leave it out to restore ` +
        'them into the data folder. Nothing was restored.',
    )
  const known = await engine.query<{ number: number }>(
    sql`select distinct number from tilth_migrations order by number`,
    { lane: 'ingest' },
  )
  // the engine of an installation that did not run is asked when it starts on its files
  const steps = point.engine.form === 'at-rest' ? [] : (point.engine.steps ?? [])
  if (steps.some((step) => !known.some(({ number }) => number === step)))
    throw new BackupRefusedError(
      `Snapshot ${name} was written by a newer Tilth. Use that version or a later one.`,
    )
}

/** Inserts every slice into tables that are empty, one after the other. Returns how many there were. */
export async function importEngine(
  engine: EngineAccess,
  folder: string,
  manifest: Manifest,
): Promise<number> {
  await requireEmptyEngine(engine, manifest)
  for (const table of engineTables) await engine.command(sql`truncate table ${liveTables(table)}`)
  return await insertSlices(engine, folder, (table) => table)
}

/** Does the same into the tables of `createUnfinishedTables`, and compares them with what the manifest recorded. */
export async function importToServer(
  engine: EngineAccess,
  folder: string,
  manifest: Manifest,
): Promise<void> {
  await insertSlices(engine, folder, unfinishedTableName)
  await requireSame(engine, manifest, unfinishedTables)
}

/** Throws a `BackupRefusedError` if restored events are not what the manifest recorded. Damaged ones cannot be. */
export async function requireSame(
  engine: Pick<Engine, 'query'>,
  { name, point, damage }: Manifest,
  tables: TableNames = liveTables,
): Promise<void> {
  if (damage) return
  const differences = await pointDifferences(engine, point, tables)
  if (differences.length === 0) return
  throw new BackupRefusedError(
    [`The events of snapshot ${name} are not what they were, and were not restored:`, ...differences].join(
      '\n',
    ),
  )
}

async function insertSlices(
  engine: Pick<Engine, 'insertNative'>,
  folder: string,
  nameOf: (table: EngineTable) => string,
): Promise<number> {
  let slices = 0
  for (const table of engineTables)
    for (const file of await slicesOf(join(folder, engineExportFolder, table))) {
      await engine.insertNative(nameOf(table), await readFile(file))
      slices += 1
    }
  return slices
}

/** Removes the slices, which the next backup would take for a part of the data folder. */
export async function removeEngineExport(folder: string): Promise<void> {
  await rm(join(folder, engineExportFolder), { recursive: true, force: true })
}

async function slicesOf(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return []
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
}
