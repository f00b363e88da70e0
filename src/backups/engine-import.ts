import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine } from '#engine/engine'
import { identifier, sql } from '#engine/sql'
import { engineTables } from './internal/engine-clone'
import { engineExportFolder } from './internal/engine-export'
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
  const steps = point.engine.form === 'remote' ? (point.engine.steps ?? []) : []
  if (steps.some((step) => !known.some(({ number }) => number === step)))
    throw new BackupRefusedError(
      `Snapshot ${name} was written by a newer Tilth. Use that version or a later one.`,
    )
}

/** Inserts every slice, one after the other. Returns how many there were. */
export async function importEngine(
  engine: EngineAccess,
  folder: string,
  manifest: Manifest,
): Promise<number> {
  await requireEmptyEngine(engine, manifest)
  let slices = 0
  for (const table of engineTables) {
    await engine.command(sql`truncate table ${identifier(table, engineTables)}`)
    for (const file of await slicesOf(join(folder, engineExportFolder, table))) {
      await engine.insertNative(table, await readFile(file))
      slices += 1
    }
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
