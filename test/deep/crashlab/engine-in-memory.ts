import { setTimeout as delay } from 'node:timers/promises'
import { type Engine, EngineError, type EngineFailure, type QueryLimits } from '#engine/engine'
import { render, type Sql } from '#engine/sql'
import { readNativeBlock } from './native-block-reader'

export interface StoredRow {
  project_id: number
  uuid: string
  timestamp: string
  received_at: string
  person_id: string
  session_id?: string
  properties: Record<string, string>
}

type Hindrance = (moment: 'before' | 'between' | 'after' | 'question', rows: number) => Promise<void> | void

/**
 * An engine that behaves as ClickHouse does towards inserts, and no better: all rows of a month at once, but months one
 * after the other; a row it does not understand fails them all; and it knows nothing of rows being there already.
 */
export class EngineInMemory implements Pick<Engine, 'query' | 'insert' | 'insertNative'> {
  readonly rows: StoredRow[] = []
  /** The number of rows of each insert. */
  readonly inserts: number[] = []
  questions = 0
  /** Called before, between and after the months of an insert, and before a query: it may throw. */
  hindrance: Hindrance = () => {}
  isPoison: (row: StoredRow) => boolean = () => false
  /** Whether an insert whose sender is gone is finished all the same, a little later. */
  goesOnAlone: () => boolean = () => false
  private readonly underWay = new Map<string, Promise<void>>()

  /** The engine as one process reaches it. */
  by(hindrance: Hindrance): Pick<Engine, 'query' | 'insert' | 'insertNative'> {
    return {
      insertNative: (table, block) => this.insertNative(table, block, hindrance),
      insert: (table, lines) => this.insert(table, lines, hindrance),
      query: (statement) => this.query(statement, undefined, hindrance),
    }
  }

  async insertNative(table: string, block: Uint8Array, hindrance = this.hindrance): Promise<void> {
    // every block that the tests insert has these columns
    await this.insertRows(table, readNativeBlock(block) as unknown as StoredRow[], hindrance)
  }

  async insert(table: string, lines: Uint8Array | string, hindrance = this.hindrance): Promise<void> {
    const text = typeof lines === 'string' ? lines : Buffer.from(lines).toString()
    // every line that the tests insert is such a row
    const rows = text.split('\n').map((line) => JSON.parse(line) as StoredRow)
    await this.insertRows(table, rows, hindrance)
  }

  private async insertRows(table: string, rows: readonly StoredRow[], hindrance: Hindrance): Promise<void> {
    if (table !== 'events') throw new EngineError('rejected', `There is no table ${table}.`, { code: '60' })
    this.inserts.push(rows.length)
    await hindrance('before', rows.length)
    const poison = rows.findIndex(this.isPoison)
    if (poison >= 0) throw new EngineError('rejected', `Cannot parse (at row ${poison + 1})`, { code: '27' })
    const months = [...new Set(rows.map(monthOf))]
    try {
      for (let month = months.shift(); month; month = months.shift()) {
        this.storeMonth(month, rows)
        await hindrance('between', rows.length)
      }
      await hindrance('after', rows.length)
    } catch (problem) {
      if (this.goesOnAlone()) this.goOnAlone(months, rows)
      throw problem
    }
  }

  /** Resolves when no insert is under way any more. */
  async isQuiet(): Promise<void> {
    await Promise.all(this.underWay.values())
  }

  private storeMonth(month: string, rows: readonly StoredRow[]): void {
    this.rows.push(...rows.filter((row) => monthOf(row) === month))
  }

  private goOnAlone(months: readonly string[], rows: readonly StoredRow[]): void {
    const id = crypto.randomUUID()
    const finish = async () => {
      await delay(5)
      for (const month of months) this.storeMonth(month, rows)
      this.underWay.delete(id)
    }
    this.underWay.set(id, finish())
  }

  async query<Row>(statement: Sql, _limits?: QueryLimits, hindrance = this.hindrance): Promise<Row[]> {
    this.questions += 1
    await hindrance('question', 0)
    const { text, parameters } = render(statement)
    // only what ingestion asks is asked here, so what it wants is known
    if (text.includes('system.processes')) return [...this.underWay.keys()].map((id) => ({ id })) as Row[]
    if (text.includes('toStartOfMinute')) return this.minutes() as Row[]
    const requests = Object.values(parameters)
    if (text.includes('hex(uuid)')) return [{ digits: this.digitsOf(requests.map(timeOf)) }] as Row[]
    const times = requests.filter((value) => typeof value === 'string').map(timeOf)
    const found = text.includes('received_at >=')
      ? this.withUuids(requests).filter(({ received_at: at }) => timeOf(at) >= (times[0] ?? Number.NaN))
      : this.withUuids(requests).filter(({ timestamp: at }) => isBetween(timeOf(at), times))
    return found.map(({ project_id, uuid }) => ({ project: project_id, uuid })) as Row[]
  }

  get uuids(): string[] {
    return this.rows.map(({ uuid }) => uuid)
  }

  private withUuids(parameters: readonly unknown[]): StoredRow[] {
    const wanted = new Set(parameters.flat())
    return this.rows.filter(({ uuid }) => wanted.has(uuid))
  }

  /** The number of rows received in each minute, the latest first. */
  private minutes(): { minute: number; events: number }[] {
    const counts = new Map<number, number>()
    for (const { received_at } of this.rows) {
      const minute = Math.floor(timeOf(received_at) / 60_000) * 60
      counts.set(minute, (counts.get(minute) ?? 0) + 1)
    }
    return [...counts].map(([minute, events]) => ({ minute, events })).toSorted((a, b) => b.minute - a.minute)
  }

  private digitsOf([from = Number.NaN, to = Number.NaN]: readonly number[]): string {
    const within = this.rows.filter(({ received_at: at }) => timeOf(at) >= from && timeOf(at) < to)
    return within.map(({ uuid }) => uuid.replaceAll('-', '')).join('')
  }
}

const isBetween = (time: number, [from = Number.NaN, to = Number.NaN]: readonly number[]): boolean =>
  time >= from && time <= to

const timeOf = (text: unknown): number => Date.parse(`${String(text).replace(' ', 'T').replace('Z', '')}Z`)

export const monthOf = ({ timestamp }: StoredRow): string => timestamp.slice(0, 7)

export function failing(failure: EngineFailure, code?: string): EngineError {
  return new EngineError(failure, `It is ${failure}.`, { code })
}
