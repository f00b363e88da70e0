import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupRefusedError } from '#backups/backup-refused'
import type { Manifest } from '#backups/manifest'
import { exportSqlite, importSqlite } from '#backups/store-crossing'
import { exportFolder } from '#backups/store-export'
import { finishPostgres, importPostgres, requireEmptyDatabase } from '#backups/store-import'

/** The form that a restored store takes. */
export type StoreTarget = { form: 'sqlite' } | { form: 'postgres'; url: string } | { form: 'export' }

/** Reads `--store`, or else `TILTH_STORE`. */
export function storeTargetOf({ name, store }: Manifest, given: string | undefined): StoreTarget {
  const isFile = store.form === 'sqlite'
  if (given === 'sqlite' || (isFile && (given === undefined || given === 'none'))) return { form: 'sqlite' }
  if (given === 'none') return { form: 'export' }
  if (given !== undefined) return { form: 'postgres', url: given }
  throw new BackupRefusedError(
    `The store of snapshot ${name} was in Postgres. Name an empty database with --store postgres://…, make it a file ` +
      'with --store sqlite, or leave its rows as text with --store none.',
  )
}

/** Looks before anything is written, so that a mistake costs no time. */
export async function refuseUsedDatabase(target: StoreTarget, resumes: boolean): Promise<void> {
  if (target.form === 'postgres') await requireEmptyDatabase(target.url, { resumes })
}

/** Brings the store from `folder` into the form of the target. */
export async function loadStore(
  folder: string,
  { name, store }: Pick<Manifest, 'name' | 'store'>,
  target: StoreTarget,
  resumes: boolean,
): Promise<void> {
  if (target.form === 'export' || (target.form === 'sqlite' && store.form === 'sqlite')) return
  const exported = store.form === 'sqlite' ? await exportSqlite(folder, store) : store
  const differences =
    target.form === 'sqlite'
      ? await importSqlite(folder, exported)
      : await importPostgres(target.url, folder, exported, { resumes, by: name })
  if (differences.length > 0)
    throw new BackupRefusedError(
      [`The store of ${name} is not what it was, and was not loaded:`, ...differences].join('\n'),
    )
  // the next backup would take these files for a part of the data folder
  await rm(join(folder, exportFolder), { recursive: true })
  if (target.form === 'postgres') await rm(join(folder, 'store.db'), { force: true })
}

export async function finishStore(target: StoreTarget): Promise<void> {
  if (target.form === 'postgres') await finishPostgres(target.url)
}
