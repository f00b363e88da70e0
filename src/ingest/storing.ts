import { type Engine, EngineError, type EngineFailure } from '../engine/engine'
import type { PreparedEvent } from '../events/event'
import { keyOf, knownTo } from './duplicates'
import type { Patience } from './patience'
import type { Quarantine } from './quarantine'
import { insertsAreOver } from './stragglers'

export interface CompleteRow {
  event: PreparedEvent
  personId: string
  /** The line the engine gets. */
  text: string
}

export type Settled = 'stored' | 'deduplicated' | 'quarantined' | 'forgotten'

interface Remedy {
  /** An insert of more rows than this is tried again in halves. */
  splitAbove: number
  /** And one that small: another try later, or never again. */
  atLast: 'wait' | 'quarantine'
}

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

/** More months than these in one insert would be refused: each becomes a part on disk. */
const mostMonths = 50

/** Gets rows into the engine, each exactly once, whatever the engine says. */
export class Storing {
  constructor(
    private readonly engine: Pick<Engine, 'query' | 'insert'>,
    private readonly quarantine: Pick<Quarantine, 'keep'>,
    private readonly patience: Patience,
    private readonly settle: (as: Settled, amount: number) => void,
  ) {}

  /** Resolves when each is stored or quarantined, with those that are stored. */
  async store(rows: readonly CompleteRow[]): Promise<CompleteRow[]> {
    const stored: CompleteRow[] = []
    for (const block of blocksOf(rows)) stored.push(...(await this.storeBlock(block)))
    return stored
  }

  private async storeBlock(rows: readonly CompleteRow[]): Promise<CompleteRow[]> {
    const problem = await this.tryToInsert(rows)
    if (!problem) return this.areStored(rows)
    const { splitAbove, atLast } = remedyFor(problem)
    if (rows.length > splitAbove) return await this.storeRest(rows, 2)
    if (atLast === 'quarantine') return await this.putAside(rows, problem)
    await this.patience.after(problem)
    return await this.storeRest(rows, 1)
  }

  private async tryToInsert(rows: readonly CompleteRow[]): Promise<Error | undefined> {
    try {
      await this.engine.insert('events', await bytesOf(rows))
      this.patience.worked()
      return undefined
    } catch (problem) {
      return problem instanceof Error ? problem : new Error(String(problem))
    }
  }

  /** What failed may have worked in part, or only its answer was lost: so first a look at what is there by now. */
  private async storeRest(rows: readonly CompleteRow[], pieces: 1 | 2): Promise<CompleteRow[]> {
    const events = rows.map(({ event }) => event)
    await this.patience.until(() => insertsAreOver(this.engine))
    const there = await this.patience.until(() => knownTo(this.engine, events))
    const isThere = ({ event }: CompleteRow) => there.has(keyOf(event))
    const stored = this.areStored(rows.filter(isThere))
    const missing = rows.filter((row) => !isThere(row))
    for (const piece of cutInto(pieces, missing)) stored.push(...(await this.storeBlock(piece)))
    return stored
  }

  private areStored(rows: readonly CompleteRow[]): CompleteRow[] {
    this.settle('stored', rows.length)
    return [...rows]
  }

  private async putAside(rows: readonly CompleteRow[], problem: Error): Promise<CompleteRow[]> {
    const poison = rows.map(({ text }) => ({ row: text, reason: problem.message }))
    await this.patience.until(() => this.quarantine.keep(poison))
    this.settle('quarantined', rows.length)
    return []
  }
}

/** So many at a time: whoever waits for an answer meanwhile is not to wait for megabytes of rows. */
const rowsAtOnce = 512

async function bytesOf(rows: readonly CompleteRow[]): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (let n = 0; n < rows.length; n += rowsAtOnce) {
    if (n > 0) await new Promise(setImmediate)
    const texts = rows.slice(n, n + rowsAtOnce).map(({ text }) => text)
    pieces.push(Buffer.from(`${n > 0 ? '\n' : ''}${texts.join('\n')}`))
  }
  return Buffer.concat(pieces)
}

function cutInto(pieces: 1 | 2, rows: readonly CompleteRow[]): (readonly CompleteRow[])[] {
  const middle = pieces === 1 ? rows.length : Math.ceil(rows.length / 2)
  return [rows.slice(0, middle), rows.slice(middle)].filter(({ length }) => length > 0)
}

/** Rows in as few inserts as the number of months in them allows. */
function blocksOf(rows: readonly CompleteRow[]): (readonly CompleteRow[])[] {
  const months = new Map<number, CompleteRow[]>()
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
