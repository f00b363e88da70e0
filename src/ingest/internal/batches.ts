import { setTimeout as delay } from 'node:timers/promises'
import type { Engine } from '#engine/engine'
import type { PreparedEvent } from '#events/event'
import { Deduplicator, type DeduplicatorDependencies } from './deduplicator'
import type { Journal, JournalPosition } from './journal'
import { parseJournalLine, JournaledEvent } from './journal-lines'
import { type JournalRecord, weightOf } from './journal-reader'
import { RetryLoopClosedError, RetryLoop } from './retry-loop'
import { countByProject, type EventsByProject } from './project-backlog'
import type { RejectedRow, Quarantine } from './quarantine'
import { inSlices } from './slices'
import {
  type InsertTally,
  type RowToStore,
  type PreparedInsert,
  type StoringOutcome,
  RowStorer,
  rowToStore,
} from './store-rows'
import { waitForInFlightInserts } from './in-flight-inserts'
import type { TableSource } from '#store/store'
import { yieldIfLong } from '#world/event-loop'
import { recognisedForMs, RecentEventFilter } from '../recent-event-filter'

/** Finds the person of each event in the journal. */
export interface PersonResolver {
  /** The journal position up to which persons are resolved; 0 before the first time. */
  processedUpTo(): Promise<JournalPosition>
  /**
   * Returns the person of each event. Changes to persons are committed together with the journal position. After a
   * crash the same records arrive again, in the same batches; then it only returns the answer. It rejects if it cannot
   * resolve now, and the caller retries.
   */
  resolve(events: readonly PreparedEvent[], upTo: JournalPosition): Promise<readonly string[]>
  /** Whether the event belongs to an erased person. */
  isErased?(event: PreparedEvent): boolean
}

/** Coordinates several fronts that write to one engine; absent if there is only one front. */
export interface FrontCoordination {
  /** Runs the work while no other front stores events. */
  exclusively<Outcome>(
    work: (isHeld: () => boolean, source?: TableSource) => Promise<Outcome>,
  ): Promise<Outcome>
  /** Runs the work while no other front works exclusively. */
  besideOthers<Outcome>(
    work: (isHeld: () => boolean, source?: TableSource) => Promise<Outcome>,
  ): Promise<Outcome>
  /** The uuids that each front tells the others before it inserts their events. */
  announcements: DeduplicatorDependencies['announcements']
  /**
   * Returns the session of each event whose session differs from the one in the event. Returns the same after a crash.
   */
  agreeOnSessions(events: readonly PreparedEvent[]): Promise<ReadonlyMap<PreparedEvent, string>>
}

/** The number of events in each stage, from the journal on. `accepted` is always the sum of the others. */
export interface PipelineCounts {
  accepted: number
  stored: number
  /** Events that were stored already. */
  deduplicated: number
  /** Events that the engine rejected. */
  quarantined: number
  /** Events of erased persons. */
  forgotten: number
  /** Events in the journal that are not stored yet. */
  pending: number
}

/** The memory of the uuid filter, and how many days it covers. */
export interface RecentEventFilterReach {
  bytes: number
  days: number
}

interface BatchInFlight {
  /** The arrival time of the oldest event. */
  oldestAt: Date
  byProject: EventsByProject
}

export interface StoredEvent {
  event: PreparedEvent
  personId: string
}

export interface BatchesSettings {
  journal: Journal
  engine: Pick<Engine, 'query' | 'insert' | 'insertNative'>
  personResolver: PersonResolver
  quarantine: Pick<Quarantine, 'keep'>
  tally?: InsertTally
  now: () => Date
  /** Returns false while the engine may hold events that no front of this store has inserted. */
  trustsFilter?: (() => boolean) | undefined
  frontCoordination?: FrontCoordination
  /** The pause between two batches, in which events gather. */
  everyMs?: number
  /** The size of one batch. A second batch of this size is in memory while it is prepared. */
  batchBytes?: number | undefined
  /** The pause after a failure. It doubles after each failure, up to `most`. */
  retryMs?: { first: number; most: number }
  /** The memory limit of the uuid filter. */
  uuidFilterBytes?: number | undefined
  onTrouble?: (problem: unknown) => void
  /** Receives events that were in the journal before this start. */
  onReplayed?: (events: readonly PreparedEvent[]) => void
}

const usualPauseMs = 200
const usualBatchBytes = 8 * 1024 ** 2
/** Above this rate, batches gather longer: a few large inserts cost the engine half of what many small ones do. */
const busyBytes = 1024 ** 2
const busyPauseFactor = 2.5

/**
 * Carries events from the journal into the engine, in order, one batch at a time. While one batch is stored, the next
 * is prepared. Failures are retried until they succeed; meanwhile the journal keeps accepting events. A batch is done
 * when the journal may delete it. After a crash the same events are read again, and only those that the engine lacks
 * are stored.
 */
export class Batches {
  private readonly journal: Journal
  private readonly deduplicator: Deduplicator
  private readonly recentEventFilter: RecentEventFilter
  /** Preparing and storing have separate retry loops, because new events concern only the first. */
  private readonly retryLoop: RetryLoop
  private readonly storeRetryLoop: RetryLoop
  private readonly checkpointRetryLoop: RetryLoop
  private readonly storing: RowStorer
  private readonly listeners = new Set<(events: readonly StoredEvent[]) => void>()
  private readonly outcomeCounts = { stored: 0, deduplicated: 0, quarantined: 0, forgotten: 0 }
  /** Counts of events read: those written since this start, and those from before it. */
  private readonly readCounts = { live: 0, replayed: 0 }
  /** The number of read events that are not settled yet. */
  private inFlightCount = 0
  /** Whether all events from before this start were read. */
  private hasCaughtUp = false
  /** The batches in progress, by their end. */
  private readonly batchesInFlight = new Map<JournalPosition, BatchInFlight>()
  /** The insert of the latest batch that was begun. At most one insert is under way. */
  private inserting: Promise<unknown> = Promise.resolve()
  /** The checkpoint of that batch. It waits for the checkpoints of all earlier batches. */
  private currentBatch: Promise<void> = Promise.resolve()
  /** The checkpoint before that one. The next insert waits for it, so that a full disk stops the inserts too. */
  private beforeLatest: Promise<void> = Promise.resolve()
  private lastBatchMs = 0
  private waitingForIdle: (() => void)[] = []
  /** Tasks that run while no batch is in progress. */
  private tasksBetweenBatches: (() => Promise<void>)[] = []
  private running: Promise<void> | undefined

  constructor(private readonly settings: BatchesSettings) {
    const { journal, engine, quarantine, retryMs, onTrouble, frontCoordination } = settings
    this.journal = journal
    this.recentEventFilter = new RecentEventFilter(engine, { mostBytes: settings.uuidFilterBytes })
    this.deduplicator = new Deduplicator(
      { ...settings, announcements: frontCoordination?.announcements },
      this.recentEventFilter,
    )
    this.retryLoop = new RetryLoop(retryMs, onTrouble)
    this.storeRetryLoop = new RetryLoop(retryMs, onTrouble)
    this.checkpointRetryLoop = new RetryLoop(retryMs, onTrouble)
    const countOutcome = (outcome: StoringOutcome, amount: number) => this.countOutcome(outcome, amount)
    const exclusive = frontCoordination && {
      exclusively: frontCoordination.exclusively.bind(frontCoordination),
      besideOthers: frontCoordination.besideOthers.bind(frontCoordination),
      areNew: this.deduplicator.areNew.bind(this.deduplicator),
      findStored: this.deduplicator.findStored.bind(this.deduplicator),
      announce: this.deduplicator.announce.bind(this.deduplicator),
    }
    this.storing = new RowStorer(
      engine,
      quarantine,
      this.storeRetryLoop,
      countOutcome,
      exclusive,
      settings.tally,
    )
  }

  start(): void {
    if (this.running) return
    this.journal.onWritten(() => this.retryLoop.wake())
    this.running = this.run()
  }

  /** Returns whether everything in the journal was stored within this time. */
  async drain(withinMs: number): Promise<boolean> {
    const idle = new Promise<boolean>((resolve) => this.waitingForIdle.push(() => resolve(true)))
    this.retryLoop.skipPauses()
    return await Promise.race([idle, timeout(withinMs)])
  }

  /** Stops storing. Events that are not stored yet stay in the journal. */
  async close(): Promise<void> {
    this.retryLoop.close()
    this.storeRetryLoop.close()
    this.checkpointRetryLoop.close()
    await this.running
  }

  /**
   * Runs the work while no batch is in progress: everything up to the journal's checkpoint is in the store and in the
   * engine, everything after it in neither. Fails if no such moment comes in time.
   */
  async betweenBatches<Result>(work: () => Promise<Result>, withinMs: number): Promise<Result> {
    const outcome = Promise.withResolvers<Result>()
    const task = async (): Promise<void> => {
      clearTimeout(timer)
      await work().then(outcome.resolve, outcome.reject)
    }
    const timer = setTimeout(() => {
      this.tasksBetweenBatches = this.tasksBetweenBatches.filter((one) => one !== task)
      outcome.reject(new Error(this.trouble ?? 'A batch of events is taking too long.'))
    }, withinMs)
    this.tasksBetweenBatches.push(task)
    this.retryLoop.wake()
    return await outcome.promise
  }

  counts(): PipelineCounts {
    const unread = this.unreadFromBefore()
    const accepted = this.journal.eventsWritten + this.readCounts.replayed + unread
    const pending = this.journal.eventsWritten - this.readCounts.live + this.inFlightCount + unread
    return { accepted, ...this.outcomeCounts, pending }
  }

  /** The reason why storing fails and what to do about it; undefined if it works. */
  get trouble(): string | undefined {
    return this.storeRetryLoop.trouble ?? this.checkpointRetryLoop.trouble ?? this.retryLoop.trouble
  }

  /** The reason with the time since when storing fails. */
  get notStoring(): { reason: string; since: Date } | undefined {
    for (const { trouble, troubledSince } of [this.storeRetryLoop, this.checkpointRetryLoop, this.retryLoop])
      if (trouble !== undefined && troubledSince) return { reason: trouble, since: troubledSince }
    return undefined
  }

  /** Learns what other fronts stored while this one has nothing to store. */
  async catchUpWithFronts(source: TableSource): Promise<void> {
    await this.deduplicator.catchUp(source)
  }

  recentEventFilterReach(): RecentEventFilterReach {
    const { bytes, coveredFrom } = this.recentEventFilter
    const reachMs = Math.min(recognisedForMs, this.settings.now().getTime() - coveredFrom)
    return { bytes, days: Math.max(0, reachMs / 86_400_000) }
  }

  /**
   * The number of events that are not stored yet. Events from before this start are estimated by size until they are
   * counted.
   */
  backlog(): {
    events: number
    byProject: Readonly<Record<number, number>>
    isEstimate: boolean
    oldestAt: Date | undefined
  } {
    const { backlog } = this.journal
    const { pending } = this.counts()
    const estimated = backlog.isEstimate ? Math.max(0, backlog.events - this.readCounts.replayed) : 0
    return {
      events: pending + estimated,
      byProject: this.journal.projectBacklog.byProject(),
      isEstimate: backlog.isEstimate,
      oldestAt: this.oldestInFlightAt(),
    }
  }

  private oldestInFlightAt(): Date | undefined {
    const inFlight = [...this.batchesInFlight.values()]
    if (inFlight.length > 0) return new Date(Math.min(...inFlight.map(({ oldestAt }) => Number(oldestAt))))
    return this.readCounts.replayed === 0 ? this.journal.backlog.oldestAt : undefined
  }

  /** The number is known once the events are counted. A damaged part may hold fewer than were counted in it. */
  private unreadFromBefore(): number {
    const { events, isEstimate } = this.journal.backlog
    return isEstimate || this.hasCaughtUp ? 0 : Math.max(0, events - this.readCounts.replayed)
  }

  /** Registers a listener for events that are stored, so that queries include them. */
  onStored(listener: (events: readonly StoredEvent[]) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  private async run(): Promise<void> {
    try {
      const { personResolver, engine } = this.settings
      const cut = await this.retryLoop.retryUntilDone(() => personResolver.processedUpTo())
      await this.retryLoop.retryUntilDone(() => waitForInFlightInserts(engine))
      for (;;) {
        await this.runTasksBetweenBatches()
        await this.processNext(cut)
      }
    } catch (problem) {
      await this.currentBatch.catch(ignoreClosed)
      ignoreClosed(problem)
    }
  }

  private async runTasksBetweenBatches(): Promise<void> {
    if (this.tasksBetweenBatches.length === 0) return
    await this.currentBatch
    for (const task of this.tasksBetweenBatches.splice(0)) await task()
  }

  private async processNext(cut: JournalPosition): Promise<void> {
    const { everyMs = usualPauseMs, batchBytes = usualBatchBytes } = this.settings
    const records = await this.retryLoop.retryUntilDone(() => this.journal.read(batchBytes))
    for (const part of splitAt(cut, records)) await this.process(part)
    if (records.length === 0) {
      this.hasCaughtUp = true
      return await this.idle()
    }
    const taken = weightOf(records)
    if (taken >= batchBytes) return
    // a batch that took long is followed by an equally long pause, in which the engine answers queries
    await this.retryLoop.pause(
      Math.max(everyMs * (taken < busyBytes ? 1 : busyPauseFactor), this.lastBatchMs),
    )
  }

  private async idle(): Promise<void> {
    await this.currentBatch
    // a line that could not be read was of no known project when it was set aside
    if (this.counts().pending === 0) this.journal.projectBacklog.clear()
    const waiting = this.waitingForIdle
    this.waitingForIdle = []
    for (const resolve of waiting) resolve()
    await this.retryLoop.waitForWork()
  }

  private async process(records: readonly JournalRecord[]): Promise<void> {
    const upTo = records.at(-1)?.sequence
    if (upTo === undefined) return
    const events = await this.parseRecords(records)
    const [oldest] = events
    if (oldest)
      this.batchesInFlight.set(upTo, { oldestAt: oldest.receivedAt, byProject: countByProject(events) })
    const fresh = await this.retryLoop.retryUntilDone(() => this.deduplicator.filter(events))
    this.countOutcome('deduplicated', events.length - fresh.size)
    const remaining = [...fresh.values()].filter((event) => !this.settings.personResolver.isErased?.(event))
    this.countOutcome('forgotten', fresh.size - remaining.length)
    const inserts = await this.storing.prepare(await this.completeRows(remaining, upTo))
    await this.inserting
    await this.beforeLatest
    await this.deduplicator.remember(fresh)
    this.beginStoring(inserts, upTo)
  }

  /**
   * Writes the checkpoint of a batch while the next batch is inserted. After a crash in between, a stored batch is
   * still in the journal, as after a crash between insert and checkpoint. Its events are then found in the engine.
   */
  private beginStoring(inserts: readonly PreparedInsert[], upTo: JournalPosition): void {
    const inserting = this.insert(inserts)
    this.inserting = inserting
    this.beforeLatest = this.currentBatch
    this.currentBatch = this.storeBatch(inserting, this.beforeLatest, upTo)
    // the next batch, or the end of the loop, reports a failure
    this.inserting.catch(() => {})
    this.currentBatch.catch(() => {})
  }

  private async insert(inserts: readonly PreparedInsert[]): Promise<RowToStore[]> {
    const beganAt = performance.now()
    const stored = await this.storing.store(inserts)
    this.deduplicator.inserted()
    this.lastBatchMs = performance.now() - beganAt
    return stored
  }

  private async storeBatch(
    inserting: Promise<readonly RowToStore[]>,
    earlier: Promise<void>,
    upTo: JournalPosition,
  ): Promise<void> {
    const stored = await inserting
    // events are behind until they are stored, not until the journal knows
    this.journal.projectBacklog.remove(this.batchesInFlight.get(upTo)?.byProject ?? new Map())
    this.batchesInFlight.delete(upTo)
    await earlier
    await this.checkpointRetryLoop.retryUntilDone(() => this.journal.checkpoint(upTo))
    this.notifyListeners(stored)
  }

  private async parseRecords(records: readonly JournalRecord[]): Promise<JournaledEvent[]> {
    const events: JournaledEvent[] = []
    for (const { sequence, text } of records) {
      const found = text.split('\n').map(readLine)
      const isReplayed = sequence < this.journal.firstOfThisStart
      this.readCounts[isReplayed ? 'replayed' : 'live'] += found.length
      this.inFlightCount += found.length
      const readable = found.filter((line) => line instanceof JournaledEvent)
      for (const event of readable) events.push(event)
      if (isReplayed) {
        this.journal.projectBacklog.add(countByProject(readable))
        this.settings.onReplayed?.(readable)
      }
      for (const line of found) if (!(line instanceof JournaledEvent)) await this.quarantine(line)
      await yieldIfLong()
    }
    return events
  }

  private async completeRows(
    events: readonly JournaledEvent[],
    upTo: JournalPosition,
  ): Promise<RowToStore[]> {
    const persons = await this.retryLoop.retryUntilDone(() => this.personsOf(events, upTo))
    const sessions = await this.sessionsOf(events)
    const rows: RowToStore[] = []
    await inSlices(events, (slice) => {
      for (const event of slice) {
        const personId = persons[rows.length] ?? ''
        rows.push(rowToStore(event, personId, event.row, sessions?.get(event)))
      }
    })
    return rows
  }

  private async sessionsOf(
    events: readonly JournaledEvent[],
  ): Promise<ReadonlyMap<PreparedEvent, string> | undefined> {
    const { frontCoordination } = this.settings
    return (
      frontCoordination &&
      (await this.retryLoop.retryUntilDone(() => frontCoordination.agreeOnSessions(events)))
    )
  }

  private async personsOf(
    events: readonly PreparedEvent[],
    upTo: JournalPosition,
  ): Promise<readonly string[]> {
    const persons = await this.settings.personResolver.resolve(events, upTo)
    if (persons.length === events.length) return persons
    throw new Error(`There are ${persons.length} persons for ${events.length} events.`)
  }

  private async quarantine(line: RejectedRow): Promise<void> {
    await this.retryLoop.retryUntilDone(() => this.settings.quarantine.keep([line]))
    this.countOutcome('quarantined', 1)
  }

  private countOutcome(outcome: StoringOutcome, amount: number): void {
    this.outcomeCounts[outcome] += amount
    this.inFlightCount -= amount
  }

  private notifyListeners(rows: readonly RowToStore[]): void {
    if (rows.length === 0 || this.listeners.size === 0) return
    const stored = rows.map(({ event, personId }) => ({ event, personId }))
    for (const listener of this.listeners) {
      try {
        listener(stored)
      } catch (problem) {
        // a failing listener must not stop the others, nor the following events
        this.settings.onTrouble?.(problem)
      }
    }
  }
}

/** A line of an older version that this version cannot parse must not block the others. */
function readLine(line: string): JournaledEvent | RejectedRow {
  try {
    return parseJournalLine(line)
  } catch (problem) {
    return { row: line, reason: `This line of the journal cannot be read: ${String(problem)}` }
  }
}

/** Splits at the last position acknowledged before a crash, so that no batch has events from both sides. */
function splitAt(cut: JournalPosition, records: readonly JournalRecord[]): (readonly JournalRecord[])[] {
  const first = records.findIndex(({ sequence }) => sequence > cut)
  return first > 0 ? [records.slice(0, first), records.slice(first)] : [records]
}

function ignoreClosed(problem: unknown): void {
  if (!(problem instanceof RetryLoopClosedError)) throw problem
}

async function timeout(ms: number): Promise<false> {
  await delay(ms, undefined, { ref: false })
  return false
}
