import { type Engine, EngineError, type EngineFailure } from '#engine/engine'
import type { PreparedEvent } from '#events/event'
import { keyOf, findStoredByDate, findReceivedRecently } from './duplicates'
import type { FrontCoordination } from './batches'
import type { RetryLoop } from './retry-loop'
import type { Quarantine } from './quarantine'
import { waitForInFlightInserts } from './in-flight-inserts'

export interface RowToStore {
  event: PreparedEvent
  personId: string
  /** The line the engine gets. */
  text: string
}

/** Rows that go into the engine together, and the bytes of the insert. */
export interface PreparedInsert {
  rows: readonly RowToStore[]
  bytes: Uint8Array
}

export type StoringOutcome = 'stored' | 'deduplicated' | 'quarantined' | 'forgotten'

interface Remedy {
  /** An insert of more rows than this is tried again in halves. */
  splitAbove: number
  /** And one that small: another try later, or never again. */
  atLast: 'wait' | 'wait-then-quarantine' | 'quarantine'
}

/** One row that fails this often by itself, for a reason of the engine's own, holds up the others no longer. */
const mostAttempts = 50

const wait: Remedy = { splitAbove: Infinity, atLast: 'wait' }

const remedies: Record<EngineFailure, Remedy> = {
  unavailable: wait,
  cancelled: wait,
  'disk-full': wait,
  // a smaller insert needs less of both; but single rows would never get anywhere
  deadline: { splitAbove: 500, atLast: 'wait' },
  memory: { splitAbove: 500, atLast: 'wait' },
  // halved until the row is found that is the reason
  rejected: { splitAbove: 1, atLast: 'quarantine' },
  // an insert reads no part on disk: whatever was read is detached, and the insert tried again
  corrupted: wait,
  // a bug of the engine's may be about one row
  failed: { splitAbove: 1, atLast: 'wait-then-quarantine' },
}

/** Refusals that say nothing about any row: every other row would be refused as well, so they have to pass. */
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

/** Rows to be inserted together, for the first time or again. */
interface InsertAttempt {
  rows: readonly RowToStore[]
  number: number
  /** The bytes of the rows, where they were made before. */
  prepared?: Uint8Array
}

type InsertOutcome = { inserted: readonly RowToStore[] } | { problem: Error }

interface ExclusiveAccess extends Pick<FrontCoordination, 'exclusively'> {
  now: () => Date
}

/** More months than these in one insert would be refused: each becomes a part on disk. */
const mostMonths = 50

/** Gets rows into the engine, each exactly once, whatever the engine says. */
export class RowStorer {
  constructor(
    private readonly engine: Pick<Engine, 'query' | 'insert'>,
    private readonly quarantine: Pick<Quarantine, 'keep'>,
    private readonly retryLoop: RetryLoop,
    private readonly countOutcome: (as: StoringOutcome, amount: number) => void,
    private readonly exclusiveAccess?: ExclusiveAccess,
  ) {}

  /** Makes the bytes of each insert, so that no time passes between one insert and the next. */
  async prepare(rows: readonly RowToStore[]): Promise<PreparedInsert[]> {
    const inserts: PreparedInsert[] = []
    for (const block of blocksOf(rows)) inserts.push({ rows: block, bytes: await bytesOf(block) })
    return inserts
  }

  /** Resolves when each row is stored or quarantined, with those that are stored. */
  async store(inserts: readonly PreparedInsert[]): Promise<RowToStore[]> {
    const stored: RowToStore[] = []
    for (const { rows, bytes } of inserts) {
      for (const row of await this.storeBlock(rows, bytes)) stored.push(row)
    }
    return stored
  }

  /**
   * Tries again in a loop, and holds only what is left to store: while the engine is away, memory does not grow with the
   * number of attempts.
   */
  private async storeBlock(rows: readonly RowToStore[], prepared: Uint8Array): Promise<RowToStore[]> {
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
    { rows, number }: InsertAttempt,
    problem: Error,
    stored: RowToStore[],
  ): Promise<InsertAttempt[]> {
    const { splitAbove, atLast } = remedyFor(problem)
    const isSplit = rows.length > splitAbove
    if (!isSplit) {
      const isHopeless = atLast === 'quarantine' || (atLast !== 'wait' && number >= mostAttempts)
      if (isHopeless) {
        await this.quarantineRows(rows, problem)
        return []
      }
      await this.retryLoop.backOff(problem)
    }
    const missing = await this.findMissing(rows, stored)
    return splitRows(isSplit ? 2 : 1, missing).map((piece) => ({
      rows: piece,
      number: isSplit ? 1 : number + 1,
    }))
  }

  private async tryToInsert({ rows, prepared }: InsertAttempt): Promise<InsertOutcome> {
    try {
      const bytes = prepared ?? (await bytesOf(rows))
      const inserted = this.exclusiveAccess
        ? await this.insertExclusively(rows, bytes, this.exclusiveAccess)
        : rows
      if (!this.exclusiveAccess) await this.engine.insert('events', bytes)
      this.retryLoop.succeeded()
      return { inserted }
    } catch (problem) {
      return { problem: problem instanceof Error ? problem : new Error(String(problem)) }
    }
  }

  /**
   * Looks and inserts while no other front does: what another has stored is seen, and what it is storing is waited for.
   * A front that was killed in between leaves nothing behind that would have to be cleared.
   */
  private async insertExclusively(
    rows: readonly RowToStore[],
    bytes: Uint8Array,
    { exclusively, now }: ExclusiveAccess,
  ): Promise<readonly RowToStore[]> {
    return await exclusively(async (isHeld) => {
      await waitForInFlightInserts(this.engine)
      const events = rows.map(({ event }) => event)
      const [byDate, byReceipt] = await Promise.all([
        findStoredByDate(this.engine, events),
        findReceivedRecently(this.engine, events, now()),
      ])
      const storedKeys = new Set([...byDate, ...byReceipt])
      const missing = storedKeys.size === 0 ? rows : rows.filter(({ event }) => !storedKeys.has(keyOf(event)))
      const left = missing === rows ? bytes : await bytesOf(missing)
      if (!isHeld()) throw new Error('Another front may be storing events by now.')
      if (missing.length > 0) await this.engine.insert('events', left)
      return missing
    })
  }

  /** What failed may have worked in part, or only its answer was lost: so first a look at what is there by now. */
  private async findMissing(rows: readonly RowToStore[], stored: RowToStore[]): Promise<RowToStore[]> {
    const events = rows.map(({ event }) => event)
    await this.retryLoop.retryUntilDone(() => waitForInFlightInserts(this.engine))
    const storedKeys = await this.retryLoop.retryUntilDone(() => findStoredByDate(this.engine, events))
    const isStored = ({ event }: RowToStore) => storedKeys.has(keyOf(event))
    this.markStored(rows.filter(isStored), stored)
    return rows.filter((row) => !isStored(row))
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

/** Makes this many rows before it yields to waiting requests. */
const rowsAtOnce = 512

async function bytesOf(rows: readonly RowToStore[]): Promise<Buffer> {
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

/** Rows in as few inserts as the number of months in them allows. */
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
