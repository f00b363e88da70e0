import { setTimeout as pause } from 'node:timers/promises'
import { parseEngineUrl } from '#engine/address'
import { EngineClient } from '#engine/client'
import { openStore, type StoreSettings } from '#store/open'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { describeRemote } from './describe-engine'
import { dropClones } from './engine-clone'
import { exportEngine } from './engine-export'
import type { Manifest } from './manifest'
import {
  beginPoint,
  journalIdOf,
  linkAtRest,
  pointFolder,
  type PointFolder,
  readPoint,
  removePoint,
  treeOf,
} from './point'
import { BackupRefusedError } from './backup-refused'
import type { PruneReport, Repository } from './repository'
import type { SnapshotRetention } from './snapshot-retention'
import {
  addBackup,
  type BackupRecord,
  type BackupState,
  findBackup,
  endBackup,
  setBackupState,
} from './store'
import { copySqlite, type StoreCopy } from './store-copy'
import { copyPostgres } from './store-export'
import { type SnapshotSettings, writeSnapshot } from './write-snapshot'

export interface BackupSettings extends SnapshotSettings {
  dataFolder: string
  store: StoreSettings
  /** Where the events are, if on a server. */
  engineUrl?: string | undefined
  repository: Repository
  retention: SnapshotRetention
  world: World
  /** Whether a Tilth runs on the data folder. */
  isHeld: () => boolean
  /** Keeps every Tilth off the data folder. */
  hold: () => { release: () => void }
}

export interface BackupOutcome {
  manifest: Manifest
  bytesAdded: number
  tookMs: number
  pruned: PruneReport
}

interface PointToBackUp extends StoreCopy {
  point: PointFolder
  /** Records the outcome, where a running Tilth keeps the history. */
  finish: (end: Omit<Parameters<typeof endBackup>[2], 'at'>) => Promise<void>
}

/** Takes a point, writes it to the repository, and removes what no rule keeps any more. */
export async function backUp(settings: BackupSettings): Promise<BackupOutcome> {
  const { repository, retention } = settings
  return await repository.withLock(async () => {
    const beganAt = performance.now()
    const taken = await takePoint(settings)
    const nothing = { snapshot: undefined, bytes: undefined, bytesAdded: undefined, tookMs: undefined }
    try {
      const manifest = await withRemoteEngine(settings, taken.point, (exporting) =>
        writeSnapshot(repository, taken.point, taken, { ...settings, exportEngine: exporting }),
      )
      const tookMs = Math.round(performance.now() - beganAt)
      const { name: snapshot, bytes } = manifest
      const { bytesAdded } = repository
      await taken.finish({ snapshot, bytes, bytesAdded, tookMs, trouble: undefined })
      return { manifest, bytesAdded, tookMs, pruned: await repository.prune(retention) }
    } catch (problem) {
      await taken.finish({ ...nothing, trouble: messageOf(problem) }).catch(() => {})
      throw problem
    } finally {
      await removePoint(taken.point.path)
    }
  })
}

const messageOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem))

async function takePoint(settings: BackupSettings): Promise<PointToBackUp> {
  if (settings.isHeld()) return await takePointOfRunning(settings)
  const held = settings.hold()
  try {
    return await takePointAtRest(settings)
  } finally {
    held.release()
  }
}

async function takePointAtRest(settings: BackupSettings): Promise<PointToBackUp> {
  const { dataFolder, store, world, engineUrl } = settings
  const id = newId(world)
  const path = await beginPoint(dataFolder, id)
  try {
    const copy = await copyStore(store, path)
    await linkAtRest(dataFolder, path)
    const found = await readPoint(path)
    const point = engineUrl === undefined ? found : await withClonedTables(found, engineUrl, id)
    return { point, ...copy, finish: async () => {} }
  } catch (problem) {
    await removePoint(path)
    throw problem
  }
}

/** The tables are cloned here where no Tilth runs that could do it. */
async function withClonedTables(taken: PointFolder, engineUrl: string, id: string): Promise<PointFolder> {
  if (taken.point.engine.form !== 'remote') return taken
  const client = clientAt(engineUrl)
  try {
    return { ...taken, point: { ...taken.point, ...(await describeRemote(client, id)) } }
  } finally {
    await client.close()
  }
}

type EngineExporter = SnapshotSettings['exportEngine']

/** Gives the work a way to export the clone that the point names, and drops the clone at the end. */
async function withRemoteEngine<Outcome>(
  { engineUrl, repository }: BackupSettings,
  { point: { engine } }: PointFolder,
  work: (exporting: EngineExporter) => Promise<Outcome>,
): Promise<Outcome> {
  const id = engine.form === 'remote' ? engine.clone : undefined
  if (id === undefined || engineUrl === undefined) return await work(undefined)
  const client = clientAt(engineUrl)
  try {
    return await work((before) => exportEngine(client, id, { repository, before }))
  } finally {
    await dropClones(client, (other) => other !== id).catch(() => {})
    await client.close()
  }
}

const clientAt = (engineUrl: string): EngineClient =>
  new EngineClient({ address: parseEngineUrl(engineUrl), questionsAtOnce: 1 })

async function takePointOfRunning(settings: BackupSettings): Promise<PointToBackUp> {
  const { dataFolder, world, repository } = settings
  const store = await openStore(settings.store)
  const id = newId(world)
  const end: PointToBackUp['finish'] = async (ended) => {
    await endBackup(store, id, { ...ended, at: world.now() })
    await store.close()
  }
  try {
    const journal = await journalIdOf(dataFolder)
    const target = repository.target.address
    await addBackup(store, {
      ...emptyRecordFields,
      id,
      journal,
      process: process.pid,
      target,
      askedAt: world.now(),
    })
    await waitForState(store, id, 'held', holdTimeoutMs)
    const copy = await copyStore(settings.store, pointFolder(dataFolder, id))
    await setBackupState(store, id, 'store-copied')
    await waitForState(store, id, 'taken', takeTimeoutMs)
    return { point: await readPoint(pointFolder(dataFolder, id)), ...copy, finish: end }
  } catch (problem) {
    await end({ ...emptyRecordFields, trouble: messageOf(problem) }).catch(() => {})
    throw problem
  }
}

const emptyRecordFields = {
  endedAt: undefined,
  snapshot: undefined,
  trouble: undefined,
  bytes: undefined,
  bytesAdded: undefined,
  tookMs: undefined,
} satisfies Partial<BackupRecord>

const holdTimeoutMs = 60_000
const takeTimeoutMs = 10 * 60_000
const pollEveryMs = 25

async function waitForState(store: Store, id: string, state: BackupState, withinMs: number): Promise<void> {
  const until = performance.now() + withinMs
  for (;;) {
    const record = await findBackup(store, id)
    if (record?.state === state) return
    if (record?.state === 'failed')
      throw new BackupRefusedError(`No point could be taken: ${record.trouble ?? 'the reason is not known'}`)
    if (performance.now() > until)
      throw new BackupRefusedError(
        'The Tilth that runs on this data folder took no point in time. Look at its log; it must be of this version.',
      )
    await pause(pollEveryMs)
  }
}

const copyStore = async ({ folder, url }: StoreSettings, path: string): Promise<StoreCopy> =>
  url ? await copyPostgres(url, treeOf(path)) : copySqlite(folder, treeOf(path))

const newId = (world: World): string => Buffer.from(world.random(9)).toString('hex')
