import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { backUp, type BackupOutcome, damageInWords } from '#backups/back-up'
import type { Manifest } from '#backups/manifest'
import type { Repository } from '#backups/repository'
import { BackupRefusedError } from '#backups/backup-refused'
import { parseSnapshotRetention } from '#backups/snapshot-retention'
import { realWorld } from '#world/world'
import { type Config, storeSettings } from '#server/config'
import { lockHolderOf, lockFolder } from '#server/start/lock'
import type { Installation } from '#server/main'
import {
  runAndPrint,
  inBytes,
  jsonOption,
  keyOption,
  openRepository,
  type BackupPlaceOptions,
  progressLine,
} from './backup-parts'
import type { TilthCommand } from './command'
import { table } from './with-product'

interface BackupOptions extends BackupPlaceOptions {
  withKeys?: boolean
  verify?: boolean
  aside?: string
}

const toOption = ['--to <place>', 'a folder or s3://bucket/path; TILTH_BACKUP otherwise'] as const

export const backupCommand: TilthCommand = (installation) =>
  new Command('backup')
    .description('write a snapshot of everything, while Tilth runs or not')
    .option(...toOption)
    .option(...keyOption)
    .option('--with-keys', 'include the files of keys although the backup is not encrypted')
    .option(
      '--verify',
      'instead restore the newest snapshot aside, and compare its answers with those recorded',
    )
    .option('--aside <folder>', 'where --verify restores to; a folder beside the data otherwise')
    .option(...jsonOption)
    .addHelpText('after', '\nWhat a snapshot holds, and how it comes back, is in docs/backups.md.')
    .action((options: BackupOptions) =>
      runAndPrint(options.json, async (config) =>
        options.verify
          ? await verifyBackup(config, installation, options)
          : await runBackup(config, options, installation),
      ),
    )
    .addCommand(list())
    .addCommand(check())
    .addCommand(prune())
    .addCommand(erasures())

function versionOf({ root }: Installation): string {
  // npm wrote it
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return version
}

async function runBackup(config: Config, options: BackupOptions, installation: Installation) {
  const repository = await openRepository(config, options, 'write')
  const outcome = await backUp({
    dataFolder: config.dataFolder,
    store: storeSettings(config),
    engineUrl: config.engineUrl,
    repository,
    retention: config.backup.retention,
    world: realWorld,
    tilth: versionOf(installation),
    withKeys: repository.isEncrypted || options.withKeys === true,
    progress: progressLine('Writing'),
    isHeld: () => lockHolderOf(config.dataFolder) !== undefined,
    hold: () => {
      const folder = lockFolder(config.dataFolder)
      return { release: () => folder.release('stopped') }
    },
    // late, because it loads the engine
    startEngine: async (folder) =>
      (await import('./restoring-engine')).embeddedEngineIn(folder, config, installation),
  })
  const { damage } = outcome.manifest
  if (damage) {
    process.stderr.write(`${damageInWords(damage)}\n`)
    process.exitCode = 1
  }
  return { json: backupJson(outcome), lines: backupLines(outcome, repository) }
}

const backupJson = ({ manifest, bytesAdded, tookMs, pruned }: BackupOutcome) => ({
  snapshot: manifest.name,
  at: manifest.point.at,
  bytes: manifest.bytes,
  bytesAdded,
  tookMs,
  leftOut: manifest.leftOut,
  damage: manifest.damage ?? [],
  pruned: pruned.snapshots,
})

const backupLines = (
  { manifest, bytesAdded, tookMs, pruned }: BackupOutcome,
  { target, isEncrypted }: Repository,
): string[] => [
  `Snapshot ${manifest.name} at ${target.address}${isEncrypted ? ', encrypted' : ''}: ` +
    `${inBytes(manifest.bytes)}, of which ${inBytes(bytesAdded)} new, in ${(tookMs / 1000).toFixed(1)} s.`,
  ...manifest.leftOut,
  ...(pruned.snapshots.length > 0 ? [`${pruned.snapshots.length} older snapshots were removed.`] : []),
]

async function verifyBackup(config: Config, installation: Installation, options: BackupOptions) {
  const repository = await openRepository(config, options, 'read')
  // late, because it loads the engine
  const { verifySnapshot } = await import('./verify-backup')
  const { manifest, questions, parts, storeCheck, differences, notCompared } = await verifySnapshot({
    config,
    installation,
    repository,
    aside: options.aside,
    progress: progressLine('Restoring aside'),
  })
  if (differences.length > 0)
    throw new BackupRefusedError(
      [`Snapshot ${manifest.name} is not what it should be:`, ...differences, ...notCompared].join('\n'),
    )
  const partsNote = parts > 0 ? `; ${parts} parts of the engine are whole` : ''
  const queriesNote = questions > 0 ? `, and ${questions} questions are answered as they were` : ''
  const restored = `Snapshot ${manifest.name} restores: ${filesOf(manifest)} files; ${storeCheck}`
  return {
    json: {
      snapshot: manifest.name,
      files: filesOf(manifest),
      questions,
      parts,
      storeCheck,
      differences,
      notCompared,
    },
    lines: [`${restored}${partsNote}${queriesNote}.`, ...notCompared],
  }
}

const filesOf = ({ groups }: Manifest): number => groups.reduce((sum, { files }) => sum + files.length, 0)

const list = (): Command =>
  new Command('list')
    .description('list the snapshots')
    .option(...toOption)
    .option(...keyOption)
    .option(...jsonOption)
    .action((_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<BackupPlaceOptions>()
      return runAndPrint(options.json, async (config) => {
        const repository = await openRepository(config, options, 'read')
        const manifests: Manifest[] = []
        for (const { name } of await repository.snapshots()) manifests.push(await repository.manifest(name))
        const rows = manifests.map((manifest) => [
          manifest.name,
          manifest.point.at,
          inBytes(manifest.bytes),
          manifest.tilth,
          String(manifest.point.projects?.reduce((sum, { events }) => sum + events, 0) ?? ''),
          manifest.damage ? 'damaged' : '',
        ])
        return {
          json: manifests.map(({ name, point, bytes, tilth, leftOut, damage = [] }) => ({
            name,
            at: point.at,
            bytes,
            tilth,
            projects: point.projects,
            leftOut,
            damage,
          })),
          lines: [
            ...table(['SNAPSHOT', 'AT', 'SIZE', 'TILTH', 'EVENTS', ''], rows),
            `${manifests.length} snapshots; ${inBytes(await repository.size())} at ${repository.target.address}.`,
          ],
        }
      })
    })

const check = (): Command =>
  new Command('check')
    .description('read everything that is there and verify it')
    .option(...toOption)
    .option(...keyOption)
    .option(...jsonOption)
    .action((_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<BackupPlaceOptions>()
      return runAndPrint(options.json, async (config) => {
        const repository = await openRepository(config, options, 'read')
        const report = await repository.check(progressLine('Reading'))
        if (report.problems.length > 0) throw new BackupRefusedError(report.problems.join('\n'))
        const { snapshots, blobs, bytes } = report
        return {
          json: report,
          lines: [`All is whole: ${snapshots} snapshots of ${blobs} blobs, ${inBytes(bytes)}.`],
        }
      })
    })

const prune = (): Command =>
  new Command('prune')
    .description('remove the snapshots that no rule keeps; every backup does so at its end')
    .option(...toOption)
    .option(...keyOption)
    .option('--keep <rules>', 'such as "last=3 daily=7"; TILTH_BACKUP_KEEP otherwise')
    .option(...jsonOption)
    .action((_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<BackupPlaceOptions & { keep?: string }>()
      return runAndPrint(options.json, async (config) => {
        const retention =
          options.keep === undefined ? config.backup.retention : parseSnapshotRetention(options.keep)
        if (!retention)
          throw new BackupRefusedError(`“${options.keep}” is no rule. Write for instance "last=3 daily=7".`)
        const repository = await openRepository(config, options, 'write')
        const report = await repository.withLock(() => repository.prune(retention))
        return {
          json: report,
          lines: [`${report.snapshots.length} snapshots and ${inBytes(report.bytes)} were removed.`],
        }
      })
    })

const erasures = (): Command =>
  new Command('erasures')
    .description('print the erasures of persons this Tilth knows, for "tilth restore --erasures"')
    .action(() =>
      runAndPrint(true, async (config) => {
        const { openStore } = await import('#store/open')
        const { everyErasureEver } = await import('#persons/erasures/erasures')
        const store = await openStore(storeSettings(config))
        try {
          const all = await everyErasureEver(store)
          const json = all.map(({ projectId, numbers, askedAt }) => ({ projectId, numbers, askedAt }))
          return { json, lines: [] }
        } finally {
          await store.close()
        }
      }),
    )
