import { setTimeout as delay } from 'node:timers/promises'
import type { Engine } from '#engine/engine'
import type { PreparedEvent } from '#events/event'
import { withSession, withPerson } from '#events/row'
import { Deduplicator } from './deduplicator'
import type { Journal, JournalPosition } from './journal'
import { parseJournalLine, JournaledEvent } from './journal-lines'
import { type JournalRecord, weightOf } from './journal-reader'
import { RetryLoopClosed, RetryLoop } from './retry-loop'
import type { RejectedRow, Quarantine } from './quarantine'
import { inSlices } from './slices'
import { type RowToStore, type PreparedInsert, type StoringOutcome, RowStorer } from './store-rows'
import { waitForInFlightInserts } from './in-flight-inserts'
import { recognisedForMs, RecentEventFilter } from './recent-event-filter'

/** Who the events of the journal happened to. */
export interface PersonResolver {
  /** Up to where it has taken to heart what the journal says of people; 0 before the first time. */
  processedUpTo(): Promise<JournalPosition>
  /**
   * The person of each event. What events say of people, and that the journal was read up to here, is written down
   * together. Called for the same records again after a crash, in the same cut: then it only answers. It rejects when it
   * cannot do it now, and is asked again.
   */
  resolve(events: readonly PreparedEvent[], upTo: JournalPosition): Promise<readonly string[]>
  /** Whether the event belongs to an erased person. */
  isErased?(event: PreparedEvent): boolean
}

/** What fronts that write to one engine settle among themselves; absent where one is alone. */
export interface FrontCoordination {
  /** Runs the work while no other front does the same. */
  exclusively<Outcome>(work: (isHeld: () => boolean) => Promise<Outcome>): Promise<Outcome>
  /** The session of each event, where it is another one than the event says. The same for the same events after a crash. */
  agreeOnSessions(events: readonly PreparedEvent[]): Promise<ReadonlyMap<PreparedEvent, string>>
}

/** Where the events are that the journal has taken. At all times `accepted` is the sum of the others. */
export interface PipelineCounts {
  accepted: number
  stored: number
  /** Stored once already. */
  deduplicated: number
  /** The engine would not take them. */
  quarantined: number
  /** Events of erased persons. */
  forgotten: number
  /** Events in the journal that are not stored yet. */
  pending: number
}

/** How much memory the filter of uuids takes, and how many days it reaches back. */
export interface RecentEventFilterReach {
  bytes: number
  days: number
}

export interface StoredEvent {
  event: PreparedEvent
  personId: string
}

export interface BatchesSettings {
  journal: Journal
  engine: Pick<Engine, 'query' | 'insert'>
  personResolver: PersonResolver
  quarantine: Pick<Quarantine, 'keep'>
  now: () => Date
  /** True where no other front writes to this engine: an event unknown here was not stored. */
  isOnlyWriter: boolean
  frontCoordination?: FrontCoordination
  /** The pause between two batches, for events to gather in. */
  everyMs?: number
  /** Of one batch. Another one of this size is held while it is prepared. */
  batchBytes?: number | undefined
  /** How long to leave alone what has failed: twice as long after each failure, up to the most. */
  retryMs?: { first: number; most: number }
  /** Most memory of the filter that recognises uuids. */
  uuidFilterBytes?: number | undefined
  onTrouble?: (problem: unknown) => void
  /** Hears of events that were in the journal already when this began. */
  onReplayed?: (events: readonly PreparedEvent[]) => void
}

const usualPauseMs = 200
const usualBatchBytes = 8 * 1024 ** 2
/** A few large inserts cost the engine half of what many small ones do: where so much comes, it gathers for longer. */
const busyBytes = 1024 ** 2
const busyPauseFactor = 2.5
/** Yields to waiting requests this often instead of once per batch. */
const eventsBetweenYields = 256

/**
 * Carries events from the journal into the engine, in order, a batch at a time; while one is being stored, the next is
 * got ready. Whatever fails is tried again until it works, and meanwhile the journal goes on taking events. A batch is
 * done when the journal may forget it. After a crash the same is read again, and only what the engine lacks is stored.
 */
export class Batches {
  private readonly journal: Journal
  private readonly deduplicator: Deduplicator
  private readonly recentEventFilter: RecentEventFilter
  /** Of getting ready, and of storing: what one is waiting for is no news of the other. */
  private readonly retryLoop: RetryLoop
  private readonly storeRetryLoop: RetryLoop
  private readonly checkpointPatience: RetryLoop
  private readonly storing: RowStorer
  private readonly listeners = new Set<(events: readonly StoredEvent[]) => void>()
  private readonly outcomeCounts = { stored: 0, deduplicated: 0, quarantined: 0, forgotten: 0 }
  /** Events read: those written since this start, and those found from before. */
  private readonly readCounts = { live: 0, replayed: 0 }
  /** Of those, the ones not settled yet. */
  private inFlightCount = 0
  /** Everything from before this start was read. */
  private hasCaughtUp = false
  /** When the oldest event of each batch under way was received, by the batch's end. */
  private readonly oldestInFlight = new Map<JournalPosition, Date>()
  /** The insert of the latest batch that was begun. At most one insert is under way. */
  private inserting: Promise<unknown> = Promise.resolve()
  /** That batch's checkpoint, which follows the checkpoints of all batches before it. */
  private currentBatch: Promise<void> = Promise.resolve()
  /** The checkpoint before that one; the next insert waits for it, so that a full disk stops the inserts as well. */
  private beforeLatest: Promise<void> = Promise.resolve()
  private lastBatchMs = 0
  private waitingForIdle: (() => void)[] = []
  /** What is to be done while no batch is on its way. */
  private tasksBetweenBatches: (() => Promise<void>)[] = []
  private running: Promise<void> | undefined

  constructor(private readonly settings: BatchesSettings) {
    const { journal, engine, quarantine, retryMs, onTrouble, frontCoordination, now } = settings
    this.journal = journal
    this.recentEventFilter = new RecentEventFilter(engine, { mostBytes: settings.uuidFilterBytes })
    this.deduplicator = new Deduplicator(settings, this.recentEventFilter)
    this.retryLoop = new RetryLoop(retryMs, onTrouble)
    this.storeRetryLoop = new RetryLoop(retryMs, onTrouble)
    this.checkpointPatience = new RetryLoop(retryMs, onTrouble)
    const countOutcome = (outcome: StoringOutcome, amount: number) => this.countOutcome(outcome, amount)
    const exclusive = frontCoordination && {
      exclusively: frontCoordination.exclusively.bind(frontCoordination),
      now,
    }
    this.storing = new RowStorer(engine, quarantine, this.storeRetryLoop, countOutcome, exclusive)
  }

  start(): void {
    if (this.running) return
    this.journal.onWritten(() => this.retryLoop.wake())
    this.running = this.run()
  }

  /** Whether everything is stored that was in the journal, within this time. */
  async drain(withinMs: number): Promise<boolean> {
    const idle = new Promise<boolean>((resolve) => this.waitingForIdle.push(() => resolve(true)))
    this.retryLoop.skipPauses()
    return await Promise.race([idle, timeout(withinMs)])
  }

  /** Leaves in the journal what is not stored yet. */
  async close(): Promise<void> {
    this.retryLoop.close()
    this.storeRetryLoop.close()
    this.checkpointPatience.close()
    await this.running
  }

  /**
   * Does the work while no batch is on its way: what the journal's checkpoint covers is in the store and in the engine,
   * everything after it in neither. Fails where that moment does not come in time.
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

  /** Why nothing moves, in words a person can act on; absent while all is well. */
  get trouble(): string | undefined {
    return this.storeRetryLoop.trouble ?? this.checkpointPatience.trouble ?? this.retryLoop.trouble
  }

  /** The same, with when it began. */
  get notStoring(): { reason: string; since: Date } | undefined {
    for (const { trouble, troubledSince } of [this.storeRetryLoop, this.checkpointPatience, this.retryLoop])
      if (trouble !== undefined && troubledSince) return { reason: trouble, since: troubledSince }
    return undefined
  }

  recentEventFilterReach(): RecentEventFilterReach {
    const { bytes, coveredFrom } = this.recentEventFilter
    const reachMs = Math.min(recognisedForMs, this.settings.now().getTime() - coveredFrom)
    return { bytes, days: Math.max(0, reachMs / 86_400_000) }
  }

  /** How many events are not stored yet, those from before this start by their size until they are counted. */
  backlog(): { events: number; isEstimate: boolean; oldestAt: Date | undefined } {
    const { backlog } = this.journal
    const { pending } = this.counts()
    const estimated = backlog.isEstimate ? Math.max(0, backlog.events - this.readCounts.replayed) : 0
    return { events: pending + estimated, isEstimate: backlog.isEstimate, oldestAt: this.oldestInFlightAt() }
  }

  private oldestInFlightAt(): Date | undefined {
    const inFlight = [...this.oldestInFlight.values()]
    if (inFlight.length > 0) return new Date(Math.min(...inFlight.map(Number)))
    return this.readCounts.replayed === 0 ? this.journal.backlog.oldestAt : undefined
  }

  /** Known once they are counted; a damaged part may hold fewer than were counted in it. */
  private unreadFromBefore(): number {
    const { events, isEstimate } = this.journal.backlog
    return isEstimate || this.hasCaughtUp ? 0 : Math.max(0, events - this.readCounts.replayed)
  }

  /** Hears of events that questions can be asked about from now on. */
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
    // a batch that takes long leaves the engine as much time for questions
    await this.retryLoop.pause(
      Math.max(everyMs * (taken < busyBytes ? 1 : busyPauseFactor), this.lastBatchMs),
    )
  }

  private async idle(): Promise<void> {
    await this.currentBatch
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
    if (oldest) this.oldestInFlight.set(upTo, oldest.receivedAt)
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
   * The checkpoint of a batch is written while the next batch is inserted. A crash in between leaves a stored batch in
   * the journal, as a crash between insert and checkpoint does: its events are found in the engine.
   */
  private beginStoring(inserts: readonly PreparedInsert[], upTo: JournalPosition): void {
    const inserting = this.insert(inserts)
    this.inserting = inserting
    this.beforeLatest = this.currentBatch
    this.currentBatch = this.storeBatch(inserting, this.beforeLatest, upTo)
    // the batch after it, or the end of the loop, hears of a failure
    this.inserting.catch(() => {})
    this.currentBatch.catch(() => {})
  }

  private async insert(inserts: readonly PreparedInsert[]): Promise<RowToStore[]> {
    const beganAt = performance.now()
    const stored = await this.storing.store(inserts)
    this.lastBatchMs = performance.now() - beganAt
    return stored
  }

  private async storeBatch(
    inserting: Promise<readonly RowToStore[]>,
    earlier: Promise<void>,
    upTo: JournalPosition,
  ): Promise<void> {
    const stored = await inserting
    await earlier
    await this.checkpointPatience.retryUntilDone(() => this.journal.checkpoint(upTo))
    this.oldestInFlight.delete(upTo)
    this.notifyListeners(stored)
  }

  private async parseRecords(records: readonly JournalRecord[]): Promise<JournaledEvent[]> {
    const events: JournaledEvent[] = []
    let sinceYield = 0
    for (const { sequence, text } of records) {
      const found = text.split('\n').map(readLine)
      const isReplayed = sequence < this.journal.firstOfThisStart
      this.readCounts[isReplayed ? 'replayed' : 'live'] += found.length
      this.inFlightCount += found.length
      const readable = found.filter((line) => line instanceof JournaledEvent)
      for (const event of readable) events.push(event)
      if (isReplayed) this.settings.onReplayed?.(readable)
      for (const line of found) if (!(line instanceof JournaledEvent)) await this.quarantine(line)
      sinceYield += found.length
      if (sinceYield < eventsBetweenYields) continue
      await new Promise(setImmediate)
      sinceYield = 0
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
        const sessionId = sessions?.get(event)
        const row =
          sessionId === undefined ? event.row : { ...event.row, head: withSession(event.row.head, sessionId) }
        rows.push({ event, personId, text: withPerson(row, personId) })
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
        // one that stumbles is not to stop the others, least of all the events after these
        this.settings.onTrouble?.(problem)
      }
    }
  }
}

/** A line written by an older Tilth that this one does not understand must not hold up the others. */
function readLine(line: string): JournaledEvent | RejectedRow {
  try {
    return parseJournalLine(line)
  } catch (problem) {
    return { row: line, reason: `This line of the journal cannot be read: ${String(problem)}` }
  }
}

/** Splits at the last position acknowledged before a crash, so that no batch holds events from both sides of it. */
function splitAt(cut: JournalPosition, records: readonly JournalRecord[]): (readonly JournalRecord[])[] {
  const first = records.findIndex(({ sequence }) => sequence > cut)
  return first > 0 ? [records.slice(0, first), records.slice(first)] : [records]
}

function ignoreClosed(problem: unknown): void {
  if (!(problem instanceof RetryLoopClosed)) throw problem
}

async function timeout(ms: number): Promise<false> {
  await delay(ms, undefined, { ref: false })
  return false
}
