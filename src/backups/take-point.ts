import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseEngineUrl } from '#engine/address'
import { EngineClient } from '#engine/client'
import type { Engine } from '#engine/engine'
import { linkPartsAtRest } from '#engine/part-links'
import { openStore, type StoreSettings } from '#store/open'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { BackupRefusedError } from './backup-refused'
import { dropClones } from './internal/engine-clone'
import { cloneRemote, damageIn, describeClone, describeEmbedded } from './internal/describe-engine'
import { checkParts } from './internal/part-check'
import {
  addBackup,
  type BackupRecord,
  type BackupState,
  endBackup,
  findBackup,
  forgetBackup,
  setBackupState,
} from './internal/store'
import { copySqlite, damageOfSqlite, type StoreCopy } from './internal/store-copy'
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
import { copyPostgres } from './store-export'

export { moveTargetOf } from './internal/store'

export interface PointSettings {
  dataFolder: string
  store: StoreSettings
  /** The address of the engine that has the events, if it is a server. */
  engineUrl?: string | undefined
  /** The name of the destination, for the history of backups. */
  target: string
  world: World
  /** Whether a Tilth runs on the data folder. */
  isHeld: () => boolean
  /** Keeps every Tilth off the data folder. */
  hold: () => { release: () => void }
  /** Leaves the events of a server as they are cloned, where the caller reads and compares them itself. */
  isCloneOnly?: boolean
  /** Starts an engine in a data folder, to look at the parts of a Tilth that does not run. */
  startEngine?: ((dataFolder: string) => Promise<Engine>) | undefined
}

export interface TakenPoint extends StoreCopy {
  point: PointFolder
  /** Records the outcome, where a running Tilth keeps the history. */
  finish: (end: Omit<Parameters<typeof endBackup>[2], 'at'>) => Promise<void>
  /** Leaves nothing in the history. */
  forget: () => Promise<void>
}

/** Takes a point of a Tilth that runs, or of one that does not. */
export async function takePoint(settings: PointSettings): Promise<TakenPoint> {
  if (settings.isHeld()) return await takePointOfRunning(settings)
  const held = settings.hold()
  try {
    return await takePointAtRest(settings)
  } finally {
    held.release()
  }
}

async function takePointAtRest(settings: PointSettings): Promise<TakenPoint> {
  const { dataFolder, store, world, engineUrl } = settings
  const id = newId(world)
  const path = await beginPoint(dataFolder, id)
  try {
    const damage = damageOfStore(settings)
    const copy = await copyStore(store, path)
    await linkAtRest(dataFolder, path)
    const found = await readPoint(path)
    const cloned =
      engineUrl === undefined ? found : await withClonedTables(found, { ...settings, engineUrl }, id)
    return {
      point: await withPartsLookedAt(cloned, settings),
      ...copy,
      damage,
      finish: async () => {},
      forget: async () => {},
    }
  } catch (problem) {
    await removePoint(path)
    throw problem
  }
}

/** The tables are cloned here where no Tilth runs that could do it. */
async function withClonedTables(
  taken: PointFolder,
  { engineUrl, isCloneOnly = false }: PointSettings & { engineUrl: string },
  id: string,
): Promise<PointFolder> {
  if (taken.point.engine.form !== 'remote') return taken
  const client = clientAt(engineUrl)
  try {
    const failed = await cloneRemote(client, id)
    const engine = { form: 'remote' as const, ...(failed ?? { clone: id }) }
    const isDescribed = !failed && !isCloneOnly
    const description = isDescribed ? await describeClone(client, id) : { engine, answers: [] }
    return { ...taken, point: { ...taken.point, ...description } }
  } finally {
    await client.close()
  }
}

/**
 * Starts an engine on further links to the parts of a point, which it may merge and bring up to date: the point keeps
 * the parts as they are.
 */
async function withPartsLookedAt(taken: PointFolder, { startEngine }: PointSettings): Promise<PointFolder> {
  if (taken.point.engine.form !== 'at-rest' || !startEngine) return taken
  const aside = join(taken.path, 'aside')
  await linkPartsAtRest(join(treeOf(taken.path), 'engine'), join(aside, 'engine'))
  const engine = await startEngine(aside)
  let checked: ReturnType<typeof damageIn> = {}
  try {
    await Promise.race([engine.ready(), pause(engineStartsWithinMs, undefined, { ref: false })])
    // before queries are asked: a part that fails one is taken out of use
    checked = damageIn(await checkParts(engine, { detached: () => engine.health().detached }))
    const { projects, answers } = await describeEmbedded(engine)
    return { ...taken, point: { ...taken.point, projects, answers, ...checked } }
  } catch (problem) {
    const trouble = `The events could not be read: ${messageOf(problem)}`
    const unchecked = [...(checked.unchecked ?? []), trouble]
    return { ...taken, point: { ...taken.point, ...checked, unchecked } }
  } finally {
    await engine.close()
    await rm(aside, { recursive: true, force: true })
  }
}

const engineStartsWithinMs = 120_000

/** Drops the clone of a point on a server. */
export async function dropPointClones(engineUrl: string, { point: { engine } }: PointFolder): Promise<void> {
  const id = engine.form === 'remote' ? engine.clone : undefined
  if (id === undefined) return
  const client = clientAt(engineUrl)
  try {
    await dropClones(client, (other) => other !== id)
  } finally {
    await client.close()
  }
}

const clientAt = (engineUrl: string): EngineClient =>
  new EngineClient({ address: parseEngineUrl(engineUrl), queriesAtOnce: 1 })

async function takePointOfRunning(settings: PointSettings): Promise<TakenPoint> {
  const { dataFolder, world, target } = settings
  const store = await openStore(settings.store)
  const id = newId(world)
  const end: TakenPoint['finish'] = async (ended) => {
    await endBackup(store, id, { ...ended, at: world.now() })
    await store.close()
  }
  const forget: TakenPoint['forget'] = async () => {
    await forgetBackup(store, id)
    await store.close()
  }
  try {
    const damage = damageOfStore(settings)
    const journal = await journalIdOf(dataFolder)
    await addBackup(store, {
      ...emptyRecordFields,
      id,
      journal,
      process: process.pid,
      target,
      askedAt: world.now(),
    })
    await waitForState(settings, store, id, 'held', holdTimeoutMs)
    const copy = await copyStore(settings.store, pointFolder(dataFolder, id))
    await setBackupState(store, id, 'store-copied')
    await waitForState(settings, store, id, 'taken', takeTimeoutMs)
    return { point: await readPoint(pointFolder(dataFolder, id)), ...copy, damage, finish: end, forget }
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
/** All parts are searched for damage within it. */
const takeTimeoutMs = 2 * 60 * 60_000
const pollEveryMs = 25

async function waitForState(
  { isHeld }: Pick<PointSettings, 'isHeld'>,
  store: Store,
  id: string,
  state: BackupState,
  withinMs: number,
): Promise<void> {
  const until = performance.now() + withinMs
  for (;;) {
    const record = await findBackup(store, id)
    if (record?.state === state) return
    if (record?.state === 'failed')
      throw new BackupRefusedError(`No point could be taken: ${record.trouble ?? 'the reason is not known'}`)
    if (performance.now() > until || !isHeld())
      throw new BackupRefusedError(
        'The Tilth that runs on this data folder took no point in time. Look at its log; it must be of this version.',
      )
    await pause(pollEveryMs)
  }
}

const damageOfStore = ({ store: { folder, url } }: PointSettings): string[] =>
  url ? [] : damageOfSqlite(folder)

const copyStore = async ({ folder, url }: StoreSettings, path: string): Promise<Omit<StoreCopy, 'damage'>> =>
  url ? await copyPostgres(url, treeOf(path)) : copySqlite(folder, treeOf(path))

const newId = (world: World): string => Buffer.from(world.random(9)).toString('hex')

const messageOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem))
