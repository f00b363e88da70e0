import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { type ErasureRecord, erasuresSchema, type Manifest } from '#backups/manifest'
import { BackupRefusedError } from '#backups/backup-refused'
import { hasUnfinishedRestore, restore } from '#backups/restore'
import { exportFolder } from '#backups/store-export'
import { sealFile } from '#flags/seal'
import type { Config } from '#server/config'
import { runAndPrint, inBytes, jsonOption, keyOption, openRepository, progressLine } from './backup-parts'
import type { Installation } from '#server/main'
import type { TilthCommand } from './command'

interface Options {
  from?: string
  to?: string
  keyFile?: string
  store?: string
  erasures?: string
  json?: boolean
}

export const restoreCommand: TilthCommand = (installation) =>
  new Command('restore')
    .description('put a snapshot into an empty folder')
    .argument('[snapshot]', 'its name or the beginning of it; the newest otherwise')
    .option('--from <place>', 'a folder or s3://bucket/path; TILTH_BACKUP otherwise')
    .option('--to <folder>', 'an empty folder; TILTH_DATA otherwise')
    .option(...keyOption)
    .option(
      '--store <url>',
      'an empty Postgres database for a store that was in Postgres; TILTH_STORE otherwise; "none" leaves it in files',
    )
    .option('--erasures <file>', 'persons erased since, as "tilth backup erasures" printed them')
    .option(...jsonOption)
    .addHelpText('after', '\nEvery byte is verified before it is put in place; see docs/backups.md.')
    .action((snapshot: string | undefined, options: Options) =>
      runAndPrint(options.json, (config) => restoreSnapshot(config, installation, { ...options, snapshot })),
    )

async function restoreSnapshot(
  config: Config,
  installation: Installation,
  options: Options & { snapshot: string | undefined },
) {
  const { from, keyFile, to, snapshot } = options
  const repository = await openRepository(config, { to: from, keyFile }, 'read')
  const given = options.erasures === undefined ? [] : readErasures(options.erasures)
  const folder = to === undefined ? config.dataFolder : resolve(to)
  const progress = progressLine('Restoring')
  const storeUrl = options.store ?? config.storeUrl
  const resumes = hasUnfinishedRestore(folder)
  const hasStoreIn = ({ store }: Manifest) => store.form === 'sqlite' || storeUrl !== withoutStore
  let erased = 0
  const manifest = await restore({
    repository,
    snapshot,
    folder,
    progress,
    examine: async (found) => {
      if (snapshot === undefined) refuseDamaged(found)
      await refuseOtherStore(found, storeUrl, resumes)
      await refuseOtherEngine(found, config)
    },
    prepare: async (incomingFolder, found) => {
      await loadEvents(incomingFolder, found, { config, installation })
      await loadStore(incomingFolder, found, storeUrl, resumes)
      if (!hasStoreIn(found)) return
      // here, so that a restore that is killed meanwhile begins anew and cannot leave an erased person in place
      const { repeatErasures } = await import('#backups/repeat-erasures')
      const url = found.store.form === 'postgres' ? storeUrl : undefined
      const store = url === undefined ? { folder: incomingFolder } : { folder: incomingFolder, url }
      erased = await repeatErasures({ store, repository, manifest: found, additional: given })
    },
  })
  const hasStore = hasStoreIn(manifest)
  const { name, bytes, leftOut, point } = manifest
  const isInPostgres = manifest.store.form === 'postgres' && hasStore
  return {
    json: {
      snapshot: name,
      at: point.at,
      folder,
      bytes,
      leftOut,
      damage: manifest.damage ?? [],
      erased,
      storeLoaded: hasStore,
    },
    lines: [
      `Snapshot ${name} of ${point.at} is in ${folder}: ${inBytes(bytes)}.`,
      ...(isInPostgres ? [`Its store is in Postgres: ${rowsOf(manifest)} rows.`] : []),
      ...(hasStore ? [] : [`Its store lies in ${folder}/store, and no erasure was repeated in it.`]),
      ...leftOut,
      ...(hasStore && leftOut.some((sentence) => sentence.startsWith(sealFile))
        ? [`Put the copy of ${sealFile} into ${folder} before the start, which is refused without it.`]
        : []),
      ...(manifest.damage ?? []),
      ...(erased > 0 ? [`${erased} erasures that came after it are done once more at the next start.`] : []),
      `Start Tilth with TILTH_DATA=${folder}${isInPostgres ? ' and TILTH_STORE' : ''}.`,
    ],
  }
}

/** A snapshot of damaged data is restored only by its name. */
function refuseDamaged({ name, damage }: Manifest): void {
  if (!damage) return
  throw new BackupRefusedError(
    [
      `The newest snapshot, ${name}, was taken of damaged data. Restore an earlier one, which tilth backup list shows, or ` +
        'this one by its name. Nothing was restored.',
      ...damage,
    ].join('\n'),
  )
}

const withoutStore = 'none'

const isExported = ({ point: { engine } }: Manifest): boolean =>
  engine.form === 'remote' && engine.clone !== undefined

async function refuseOtherEngine(manifest: Manifest, { engineUrl }: Config): Promise<void> {
  if (!isExported(manifest) || engineUrl === undefined) return
  // late, because it loads the engine
  const { remoteEngineAt, whileReady } = await import('./restoring-engine')
  const { requireEmptyEngine } = await import('#backups/engine-import')
  await whileReady(remoteEngineAt(engineUrl), (engine) => requireEmptyEngine(engine, manifest))
}

/** Into the server of TILTH_ENGINE, or else into an engine in the data folder. */
async function loadEvents(
  incomingFolder: string,
  manifest: Manifest,
  { config, installation }: { config: Config; installation: Installation },
): Promise<void> {
  if (!isExported(manifest)) return
  const { remoteEngineAt, embeddedEngineIn, whileReady } = await import('./restoring-engine')
  const { importEngine, removeEngineExport } = await import('#backups/engine-import')
  const { engineUrl } = config
  const engine =
    engineUrl === undefined
      ? embeddedEngineIn(incomingFolder, config, installation)
      : remoteEngineAt(engineUrl)
  await whileReady(engine, (ready) => importEngine(ready, incomingFolder, manifest))
  await removeEngineExport(incomingFolder)
}

const rowsOf = ({ store }: Manifest): number => Object.values(store.rows).reduce((sum, rows) => sum + rows, 0)

/** Looks before anything is written, so that a mistake costs no time. */
async function refuseOtherStore(
  { name, store }: Manifest,
  url: string | undefined,
  resumes: boolean,
): Promise<void> {
  if (url === withoutStore) return
  if (store.form === 'sqlite') {
    if (url === undefined) return
    throw new BackupRefusedError(
      `The store of snapshot ${name} is a file, which cannot be loaded into Postgres. Restore without --store and TILTH_STORE.`,
    )
  }
  if (url === undefined)
    throw new BackupRefusedError(
      `The store of snapshot ${name} was in Postgres. Name an empty database with --store postgres://…, or leave the ` +
        'store in files with --store none.',
    )
  const { requireEmptyDatabase } = await import('#backups/store-import')
  await requireEmptyDatabase(url, resumes ? store : undefined)
}

async function loadStore(
  incomingFolder: string,
  { name, store }: Manifest,
  url: string | undefined,
  resumes: boolean,
): Promise<void> {
  if (store.form === 'sqlite' || url === undefined || url === withoutStore) return
  const { importPostgres } = await import('#backups/store-import')
  const differences = await importPostgres(url, incomingFolder, store, { isUnfinished: resumes })
  if (differences.length > 0)
    throw new BackupRefusedError(
      [`The store of snapshot ${name} is not what it was, and was not loaded:`, ...differences].join('\n'),
    )
  // the next backup would take these files for a part of the data folder
  await rm(join(incomingFolder, exportFolder), { recursive: true })
}

function readErasures(file: string): ErasureRecord[] {
  try {
    return erasuresSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    throw new BackupRefusedError(
      `${file} cannot be read as a list of erasures. Write it with: tilth backup erasures`,
    )
  }
}
