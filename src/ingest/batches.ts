import { setTimeout as delay } from 'node:timers/promises'
import type { Engine } from '../engine/engine'
import type { PreparedEvent } from '../events/event'
import { withPerson } from '../events/row'
import { Doubles } from './doubles'
import type { Journal, JournalPosition } from './journal'
import { eventOfLine, JournaledEvent } from './journal-lines'
import { type JournalRecord, lengthOf } from './journal-reader'
import { Ended, Patience } from './patience'
import type { PoisonRow, Quarantine } from './quarantine'
import { type CompleteRow, type Settled, Storing } from './storing'
import { insertsAreOver } from './stragglers'

/** Who the events of the journal happened to. */
export interface People {
  /** Up to where it has taken to heart what the journal says of people; 0 before the first time. */
  readUpTo(): Promise<JournalPosition>
  /**
   * The person of each event. What events say of people, and that the journal was read up to here, is written down
   * together. Called for the same records again after a crash, in the same cut: then it only answers. It rejects when it
   * cannot do it now, and is asked again.
   */
  resolve(events: readonly PreparedEvent[], upTo: JournalPosition): Promise<readonly string[]>
  /** Whether it happened to somebody who is not to be remembered. */
  hasForgotten?(event: PreparedEvent): boolean
}

/** Where the events are that the journal has taken. At all times `accepted` is the sum of the others. */
export interface Whereabouts {
  accepted: number
  stored: number
  /** Stored once already. */
  deduplicated: number
  /** The engine would not take them. */
  quarantined: number
  /** Of somebody who was erased. */
  forgotten: number
  /** In the journal, and on their way. */
  pending: number
}

export interface StoredEvent {
  event: PreparedEvent
  personId: string
}

export interface BatchesSettings {
  journal: Journal
  engine: Pick<Engine, 'query' | 'insert'>
  people: People
  quarantine: Pick<Quarantine, 'keep'>
  now: () => Date
  /** Nobody else writes to this engine: what is not remembered here was not stored. */
  isAlone: boolean
  /** The pause between two batches, for events to gather in. */
  everyMs?: number
  batchBytes?: number
  /** How long to leave alone what has failed: twice as long after each failure, up to the most. */
  retryMs?: { first: number; most: number }
  onTrouble?: (problem: unknown) => void
  /** Hears of events that were in the journal already when this began. */
  onReplayed?: (events: readonly PreparedEvent[]) => void
}

const usualPauseMs = 200
const usualBatchBytes = 8 * 1024 ** 2
/** A few large inserts cost the engine half of what many small ones do: where so much comes, it gathers for longer. */
const busyBytes = 1024 ** 2
const busyTimes = 2.5
/** Whoever waits for an answer is not to wait for a whole batch. */
const eventsInOneBreath = 256

/**
 * Carries events from the journal into the engine, in order, a batch at a time; while one is being stored, the next is
 * got ready. Whatever fails is tried again until it works, and meanwhile the journal goes on taking events. A batch is
 * done when the journal may forget it. After a crash the same is read again, and only what the engine lacks is stored.
 */
export class Batches {
  private readonly journal: Journal
  private readonly doubles: Doubles
  /** Of getting ready, and of storing: what one is waiting for is no news of the other. */
  private readonly patience: Patience
  private readonly storersPatience: Patience
  private readonly storing: Storing
  private readonly listeners = new Set<(events: readonly StoredEvent[]) => void>()
  private readonly settled = { stored: 0, deduplicated: 0, quarantined: 0, forgotten: 0 }
  /** Events read: those written since this start, and those found from before. */
  private readonly read = { live: 0, replayed: 0 }
  /** Of those, the ones not settled yet. */
  private inHand = 0
  /** The batch that is being stored, or the last one that was. */
  private underWay: Promise<void> = Promise.resolve()
  private lastTookMs = 0
  private waitingForIdle: (() => void)[] = []
  private running: Promise<void> | undefined

  constructor(private readonly settings: BatchesSettings) {
    const { journal, engine, quarantine, retryMs, onTrouble } = settings
    this.journal = journal
    this.doubles = new Doubles(settings)
    this.patience = new Patience(retryMs, onTrouble)
    this.storersPatience = new Patience(retryMs, onTrouble)
    const settle = (as: Settled, amount: number) => this.settle(as, amount)
    this.storing = new Storing(engine, quarantine, this.storersPatience, settle)
  }

  start(): void {
    if (this.running) return
    this.journal.onWritten(() => this.patience.wake())
    this.running = this.run()
  }

  /** Whether everything is stored that was in the journal, within this time. */
  async drain(withinMs: number): Promise<boolean> {
    const idle = new Promise<boolean>((resolve) => this.waitingForIdle.push(() => resolve(true)))
    this.patience.hurry()
    return await Promise.race([idle, tooLate(withinMs)])
  }

  /** Leaves in the journal what is not stored yet. */
  async close(): Promise<void> {
    this.patience.end()
    this.storersPatience.end()
    await this.running
  }

  counts(): Whereabouts {
    const accepted = this.journal.eventsWritten + this.read.replayed
    const pending = this.journal.eventsWritten - this.read.live + this.inHand
    return { accepted, ...this.settled, pending }
  }

  /** Why nothing moves, in words a person can act on; absent while all is well. */
  get trouble(): string | undefined {
    return this.storersPatience.trouble ?? this.patience.trouble
  }

  /** Hears of events that questions can be asked about from now on. */
  onStored(listener: (events: readonly StoredEvent[]) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  private async run(): Promise<void> {
    try {
      const { people, engine } = this.settings
      const cut = await this.patience.until(() => people.readUpTo())
      await this.patience.until(() => insertsAreOver(engine))
      for (;;) await this.carryNext(cut)
    } catch (problem) {
      await this.underWay.catch(unlessEnded)
      unlessEnded(problem)
    }
  }

  private async carryNext(cut: JournalPosition): Promise<void> {
    const { everyMs = usualPauseMs, batchBytes = usualBatchBytes } = this.settings
    const records = await this.patience.until(() => this.journal.read(batchBytes))
    for (const part of cutAfter(cut, records)) await this.carry(part)
    if (records.length === 0) return await this.idle()
    const taken = lengthOf(records)
    if (taken >= batchBytes) return
    // a batch that takes long leaves the engine as much time for questions
    await this.patience.pause(Math.max(everyMs * (taken < busyBytes ? 1 : busyTimes), this.lastTookMs))
  }

  private async idle(): Promise<void> {
    await this.underWay
    const waiting = this.waitingForIdle
    this.waitingForIdle = []
    for (const resolve of waiting) resolve()
    await this.patience.rest()
  }

  private async carry(records: readonly JournalRecord[]): Promise<void> {
    const upTo = records.at(-1)?.sequence
    if (upTo === undefined) return
    const events = await this.unpack(records)
    const fresh = await this.patience.until(() => this.doubles.leaveOut(events))
    this.settle('deduplicated', events.length - fresh.size)
    const wanted = [...fresh.values()].filter((event) => !this.settings.people.hasForgotten?.(event))
    this.settle('forgotten', fresh.size - wanted.length)
    const rows = await this.completed(wanted, upTo)
    await this.underWay
    this.doubles.note(fresh)
    this.underWay = this.finish(rows, upTo)
    // whoever waits for it next hears how it went; until then it is nobody's surprise
    this.underWay.catch(() => {})
  }

  private async finish(rows: readonly CompleteRow[], upTo: JournalPosition): Promise<void> {
    const beganAt = performance.now()
    const stored = await this.storing.store(rows)
    await this.storersPatience.until(() => this.journal.checkpoint(upTo))
    this.lastTookMs = performance.now() - beganAt
    this.tell(stored)
  }

  private async unpack(records: readonly JournalRecord[]): Promise<JournaledEvent[]> {
    const events: JournaledEvent[] = []
    let sinceBreath = 0
    for (const { sequence, text } of records) {
      const found = text.split('\n').map(readLine)
      const isOfBefore = sequence < this.journal.firstOfThisStart
      this.read[isOfBefore ? 'replayed' : 'live'] += found.length
      this.inHand += found.length
      const readable = found.filter((line) => line instanceof JournaledEvent)
      events.push(...readable)
      if (isOfBefore) this.settings.onReplayed?.(readable)
      for (const line of found) if (!(line instanceof JournaledEvent)) await this.putAside(line)
      sinceBreath += found.length
      if (sinceBreath < eventsInOneBreath) continue
      await new Promise(setImmediate)
      sinceBreath = 0
    }
    return events
  }

  private async completed(events: readonly JournaledEvent[], upTo: JournalPosition): Promise<CompleteRow[]> {
    const persons = await this.patience.until(() => this.personsOf(events, upTo))
    return events.map((event, i) => {
      const personId = persons[i] ?? ''
      return { event, personId, text: withPerson(event.row, personId) }
    })
  }

  private async personsOf(
    events: readonly PreparedEvent[],
    upTo: JournalPosition,
  ): Promise<readonly string[]> {
    const persons = await this.settings.people.resolve(events, upTo)
    if (persons.length === events.length) return persons
    throw new Error(`There are ${persons.length} persons for ${events.length} events.`)
  }

  private async putAside(line: PoisonRow): Promise<void> {
    await this.patience.until(() => this.settings.quarantine.keep([line]))
    this.settle('quarantined', 1)
  }

  private settle(as: Settled, amount: number): void {
    this.settled[as] += amount
    this.inHand -= amount
  }

  private tell(rows: readonly CompleteRow[]): void {
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
function readLine(line: string): JournaledEvent | PoisonRow {
  try {
    return eventOfLine(line)
  } catch (problem) {
    return { row: line, reason: `This line of the journal cannot be read: ${String(problem)}` }
  }
}

/** What people were told before a crash ends exactly there, or an event before it and one after it would be one batch. */
function cutAfter(cut: JournalPosition, records: readonly JournalRecord[]): (readonly JournalRecord[])[] {
  const first = records.findIndex(({ sequence }) => sequence > cut)
  return first > 0 ? [records.slice(0, first), records.slice(first)] : [records]
}

function unlessEnded(problem: unknown): void {
  if (!(problem instanceof Ended)) throw problem
}

async function tooLate(ms: number): Promise<false> {
  await delay(ms, undefined, { ref: false })
  return false
}
