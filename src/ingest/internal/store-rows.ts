import { randomUUID } from 'node:crypto'
import { type Engine, EngineError, type EngineFailure } from '#engine/engine'
import type { PreparedEvent } from '#events/event'
import { rowText, type RowText, withPerson, withSession } from '#events/row'
import { keyOf, findStoredByDate } from './duplicates'
import type { FrontCoordination } from './batches'
import type { Deduplicator } from './deduplicator'
import { type EventTally, monthsOfEvents } from '../event-tally'
import type { RetryLoop } from './retry-loop'
import type { Quarantine } from './quarantine'
import { EventBlock, type RowToEncode } from './event-block'
import { waitForInFlightInserts } from './in-flight-inserts'

export interface RowToStore extends RowToEncode {
  /** The row as a line of JSON. */
  text: string
}

/** Returns the row of an event. Fronts that share a store may have agreed on another session than the event's. */
export function rowToStore(
  event: PreparedEvent,
  personId: string,
  { head, details }: RowText = rowText(event),
  agreedSession?: string,
): RowToStore {
  const text = withPerson(
    { head: agreedSession === undefined ? head : withSession(head, agreedSession), details },
    personId,
  )
  return { event, personId, sessionId: agreedSession ?? event.sessionId, details, text }
}

/** Rows in one of the formats that the engine reads. */
interface EncodedRows {
  format: 'native' | 'json'
  bytes: Uint8Array
}

/** Rows for one insert, and its bytes. */
export interface PreparedInsert {
  rows: readonly RowToStore[]
  encoded: EncodedRows
}

export type StoringOutcome = 'stored' | 'deduplicated' | 'quarantined' | 'forgotten'

interface Remedy {
  /** An insert with more rows than this is retried in halves. */
  splitAbove: number
  /** The treatment of a smaller insert: a later retry, or quarantine. */
  atLast: 'wait' | 'wait-then-quarantine' | 'quarantine'
}

/** A single row that fails this often because of the engine is quarantined, so that it no longer blocks others. */
const mostAttempts = 50

const wait: Remedy = { splitAbove: Infinity, atLast: 'wait' }

const remedies: Record<EngineFailure, Remedy> = {
  unavailable: wait,
  cancelled: wait,
  'disk-full': wait,
  // a smaller insert needs less time and memory; single rows would never finish
  deadline: { splitAbove: 500, atLast: 'wait' },
  memory: { splitAbove: 500, atLast: 'wait' },
  // halved until the rejected row is found
  rejected: { splitAbove: 1, atLast: 'quarantine' },
  // an insert reads no parts from disk; the damaged part is detached, and the insert is retried
  corrupted: wait,
  // an engine bug may concern a single row
  failed: { splitAbove: 1, atLast: 'wait-then-quarantine' },
}

/** Errors that concern no single row: every other row would fail as well, so the insert waits. */
const notAboutRows = new Set([
  '60', // UNKNOWN_TABLE
  '81', // UNKNOWN_DATABASE
  '16', // NO_SUCH_COLUMN_IN_TABLE
  '164', // READONLY
  '497', // ACCESS_DENIED
])

function remedyFor(problem: unknown): Remedy {
  if (!(problem instanceof EngineError)) return wait
  const isAboutRows = problem.failure !== 'rejected' || !notAboutRows.has(problem.code ?? '')
  return isAboutRows ? remedies[problem.failure] : wait
}

/** Rows to insert, for the first time or again. */
interface InsertAttempt {
  rows: readonly RowToStore[]
  number: number
  /** The bytes of the rows, if they exist already. */
  prepared?: EncodedRows
  /** The tally's name for the insert, once it is announced. */
  change?: string | undefined
}

type InsertOutcome = { inserted: readonly RowToStore[] } | { problem: Error }

/** The turn to store of one of several fronts, and what it has to look up and tell in it. */
type ExclusiveAccess = Pick<FrontCoordination, 'exclusively' | 'besideOthers'> &
  Pick<Deduplicator, 'areNew' | 'findStored' | 'announce'>

/** Counts stored rows; absent where no comparison needs them. */
export type InsertTally = Pick<EventTally, 'announce' | 'settle' | 'settleFailed'>

/** The engine refuses inserts with more months than this, because each month becomes a part on disk. */
const mostMonths = 50

/** Inserts rows into the engine, each exactly once, whatever errors the engine returns. */
export class RowStorer {
  constructor(
    private readonly engine: Pick<Engine, 'query' | 'insert' | 'insertNative'>,
    private readonly quarantine: Pick<Quarantine, 'keep'>,
    private readonly retryLoop: RetryLoop,
    private readonly countOutcome: (as: StoringOutcome, amount: number) => void,
    private readonly exclusiveAccess?: ExclusiveAccess,
    private readonly tally?: InsertTally,
  ) {}

  /** Prepares the bytes of each insert in advance, so that inserts follow each other without a pause. */
  async prepare(rows: readonly RowToStore[]): Promise<PreparedInsert[]> {
    const inserts: PreparedInsert[] = []
    for (const block of blocksOf(rows)) inserts.push({ rows: block, encoded: await encode(block) })
    return inserts
  }

  /** Resolves when each row is stored or quarantined. Returns the stored rows. */
  async store(inserts: readonly PreparedInsert[]): Promise<RowToStore[]> {
    const stored: RowToStore[] = []
    for (const { rows, encoded } of inserts) {
      for (const row of await this.storeBlock(rows, encoded)) stored.push(row)
    }
    return stored
  }

  /**
   * Retries in a loop and holds only the rows left to store, so that memory does not grow with the attempts while the
   * engine is away.
   */
  private async storeBlock(rows: readonly RowToStore[], prepared: EncodedRows): Promise<RowToStore[]> {
    const stored: RowToStore[] = []
    let attempts: InsertAttempt[] = [{ rows, number: 1, prepared }]
    for (let attempt = attempts.shift(); attempt; attempt = attempts.shift()) {
      const outcome = await this.tryToInsert(attempt)
      if ('inserted' in outcome) {
        this.countOutcome('deduplicated', attempt.rows.length - outcome.inserted.length)
        this.markStored(outcome.inserted, stored)
      } else attempts = [...(await this.attemptsAfter(attempt, outcome.problem, stored)), ...attempts]
    }
    return stored
  }

  private async attemptsAfter(
    attempt: InsertAttempt,
    problem: Error,
    stored: RowToStore[],
  ): Promise<InsertAttempt[]> {
    const { rows, number } = attempt
    const { splitAbove, atLast } = remedyFor(problem)
    const isSplit = rows.length > splitAbove
    if (!isSplit) {
      const isHopeless = atLast === 'quarantine' || (atLast !== 'wait' && number >= mostAttempts)
      if (isHopeless) {
        await this.quarantineRows(rows, problem)
        await this.retryLoop.retryUntilDone(() => this.settle(attempt, []))
        return []
      }
      await this.retryLoop.backOff(problem)
    }
    const missing = await this.findMissing(attempt, stored)
    return splitRows(isSplit ? 2 : 1, missing).map((piece) => ({
      rows: piece,
      number: isSplit ? 1 : number + 1,
    }))
  }

  private async tryToInsert(attempt: InsertAttempt): Promise<InsertOutcome> {
    const { rows, prepared } = attempt
    try {
      const encoded = prepared ?? (await encode(rows))
      // a crash from here on leaves it announced, so that the rows are counted in the engine
      if (this.tally) attempt.change = randomUUID()
      if (attempt.change !== undefined) await this.tally?.announce(attempt.change, monthsOf(rows))
      const inserted = this.exclusiveAccess
        ? await this.insertInTurn(rows, encoded, this.exclusiveAccess)
        : rows
      if (!this.exclusiveAccess) await this.insert(encoded)
      await this.settle(attempt, inserted)
      this.retryLoop.succeeded()
      return { inserted }
    } catch (problem) {
      return { problem: problem instanceof Error ? problem : new Error(String(problem)) }
    }
  }

  /**
   * Inserts beside other fronts if none of the rows can be one of theirs. Otherwise it looks up and inserts while no
   * other front does, so that rows of other fronts are found or waited for. A front that is killed in between leaves
   * nothing to clean up.
   */
  private async insertInTurn(
    rows: readonly RowToStore[],
    encoded: EncodedRows,
    access: ExclusiveAccess,
  ): Promise<readonly RowToStore[]> {
    const events = rows.map(({ event }) => event)
    await access.announce(events)
    const isInserted = await access.besideOthers(async (isHeld, source) => {
      const areNew = await access.areNew(events, source)
      if (areNew) await this.insertWhileHeld(isHeld, encoded)
      return areNew
    })
    if (isInserted) return rows
    return await access.exclusively(async (isHeld, source) => {
      const storedKeys = await access.findStored(events, source)
      const missing = storedKeys.size === 0 ? rows : rows.filter(({ event }) => !storedKeys.has(keyOf(event)))
      const left = missing === rows ? encoded : await encode(missing)
      if (missing.length > 0) await this.insertWhileHeld(isHeld, left)
      return missing
    })
  }

  private async insertWhileHeld(isHeld: () => boolean, encoded: EncodedRows): Promise<void> {
    if (!isHeld()) throw new Error('Another front may be storing events by now.')
    await this.insert(encoded)
  }

  private async insert({ format, bytes }: EncodedRows): Promise<void> {
    if (format === 'native') await this.engine.insertNative('events', bytes)
    else await this.engine.insert('events', bytes)
  }

  private async settle({ change }: InsertAttempt, stored: readonly RowToStore[]): Promise<void> {
    if (change !== undefined) await this.tally?.settle(change, monthsOf(stored))
  }

  /** A failed insert may have stored some rows, or only its response was lost. So the rows are looked up first. */
  private async findMissing(attempt: InsertAttempt, stored: RowToStore[]): Promise<RowToStore[]> {
    const { rows } = attempt
    const events = rows.map(({ event }) => event)
    await this.retryLoop.retryUntilDone(() => waitForInFlightInserts(this.engine))
    const storedKeys = await this.retryLoop.retryUntilDone(() => findStoredByDate(this.engine, events))
    const isStored = ({ event }: RowToStore) => storedKeys.has(keyOf(event))
    const found = rows.filter(isStored)
    await this.retryLoop.retryUntilDone(() => this.settleFailed(attempt, found))
    this.markStored(found, stored)
    return rows.filter((row) => !isStored(row))
  }

  private async settleFailed({ change }: InsertAttempt, found: readonly RowToStore[]): Promise<void> {
    // another front may have stored and counted them
    const ours = this.exclusiveAccess ? [] : found
    if (change !== undefined) await this.tally?.settleFailed(change, monthsOf(ours))
  }

  private markStored(rows: readonly RowToStore[], stored: RowToStore[]): void {
    this.countOutcome('stored', rows.length)
    for (const row of rows) stored.push(row)
  }

  private async quarantineRows(rows: readonly RowToStore[], problem: Error): Promise<void> {
    const rejected = rows.map(({ text }) => ({ row: text, reason: problem.message }))
    await this.retryLoop.retryUntilDone(() => this.quarantine.keep(rejected))
    this.countOutcome('quarantined', rows.length)
  }
}

/** The number of rows made before waiting requests get a turn. */
const rowsAtOnce = 512

/** Rows that do not all fit their columns exactly go as JSON, so that the engine names those that it rejects. */
async function encode(rows: readonly RowToStore[]): Promise<EncodedRows> {
  const block = await blockOf(rows)
  return block ? { format: 'native', bytes: block } : { format: 'json', bytes: await linesOf(rows) }
}

async function blockOf(rows: readonly RowToStore[]): Promise<Buffer | undefined> {
  const block = new EventBlock(rows.length)
  let done = 0
  for (const row of rows) {
    if (!block.add(row)) return undefined
    if (++done % rowsAtOnce === 0) await new Promise(setImmediate)
  }
  return block.finish()
}

async function linesOf(rows: readonly RowToStore[]): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (let n = 0; n < rows.length; n += rowsAtOnce) {
    if (n > 0) await new Promise(setImmediate)
    const texts = rows.slice(n, n + rowsAtOnce).map(({ text }) => text)
    pieces.push(Buffer.from(`${n > 0 ? '\n' : ''}${texts.join('\n')}`))
  }
  return Buffer.concat(pieces)
}

function splitRows(pieces: 1 | 2, rows: readonly RowToStore[]): (readonly RowToStore[])[] {
  const middle = pieces === 1 ? rows.length : Math.ceil(rows.length / 2)
  return [rows.slice(0, middle), rows.slice(middle)].filter(({ length }) => length > 0)
}

const monthsOf = (rows: readonly RowToStore[]) => monthsOfEvents(rows.map(({ event }) => event.at))

/** Splits rows into as few inserts as their months allow. */
function blocksOf(rows: readonly RowToStore[]): (readonly RowToStore[])[] {
  const months = new Map<number, RowToStore[]>()
  for (const row of rows) {
    const month = row.event.at.getUTCFullYear() * 12 + row.event.at.getUTCMonth()
    const others = months.get(month)
    if (others) others.push(row)
    else months.set(month, [row])
  }
  if (months.size <= mostMonths) return rows.length > 0 ? [rows] : []
  const byMonth = [...months.values()]
  return Array.from({ length: Math.ceil(byMonth.length / mostMonths) }, (_, i) =>
    byMonth.slice(i * mostMonths, (i + 1) * mostMonths).flat(),
  )
}
