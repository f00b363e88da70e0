import type { Engine } from '#engine/engine'
import type { EventDeletion } from '#ingest/event-tally'
import { type Sql, sql, uint, uuids } from '#engine/sql'
import type { PersonsTransaction, Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import type { Erasure } from '../erasures/erasures'
import {
  addRowsOnDisk,
  everyErasure,
  markFinished,
  saveEventCount,
  saveUnsearchedBytes,
  saveErased,
  unfinishedErasures,
} from '../erasures/internal/store'
import type { ErasedPersons } from '../erased-persons'
import { createErasureLookup, type RowsOnDisk } from '../rows-on-disk'
import { forgetPersons } from '../store'

export interface EraserDependencies {
  store: Store
  engine: Pick<Engine, 'query' | 'command'>
  world: World
  erasedPersons: Pick<ErasedPersons, 'reload'>
  /** The number of events accepted so far, and of those not yet in the engine. */
  pipelineCounts: () => { accepted: number; pending: number }
  /** The files of this front's data folder that contain rows of events. */
  rowsOnDisk: RowsOnDisk
  /** Removes stored events from the journal, including the file being written. */
  forgetStored: () => Promise<void>
  /** Deletes events so that no check takes them for lost. */
  deleteEvents: (deletion: EventDeletion) => Promise<void>
  /** Makes sure that a store which is put back from a copy learns of all erasures. */
  recordErasures: () => Promise<void>
  /** Removes what was copied before upgrades: all of it, or what was copied before an instant. */
  removeUpgradeCopies: (madeBefore?: Date) => Promise<void>
  /** Deletes data of other modules about persons, by every person id they ever had. */
  forgetElsewhere?: (
    transaction: StoreTransaction,
    projectId: number,
    numbers: readonly string[],
  ) => Promise<void>
}

/** A copy from before an upgrade serves to go back at once. */
const upgradeCopiesKeptMs = 30 * 24 * 60 * 60_000

/** The deadline of one pass over all events, on a busy machine. */
const deadlineMs = 5 * 60_000

/**
 * Deletes persons from the engine. Runs after every request for an erasure, and every few minutes: an interrupted
 * erasure is begun again, and finds less to do.
 */
export class Eraser {
  private running: Promise<number> | undefined
  private previousRun: { ids: ReadonlySet<string>; accepted: number } | undefined
  private lastSearch: { version: string; unsearchedBytes: number } | undefined

  constructor(private readonly dependencies: EraserDependencies) {}

  /** Returns how many erasures it has finished. Concurrent callers share one run. */
  async run(): Promise<number> {
    this.running ??= this.runOnce().finally(() => (this.running = undefined))
    return await this.running
  }

  private async runOnce(): Promise<number> {
    await this.dependencies.recordErasures()
    const waiting = await unfinishedErasures(this.dependencies.store)
    if (waiting.length === 0) {
      await this.removeOldCopies()
      await this.searchFiles()
      return 0
    }
    // from here on no event of theirs is stored
    await this.dependencies.erasedPersons.reload()
    for (const erasure of waiting) await this.deleteFromEngine(erasure)
    const deleted = await this.fullyDeletedAmong(this.fullyIngestedAmong(waiting))
    if (deleted.length === 0) return 0
    await this.scrub()
    await this.dependencies.forgetStored()
    const unsearchedBytes = await this.searchFiles()
    await this.dependencies.removeUpgradeCopies()
    await this.dependencies.store.emptyLog()
    for (const erasure of deleted) await this.finish(erasure, unsearchedBytes)
    await this.dependencies.erasedPersons.reload()
    return deleted.length
  }

  private async deleteFromEngine(erasure: Erasure): Promise<void> {
    const { store, engine } = this.dependencies
    if (erasure.events === undefined) await saveEventCount(store, erasure, await this.eventsOf(erasure))
    const deleteFrom = (table: ErasedTable) => engine.command(deleteStatement(table, erasure), { deadlineMs })
    await this.dependencies.deleteEvents({
      name: `erasure ${erasure.id}`,
      of: isOf(events, erasure),
      run: () => deleteFrom(events),
    })
    for (const table of tables) if (table !== events) await deleteFrom(table)
    await store.transaction((transaction) => this.forget(transaction, erasure), 'every person')
  }

  /**
   * Returns the erasures that were applied in an earlier run, if all events accepted until then are in the engine now:
   * events in transit at the erasure are deleted by this run.
   */
  private fullyIngestedAmong(waiting: readonly Erasure[]): Erasure[] {
    const { accepted, pending } = this.dependencies.pipelineCounts()
    if (pending === 0) return [...waiting]
    const before = this.previousRun
    if (before && accepted - pending < before.accepted) return []
    this.previousRun = { ids: new Set(waiting.map(({ id }) => id)), accepted }
    return waiting.filter(({ id }) => before?.ids.has(id))
  }

  private async fullyDeletedAmong(erasures: readonly Erasure[]): Promise<Erasure[]> {
    const deleted: Erasure[] = []
    for (const erasure of erasures) {
      const left = await Promise.all(tables.map((table) => this.countLeft(table, erasure)))
      if (left.every((rows) => rows === 0)) deleted.push(erasure)
    }
    return deleted
  }

  /** Removes deleted rows from the disk; they are excluded from answers already. */
  private async scrub(): Promise<void> {
    const { engine } = this.dependencies
    await Promise.all(
      tables.map(({ name }) =>
        engine.command(sql`alter table ${name} apply deleted mask settings mutations_sync = 2`, {
          deadlineMs,
        }),
      ),
    )
  }

  /**
   * Removes the rows of all erased persons from the files, unless neither has changed since: a damaged piece may be set
   * aside later, files may come from a backup, and another front may have finished the erasure.
   */
  private async searchFiles(): Promise<number> {
    const { store, rowsOnDisk } = this.dependencies
    const erasures = await everyErasure(store)
    const known = erasures.map(({ id, finishedAt }) => `${id} ${finishedAt?.toISOString()}`).join('\n')
    const before = `${known}\n${await rowsOnDisk.version()}`
    if (this.lastSearch?.version === before) return this.lastSearch.unsearchedBytes
    if (erasures.length === 0) return 0
    const { rows, unsearchedBytes } = await rowsOnDisk.forget(createErasureLookup(erasures))
    for (const [id, amount] of rows) await addRowsOnDisk(store, { id }, amount)
    // files set aside in the meantime are searched next time
    if (rows.size === 0) this.lastSearch = { version: before, unsearchedBytes }
    return unsearchedBytes
  }

  /**
   * Removes copies from before upgrades that have persons who were erased since, or are too old: another front may have
   * finished the erasure, and a copy may have been put back into its folder.
   */
  private async removeOldCopies(): Promise<void> {
    const { store, world, removeUpgradeCopies } = this.dependencies
    const finished = (await everyErasure(store)).flatMap(({ finishedAt }) => finishedAt?.getTime() ?? [])
    await removeUpgradeCopies(new Date(Math.max(world.now().getTime() - upgradeCopiesKeptMs, ...finished)))
  }

  /** Marks an erasure as finished. Later events of the same ids belong to a new person. */
  private async finish(erasure: Erasure, unsearchedBytes: number): Promise<void> {
    const { store, world } = this.dependencies
    const now = world.now()
    await store.transaction(async (transaction) => {
      await this.forget(transaction, erasure)
      await saveErased(transaction, erasure, now)
      await saveUnsearchedBytes(transaction, erasure, unsearchedBytes)
      await markFinished(transaction, erasure, now)
      await transaction.announce('erasures')
    }, 'every person')
  }

  private async forget(transaction: PersonsTransaction, { projectId, numbers }: Erasure): Promise<void> {
    await forgetPersons(transaction, projectId, numbers)
    await this.dependencies.forgetElsewhere?.(transaction, projectId, numbers)
  }

  private async eventsOf(erasure: Erasure): Promise<number> {
    return await this.countLeft(events, erasure)
  }

  private async countLeft(table: ErasedTable, erasure: Erasure): Promise<number> {
    const [row] = await this.dependencies.engine.query<{ left: number }>(
      sql`
        select count() as left
        from ${table.name}
        where ${isOf(table, erasure)}`,
      { lane: 'ingest', deadlineMs },
    )
    return row?.left ?? 0
  }
}

interface ErasedTable {
  name: Sql
  isOfPersons: (numbers: readonly string[]) => Sql
}

const events: ErasedTable = {
  name: sql`events`,
  isOfPersons: (numbers) => sql`person_id in ${uuids(numbers)}`,
}

/** Overrides come last, because they map events to persons while there are events. */
const tables: readonly ErasedTable[] = [
  events,
  { name: sql`persons`, isOfPersons: (numbers) => sql`person_id in ${uuids(numbers)}` },
  {
    name: sql`person_overrides`,
    isOfPersons: (numbers) => sql`(to_person_id in ${uuids(numbers)} or from_person_id in ${uuids(numbers)})`,
  },
]

const isOf = ({ isOfPersons }: ErasedTable, { projectId, numbers }: Erasure): Sql =>
  sql`project_id = ${uint(projectId)} and ${isOfPersons(numbers)}`

const deleteStatement = (table: ErasedTable, erasure: Erasure): Sql => sql`
  delete from ${table.name}
  where ${isOf(table, erasure)}`
