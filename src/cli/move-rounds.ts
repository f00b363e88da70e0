import { rm } from 'node:fs/promises'
import { BackupRefusedError } from '#backups/backup-refused'
import { copyDifferences, letMerge } from '#backups/engine-difference'
import { finishTransfer, markServer, requireServerFor } from '#backups/engine-transfer'
import {
  clearArrivedFiles,
  knownSumsOf,
  type MoveFolder,
  noteMove,
  notePoint,
  openMoveFolder,
  removeLastPoint,
} from '#backups/move-folder'
import { asideFolder, journalIdOf, removePoint } from '#backups/point'
import { end, hasEnded, placeFiles, stagingFolder } from '#backups/restore'
import { requireNoOpenJournals, requireNoOtherClients } from '#backups/store-clients'
import { finishPostgres, markDatabase, requireEmptyDatabase } from '#backups/store-import'
import { dropPointClones, moveTargetOf, takePoint, type TakenPoint } from '#backups/take-point'
import { storeSettings } from '#server/config'
import { lockFolder, lockHolderOf } from '#server/start/lock'
import { openStore } from '#store/open'
import { realWorld } from '#world/world'
import { progressLine } from './backup-parts'
import { type Move, movesEngine, movesStore } from './move-plan'
import type { AnswerComparison } from './moved-answers'
import {
  bringFiles,
  bringSalts,
  bringStore,
  type MovedEngines,
  rehearseStore,
  requireSameAnswers,
  whileBothReady,
} from './moved-parts'
import { remoteEngineAt, whileConnected, whileReady } from './restoring-engine'

export interface RoundReport {
  /** The instant of the point that the new form has. */
  at: string
  /** The number of copied rows of the engine. */
  rows: number
  tookMs: number
  /** Whether so much time has passed that another round makes the stop shorter. */
  isWorthAnother: boolean
}

export interface MoveOutcome {
  /** The number of rows of the engine that were copied after the stop. */
  rows: number
  /** Undefined if a move that was killed while it switched had compared already. */
  comparison: AnswerComparison | undefined
}

type Say = (text: string) => void

const withoutPassword = (url: string | undefined, otherwise: string): string =>
  url?.replace(/:[^:@/]*@/, '@') ?? otherwise

/** Begins a move or goes on with one. What the new form is to be filled with is marked before anything is copied. */
export async function beginMove(plan: Move): Promise<MoveFolder> {
  const { old, next } = plan
  const forms = {
    from: old.dataFolder,
    engine: withoutPassword(next.engineUrl, 'embedded'),
    store: withoutPassword(next.storeUrl, 'sqlite'),
  }
  const folder = await openMoveFolder(next.dataFolder, forms, realWorld)
  if (hasEnded(next.dataFolder)) return folder
  const engineUrl = movesEngine(plan) ? next.engineUrl : undefined
  const storeUrl = movesStore(plan) ? next.storeUrl : undefined
  if (engineUrl !== undefined)
    await whileConnected(engineUrl, (server) => requireServerFor(server, folder.id))
  if (storeUrl !== undefined) await requireEmptyDatabase(storeUrl, { resumes: true })
  await noteMove(folder, forms)
  await removeLastPoint(folder)
  await clearArrivedFiles(folder)
  if (storeUrl !== undefined) await markDatabase(storeUrl, folder.id)
  if (engineUrl !== undefined)
    await whileReady(remoteEngineAt(engineUrl, { isBeingRestored: true }), (server) =>
      markServer(server, folder.id),
    )
  return folder
}

/** Brings everything up to now into the new form, while the old one runs. */
export async function bringRunning(plan: Move, folder: MoveFolder, say: Say): Promise<RoundReport> {
  const beganAt = performance.now()
  say('Taking a point of the running Tilth.')
  const { at, rows } = await withPoint(plan, folder, 'running', (taken, aside) =>
    whileBothReady(plan, taken, aside, async (engines) => {
      const copied = await copyEvents(engines, folder, say)
      await rehearseStore(plan, taken, folder.id)
      return { at: taken.point.point.at, rows: copied }
    }),
  )
  const tookMs = performance.now() - beganAt
  return { at, rows, tookMs, isWorthAnother: tookMs > longRoundMs && rows > fewRows }
}

/** After a round that is shorter, the next one would copy about as much. */
const longRoundMs = 60_000
const fewRows = 100_000

/** Brings the rest from a form that has stopped, compares both, and takes the marks away. The caller holds the old folder. */
export async function finishMove(plan: Move, folder: MoveFolder, say: Say): Promise<MoveOutcome> {
  const { next } = plan
  let outcome: MoveOutcome = { rows: 0, comparison: undefined }
  if (!hasEnded(next.dataFolder)) {
    await requireStoppedFronts(plan)
    say('Tilth has stopped. Taking the last point.')
    outcome = await withPoint(plan, folder, 'stopped', (taken, aside) =>
      whileBothReady(plan, taken, aside, async (engines) => {
        const rows = await copyEvents(engines, folder, say)
        say('Bringing the store and the files.')
        const staging = stagingFolder(next.dataFolder)
        await bringFiles(taken, staging)
        await bringStore(plan, { from: staging, store: taken.store, id: folder.id })
        await bringSalts(plan, staging)
        say('Asking both forms the same questions.')
        const comparison = await requireSameAnswers(plan, taken, engines)
        if (movesEngine(plan)) await letMerge(engines.next)
        return { rows, comparison }
      }),
    )
    say('Switching.')
    await placeFiles(next.dataFolder, folder.id)
  }
  await end(next.dataFolder, async () => {
    if (next.storeUrl !== undefined && movesStore(plan)) await finishPostgres(next.storeUrl)
    if (next.engineUrl !== undefined && movesEngine(plan))
      await whileConnected(next.engineUrl, finishTransfer)
  })
  return outcome
}

/** Fronts that share a Postgres store have a data folder each, of which this command sees one. */
async function requireStoppedFronts({ old, without }: Move): Promise<void> {
  if (old.storeUrl === undefined) return
  await requireNoOtherClients(old.storeUrl)
  const store = await openStore(storeSettings(old))
  try {
    await requireNoOpenJournals(store, await journalIdOf(old.dataFolder), without)
  } finally {
    await store.close()
  }
}

async function copyEvents({ source, next }: MovedEngines, folder: MoveFolder, say: Say): Promise<number> {
  if (!source) return 0
  say('Copying the events that are not the same yet.')
  return await copyDifferences({
    from: source,
    to: next,
    known: await knownSumsOf(folder),
    progress: progressLine('Copying events'),
  })
}

/** Does the work on a point of the old form, of which nothing stays there. */
async function withPoint<Outcome>(
  plan: Move,
  folder: MoveFolder,
  state: 'running' | 'stopped',
  work: (taken: TakenPoint, aside: string) => Promise<Outcome>,
): Promise<Outcome> {
  const { old, next } = plan
  // where the account of the running engine reaches it: another account would take the linked files over
  const aside = asideFolder(old.dataFolder, folder.id)
  await removeFolder(aside)
  const taken = await takePoint({
    dataFolder: old.dataFolder,
    store: storeSettings(old),
    engineUrl: movesEngine(plan) ? old.engineUrl : undefined,
    target: moveTargetOf(next.dataFolder),
    world: realWorld,
    isCloneOnly: true,
    // the lock of a folder that this process holds must not be looked at
    isHeld: () => state === 'running' && lockHolderOf(old.dataFolder) !== undefined,
    hold: () => (state === 'running' ? heldFolder(old.dataFolder) : { release: () => {} }),
  })
  try {
    await notePoint(folder, taken.point.path)
    refuseDamaged(taken)
    return await work(taken, aside)
  } finally {
    await taken.forget()
    await removePoint(taken.point.path)
    await removeFolder(aside)
    if (old.engineUrl !== undefined) await dropPointClones(old.engineUrl, taken.point).catch(() => {})
  }
}

/** An engine that a killed move left behind ends a moment later. */
const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 10 })

function heldFolder(dataFolder: string): { release: () => void } {
  const folder = lockFolder(dataFolder)
  return { release: () => folder.release('stopped') }
}

function refuseDamaged({ damage, point }: TakenPoint): void {
  const all = [...damage, ...(point.point.damage ?? [])]
  if (all.length > 0)
    throw new BackupRefusedError(
      ['The data is damaged, and was not moved. See tilth doctor, or restore a snapshot first.', ...all].join(
        '\n',
      ),
    )
}
