import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { type ErasureRecord, erasuresSchema, type Manifest } from '#backups/manifest'
import { BackupRefusedError } from '#backups/backup-refused'
import { hasUnfinishedRestore, restore } from '#backups/restore'
import { sealFile } from '#flags/seal'
import type { Config } from '#server/config'
import { runAndPrint, inBytes, jsonOption, keyOption, openRepository, progressLine } from './backup-parts'
import type { Installation } from '#server/main'
import type { TilthCommand } from './command'
import type { StoreTarget } from './restored-store'

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
      'an empty Postgres database, or "sqlite" for a file; TILTH_STORE otherwise; "none" leaves what was in Postgres as text',
    )
    .option('--erasures <file>', 'persons erased since, as "tilth backup erasures" printed them')
    .option(...jsonOption)
    .addHelpText(
      'after',
      '\nThe events go to the server of TILTH_ENGINE, or else into the folder. Every byte is verified; see docs/backups.md.',
    )
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
  const storeGiven = options.store ?? config.storeUrl
  const resumes = hasUnfinishedRestore(folder)
  // late, because they load the engine and the store
  const events = await import('./restored-events')
  const stores = await import('./restored-store')
  let erased = 0
  const manifest = await restore({
    repository,
    snapshot,
    folder,
    progress,
    examine: async (found) => {
      if (snapshot === undefined) refuseDamaged(found)
      await stores.refuseUsedDatabase(stores.storeTargetOf(found, storeGiven), resumes)
      await events.refuseUsedServer({ manifest: found, config }, resumes)
    },
    prepare: async (incomingFolder, found) => {
      const target = stores.storeTargetOf(found, storeGiven)
      await events.loadEvents(incomingFolder, { manifest: found, config, installation })
      await stores.loadStore(incomingFolder, found, target, resumes)
      if (target.form === 'export') return
      // here, so that a restore that is killed meanwhile begins again and cannot leave an erased person in place
      const { repeatErasures } = await import('#backups/repeat-erasures')
      const store =
        target.form === 'postgres' ? { folder: incomingFolder, url: target.url } : { folder: incomingFolder }
      erased = await repeatErasures({ store, repository, manifest: found, additional: given })
    },
    finish: async (found) => {
      await stores.finishStore(stores.storeTargetOf(found, storeGiven))
      await events.finishEvents({ manifest: found, config })
    },
  })
  const target = stores.storeTargetOf(manifest, storeGiven)
  const outcome = {
    manifest,
    folder,
    target,
    erased,
    isOnServer: events.serverOf(manifest, config) !== undefined,
  }
  return { json: outcomeJson(outcome), lines: outcomeLines(outcome) }
}

interface RestoreOutcome {
  manifest: Manifest
  folder: string
  target: StoreTarget
  erased: number
  /** Whether the events are on the server of `TILTH_ENGINE`. */
  isOnServer: boolean
}

const outcomeJson = ({ manifest, folder, target, erased, isOnServer }: RestoreOutcome) => ({
  snapshot: manifest.name,
  at: manifest.point.at,
  folder,
  bytes: manifest.bytes,
  leftOut: manifest.leftOut,
  damage: manifest.damage ?? [],
  erased,
  storeLoaded: target.form !== 'export',
  store: target.form,
  isOnServer,
})

function outcomeLines({ manifest, folder, target, erased, isOnServer }: RestoreOutcome): string[] {
  const { name, bytes, leftOut, point, damage = [] } = manifest
  const hasStore = target.form !== 'export'
  const settings = [
    `TILTH_DATA=${folder}`,
    ...(target.form === 'postgres' ? ['TILTH_STORE'] : []),
    ...(isOnServer ? ['TILTH_ENGINE'] : []),
  ]
  return [
    `Snapshot ${name} of ${point.at} is in ${folder}: ${inBytes(bytes)}.`,
    ...(target.form === 'postgres' ? [`Its store is in Postgres: ${rowsOf(manifest)} rows.`] : []),
    ...(isOnServer
      ? ['Its events are on the server of TILTH_ENGINE, in the same number in every month.']
      : []),
    ...(hasStore ? [] : [`Its store lies in ${folder}/store, and no erasure was repeated in it.`]),
    ...leftOut,
    ...(hasStore && leftOut.some((sentence) => sentence.startsWith(sealFile))
      ? [`Put the copy of ${sealFile} into ${folder} before the start, which is refused without it.`]
      : []),
    ...damage,
    ...(erased > 0 ? [`${erased} erasures that came after it are done once more at the next start.`] : []),
    `Start Tilth with ${settings.join(' and ')}.`,
  ]
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

const rowsOf = ({ store }: Manifest): number => Object.values(store.rows).reduce((sum, rows) => sum + rows, 0)

function readErasures(file: string): ErasureRecord[] {
  try {
    return erasuresSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    throw new BackupRefusedError(
      `${file} cannot be read as a list of erasures. Write it with: tilth backup erasures`,
    )
  }
}
