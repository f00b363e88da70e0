import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Engine } from '#engine/engine'
import { linkActiveParts } from '#engine/part-links'
import { SparingLook } from '#engine/sparing-look'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import {
  cloneRemote,
  damageIn,
  describeClone,
  describeEmbedded,
  type EngineDescription,
} from './describe-engine'
import { applyPatches, dropClones } from './engine-clone'
import type { BackupPoint } from '../manifest'
import {
  beginPoint,
  finishPoint,
  type JournalPart,
  linkJournal,
  linkOtherFiles,
  pointFolder,
  pointsIn,
  removePoint,
  treeOf,
} from '../point'
import { checkParts } from './part-check'
import { BackupRefusedError } from '../backup-refused'
import { isRunning } from './running-process'
import {
  type BackupRecord,
  endBackup,
  findBackup,
  forgetBackup,
  isOfMove,
  listBackups,
  setBackupState,
} from './store'

interface PointTakerSettings {
  store: Store
  engine: Engine
  world: World
  dataFolder: string
  /** Absent where the engine is a server of its own. */
  engineFolder: string | undefined
  journalId: string
  /** Does the work while nothing is carried from the journal into store and engine, nor persons from store to engine. */
  whileIngestIsPaused: <Result>(work: (journal: readonly JournalPart[]) => Promise<Result>) => Promise<Result>
  onTrouble: (problem: unknown) => void
}

/** A command that copies the store for longer than this is taken for dead. */
const storeCopiedWithinMs = 5 * 60_000
const lookEveryMs = 50

/**
 * Takes points for commands that ask for one. The order is what makes a point consistent. While events stay in the
 * journal, and changes of persons in the store: first the store, then the parts of the engine. So whatever the store says
 * was done to the engine is in it, and whatever the engine has of persons is in the store. What the journal holds beyond
 * that is stored once more at the next start, and recognised.
 */
export class PointTaker {
  private taking: Promise<void> | undefined
  private isWanted = false
  private readonly closing = new AbortController()
  private readonly cloneLook: SparingLook
  private readonly stopListening: () => void

  constructor(private readonly settings: PointTakerSettings) {
    this.cloneLook = new SparingLook(settings.engine, settings.world)
    this.stopListening = settings.store.onChange((topic) => {
      if (topic === 'backups') void this.takeRequested()
    })
  }

  /** Takes the points that were asked for, and removes those that no command needs any more. */
  async takeRequested(): Promise<void> {
    this.isWanted = true
    this.taking ??= this.takeWhileWanted().finally(() => (this.taking = undefined))
    await this.taking
  }

  async close(): Promise<void> {
    this.stopListening()
    this.closing.abort()
    await this.taking
  }

  private async takeWhileWanted(): Promise<void> {
    while (this.isWanted) {
      this.isWanted = false
      await this.takeAll().catch(this.settings.onTrouble)
    }
  }

  private async takeAll(): Promise<void> {
    await this.removeAbandoned()
    for (;;) {
      const request = (await this.records()).findLast(({ state }) => state === 'asked')
      if (!request) return
      await this.takePoint(request).catch((problem: unknown) => this.fail(request, problem))
    }
  }

  private async takePoint({ id, process }: BackupRecord): Promise<void> {
    const { store, dataFolder, whileIngestIsPaused, engine, engineFolder } = this.settings
    const path = await beginPoint(dataFolder, id)
    // the clone applies them again; what is done here is not done while events are held back
    if (!engineFolder) await applyPatches(engine).catch(() => {})
    const {
      at,
      journal,
      engine: found,
    } = await whileIngestIsPaused(async (files) => {
      await setBackupState(store, id, 'held')
      await this.waitForStoreCopy(id, process)
      return {
        at: this.settings.world.now().toISOString(),
        journal: await linkJournal(dataFolder, path, files),
        engine: engineFolder ? await this.linkEngine(engineFolder, path) : await cloneRemote(engine, id),
      }
    })
    await linkOtherFiles(dataFolder, path)
    const point: BackupPoint = { at, journal, ...(await this.describe(id, found)) }
    await finishPoint(path, point)
    await setBackupState(store, id, 'taken')
  }

  private async linkEngine(engineFolder: string, path: string): Promise<EngineDescription> {
    const { engine } = this.settings
    await linkActiveParts(engine, engineFolder, join(treeOf(path), 'engine'))
    return await describeEmbedded(engine)
  }

  /** Searches for damage while events are stored again: everything is read, which takes long. */
  private async describe(
    id: string,
    found: EngineDescription | { trouble: string } | undefined,
  ): Promise<EngineDescription> {
    const { engine } = this.settings
    const options = { detached: () => engine.health().detached, signal: this.closing.signal }
    if (found === undefined) return await describeClone(engine, id, options)
    if ('trouble' in found) return { engine: { form: 'remote', trouble: found.trouble }, answers: [] }
    return { ...found, ...damageIn(await checkParts(engine, options)) }
  }

  /** Clones of other fronts are on the same server. */
  private async dropOldClones(): Promise<void> {
    const { store, engine } = this.settings
    if (engine.health().status !== 'ready') return
    await dropClones(engine, async (id) => {
      const record = await findBackup(store, id)
      return record !== undefined && record.endedAt === undefined
    })
  }

  private async waitForStoreCopy(id: string, process: number): Promise<void> {
    const until = performance.now() + storeCopiedWithinMs
    for (;;) {
      const record = await findBackup(this.settings.store, id)
      if (record?.state === 'store-copied') return
      if (record?.state !== 'held' || !isRunning(process) || performance.now() > until)
        throw new BackupRefusedError('The command that asked for the backup has ended.')
      await pause(lookEveryMs)
    }
  }

  private async fail({ id }: BackupRecord, problem: unknown): Promise<void> {
    const { store, dataFolder, world, onTrouble } = this.settings
    onTrouble(problem)
    await removePoint(pointFolder(dataFolder, id))
    await endBackup(store, id, { at: world.now(), ...noSnapshotFields, trouble: messageOf(problem) })
  }

  /** A command that was killed leaves its point behind, and with it files that the engine would have removed. */
  private async removeAbandoned(): Promise<void> {
    const { store, dataFolder, world } = this.settings
    for (const record of await this.records()) {
      if (record.endedAt || isRunning(record.process)) continue
      if (isOfMove(record)) await forgetBackup(store, record.id)
      else
        await endBackup(store, record.id, {
          at: world.now(),
          ...noSnapshotFields,
          trouble: 'It was ended before it was done.',
        })
    }
    const wanted = new Set(
      (await this.records()).filter(({ endedAt }) => endedAt === undefined).map(({ id }) => id),
    )
    for (const id of await pointsIn(dataFolder))
      if (!wanted.has(id)) await removePoint(pointFolder(dataFolder, id))
    if (!this.settings.engineFolder)
      await this.cloneLook.take(JSON.stringify(await this.records()), () => this.dropOldClones())
  }

  private records(): Promise<BackupRecord[]> {
    return listBackups(this.settings.store, this.settings.journalId)
  }
}

const noSnapshotFields = { snapshot: undefined, bytes: undefined, bytesAdded: undefined, tookMs: undefined }

const messageOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem))
