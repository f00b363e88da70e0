import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupRefusedError } from '#backups/backup-refused'
import { cloneSource, type EngineSource, linkedSource } from '#backups/engine-difference'
import type { Manifest } from '#backups/manifest'
import { treeOf } from '#backups/point'
import { stagingFolder } from '#backups/restore'
import { exportFolder } from '#backups/store-export'
import type { TakenPoint } from '#backups/take-point'
import type { Engine } from '#engine/engine'
import { linkPartsAtRest } from '#engine/part-links'
import { saltKeeperOf } from '#ingest/intake'
import { saltFileStorage, type SaltStorage } from '#ingest/salts'
import { storeSettings } from '#server/config'
import { openStore, type StoreSettings } from '#store/open'
import { type Move, movesEngine, movesStore } from './move-plan'
import { type AnswerComparison, compareAnswers } from './moved-answers'
import { loadStore } from './restored-store'
import { embeddedEngineIn, remoteEngineAt, whileReady } from './restoring-engine'

/** The engines of both forms while a point is copied. */
export interface MovedEngines {
  old: Engine
  next: Engine
  /** One moment of the old engine; undefined if the events stay where they are. */
  source: EngineSource | undefined
}

/** Starts an engine on links to the parts of the point, or asks the server that cloned them, beside the new engine. */
export async function whileBothReady<Outcome>(
  plan: Move,
  { point: { path, point } }: TakenPoint,
  aside: string,
  work: (engines: MovedEngines) => Promise<Outcome>,
): Promise<Outcome> {
  const { old, installation } = plan
  if (old.engineUrl === undefined) await linkPartsAtRest(join(treeOf(path), 'engine'), join(aside, 'engine'))
  const oldEngine =
    old.engineUrl === undefined ? embeddedEngineIn(aside, old, installation) : remoteEngineAt(old.engineUrl)
  return await whileReady(oldEngine, (engine) =>
    whileReady(newEngineOf(plan), async (nextEngine) => {
      if (!movesEngine(plan)) return await work({ old: engine, next: nextEngine, source: undefined })
      if (point.engine.form !== 'remote')
        return await work({ old: engine, next: nextEngine, source: await linkedSource(engine) })
      const { clone, trouble } = point.engine
      if (clone === undefined)
        throw new BackupRefusedError(
          `The server of TILTH_ENGINE could not clone its tables (${trouble ?? 'it was not asked'}), and without that no moment of it can be copied.`,
        )
      return await work({ old: engine, next: nextEngine, source: cloneSource(engine, clone) })
    }),
  )
}

function newEngineOf(plan: Move): Engine {
  const { next, installation } = plan
  return next.engineUrl === undefined
    ? embeddedEngineIn(stagingFolder(next.dataFolder), next, installation)
    : remoteEngineAt(next.engineUrl, { isBeingRestored: movesEngine(plan) })
}

/** Copies journal, pictures, keys and whatever else is in the folder; the files of the point are links to those of the old form. */
export async function bringFiles({ point: { path } }: TakenPoint, staging: string): Promise<void> {
  const tree = treeOf(path)
  await cp(tree, staging, { recursive: true, filter: (file) => file !== join(tree, 'engine') })
}

interface StoreToBring {
  /** The folder that has `store.db` or the export of a point. */
  from: string
  store: Manifest['store']
  id: string
}

/** Loads the store whole, compared row by row; what an earlier round loaded is replaced. */
export async function bringStore(plan: Move, { from, store, id }: StoreToBring): Promise<void> {
  const { storeUrl } = plan.next
  const target =
    storeUrl === undefined ? { form: 'sqlite' as const } : { form: 'postgres' as const, url: storeUrl }
  if (movesStore(plan)) await loadStore(from, { name: id, store }, target, true)
  // the export of a database that both forms name
  else await rm(join(from, exportFolder), { recursive: true, force: true })
}

/** Loads the store of a running form, so that what cannot be loaded is known before the stop. */
export async function rehearseStore(
  plan: Move,
  { point: { path }, store }: TakenPoint,
  id: string,
): Promise<void> {
  await bringStore(plan, { from: treeOf(path), store, id })
}

/** A move, unlike a backup, brings the salts, so that visitors without cookies do not count twice on that day. */
export async function bringSalts(plan: Move, staging: string): Promise<void> {
  if (!movesStore(plan)) return
  const { old } = plan
  const text = await withSalts(storeSettings(old), (salts) => salts.load())
  if (text !== undefined && text !== '[]')
    await withSalts(newStoreOf(plan, staging), (salts) => salts.save(text))
}

/** Postgres has the salts of several fronts; otherwise they are files. */
async function withSalts<Outcome>(
  settings: StoreSettings,
  work: (salts: SaltStorage) => Promise<Outcome>,
): Promise<Outcome> {
  const { folder: dataFolder, url } = settings
  if (url === undefined) return await work(saltFileStorage(dataFolder))
  const store = await openStore(settings)
  try {
    return await work(saltKeeperOf({ store, dataFolder }))
  } finally {
    await store.close()
  }
}

const newStoreOf = (plan: Move, staging: string): StoreSettings => ({
  folder: staging,
  ...(plan.next.storeUrl !== undefined && { url: plan.next.storeUrl, isBeingRestored: movesStore(plan) }),
})

/** Asks both forms. Throws a `BackupRefusedError` if an answer differs. */
export async function requireSameAnswers(
  plan: Move,
  { point: { path } }: TakenPoint,
  { old, next }: MovedEngines,
): Promise<AnswerComparison> {
  const comparison = await compareAnswers(
    { store: await copiedStoreOf(plan, path), engine: old },
    { store: newStoreOf(plan, stagingFolder(plan.next.dataFolder)), engine: next },
  )
  const { differences } = comparison
  if (differences.length === 0) return comparison
  throw new BackupRefusedError(
    ['The new form does not answer as the old one does, and nothing was switched:', ...differences].join(
      '\n',
    ),
  )
}

/** A copy of a file, because to open a store writes beside it. */
async function copiedStoreOf({ old }: Move, path: string): Promise<StoreSettings> {
  if (old.storeUrl !== undefined) return { folder: join(path, 'old'), url: old.storeUrl }
  const folder = join(path, 'old')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const copy = join(treeOf(path), 'store.db')
  if (existsSync(copy)) await copyFile(copy, join(folder, 'store.db'))
  return { folder }
}
