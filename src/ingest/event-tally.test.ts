import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as aTurnOfTheLoop, setTimeout as delay } from 'node:timers/promises'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { randomBy } from '#bench/busy-site'
import { render, type Sql, sql, string } from '#engine/sql'
import type { PreparedEvent } from '#events/event'
import { runs } from '#test/random/chance'
import { EngineInMemory, failing, monthOf, type StoredRow } from '#test/deep/crashlab/engine-in-memory'
import { eventNumber, noon } from '#test/deep/crashlab/events'
import { openStore } from '#store/open'
import { type Store, StoreUnavailableError } from '#store/store'
import { acceptEvents, readExpectedEvents } from './event-months'
import { deleteAnnounced, EventTally, type MonthDifference } from './event-tally'
import { findStoredByDate, keyOf } from './internal/duplicates'
import { waitForInFlightInserts } from './internal/in-flight-inserts'
import { RetryLoop, RetryLoopClosedError } from './internal/retry-loop'
import { Deduplicator } from './internal/deduplicator'
import { RowStorer, rowToStore } from './internal/store-rows'
import { realWorld } from '#world/world'

const persons = ['ana', 'ben', 'cleo']
const columns = ['person_id', 'session_id', 'month'] as const
const dayMs = 86_400_000

/** The next step, and the number of turns that everything under way takes before the one after it. */
type TallyChange = { turns: number; front: number } & (
  | { kind: 'insert'; amount: number; of: number; isAgain: boolean }
  | { kind: 'delete'; by: (typeof columns)[number]; of: number }
  | { kind: 'fail'; where: 'engine' | 'store' }
  | { kind: 'lose'; amount: number; of: number }
  | { kind: 'compare' | 'crash' | 'accept' | 'rest' }
)

const tallyChange = fc
  .tuple(
    fc.record({ turns: fc.nat(12), front: fc.nat(1) }),
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          kind: fc.constant('insert' as const),
          amount: fc.integer({ min: 1, max: 6 }),
          of: fc.nat(5),
          isAgain: fc.boolean(),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('delete' as const),
          by: fc.constantFrom(...columns),
          of: fc.nat(5),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('fail' as const),
          where: fc.constantFrom('engine', 'store'),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('lose' as const),
          amount: fc.integer({ min: 1, max: 4 }),
          of: fc.nat(2),
        }),
      },
      {
        weight: 4,
        arbitrary: fc.record({ kind: fc.constantFrom('compare', 'compare', 'crash', 'accept', 'rest') }),
      },
    ),
  )
  .map(([when, what]) => ({ ...when, ...what }))

/** Lets everything under way take one step at a time, in an order that chance decides. */
class Turns {
  private readonly waiting: { life: Life; go: () => void }[] = []

  constructor(private readonly chance: () => number) {}

  wait(life: Life): Promise<void> {
    if (life.isOver) return Promise.resolve()
    return new Promise((go) => this.waiting.push({ life, go }))
  }

  async next(): Promise<void> {
    for (let i = 0; i < 3; i++) await aTurnOfTheLoop()
    const [one] = this.waiting.splice(Math.floor(this.chance() * this.waiting.length), 1)
    if (one) one.go()
    else await delay(1)
  }

  end(life: Life): void {
    for (const one of this.waiting.splice(0))
      if (one.life === life) one.go()
      else this.waiting.push(one)
  }
}

class KilledError extends Error {}

/** One life of a process. */
interface Life {
  isOver: boolean
  tally: EventTally
  storer: RowStorer
  retryLoop: RetryLoop
  store: Store
  engine: Pick<CountingEngine, 'query' | 'insert' | 'remove'>
  storing: Promise<void>
}

/** Knows in addition how to count by month, and to delete. */
class CountingEngine extends EngineInMemory {
  override async query<Row>(...[statement, limits, hindrance]: Parameters<EngineInMemory['query']>) {
    if (!render(statement).text.includes('toYYYYMM(timestamp) as month'))
      return await super.query<Row>(statement, limits, hindrance)
    await hindrance?.('question', 0)
    const counted = [...this.countByMonth(this.matching(statement))]
    await hindrance?.('question', 0)
    return counted.map(([month, events]) => ({ month, events })) as Row[]
  }

  /** Deletes month by month, as an engine deletes part by part. */
  async remove(of: Sql, step: () => Promise<void>): Promise<void> {
    await step()
    const gone = new Set(this.matching(of))
    for (const month of new Set([...gone].map(monthOf))) {
      const left = this.rows.filter((row) => !gone.has(row) || monthOf(row) !== month)
      this.rows.splice(0, Infinity, ...left)
      await step()
    }
  }

  countByMonth(rows: readonly StoredRow[] = this.rows): ReadonlyMap<number, number> {
    const months = Map.groupBy(rows, (row) => Number(monthOf(row).replace('-', '')))
    return new Map([...months].map(([month, { length }]) => [month, length]))
  }

  private matching(statement: Sql): StoredRow[] {
    const { text, parameters } = render(statement)
    const column = columns.find((name) => text.includes(`${name} = {`))
    const valueOf = (row: StoredRow) => (column === 'month' ? monthOf(row) : column && row[column])
    return this.rows.filter((row) => !column || valueOf(row) === parameters['p0'])
  }
}

/** Fronts that share an engine and a store, and what must be true of them. */
class Installation {
  readonly wrong: string[] = []
  private readonly engine = new CountingEngine()
  private readonly turns: Turns
  private readonly lives: Life[] = []
  private readonly pending: PreparedEvent[][]
  private readonly unfinished = new Map<string, Sql>()
  private readonly underWay = new Set<Promise<void>>()
  private readonly sent: PreparedEvent[] = []
  private readonly settled = new Set<string>()
  private failure: 'engine' | 'store' | undefined
  private lost = new Map<number, number>()
  /** The number of events by month that may be reported lost until the next rest. */
  private claimable = new Map<number, number>()
  /** Whether something since the last rest leaves more than one number possible. */
  private isInDoubt = false
  private lock: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly store: Store,
    private readonly fronts: number,
    private readonly chance: () => number,
  ) {
    this.turns = new Turns(chance)
    this.engine.goesOnAlone = () => chance() < 0.2
    this.pending = Array.from({ length: fronts }, () => [])
    for (let index = 0; index < fronts; index++) this.start(index)
  }

  async let(one: TallyChange): Promise<void> {
    const index = one.front % this.fronts
    if (one.kind === 'rest') return await this.rest()
    if (one.kind === 'insert') this.send(index, one)
    if (one.kind === 'compare') this.run(() => this.compare(this.lifeOf(index)))
    if (one.kind === 'lose' && !this.isInDoubt) this.lose(one)
    if (one.kind === 'accept' && this.lost.size > 0 && !this.isInDoubt) await this.accept()
    if (this.lost.size === 0) this.letBecomeUnsure(index, one)
    for (let i = 0; i < one.turns; i++) await this.turns.next()
  }

  /** Makes numbers unsure. The caller does so only while no event is missing: it might be taken for an unsure one. */
  private letBecomeUnsure(index: number, one: TallyChange): void {
    if (one.kind === 'delete') this.delete(index, one)
    if (one.kind === 'crash') this.crash(index)
    if (one.kind === 'fail') this.failure = one.where
    this.isInDoubt ||= ['delete', 'crash', 'fail'].includes(one.kind)
  }

  /** Waits until nothing is under way: from then on every number must be exact. */
  async rest(): Promise<void> {
    this.failure = undefined
    await this.idle()
    for (const [name, of] of this.unfinished) {
      this.run(() => this.deleteOnce(this.lifeOf(0), name, of))
      await this.idle()
    }
    this.unfinished.clear()
    for (const life of this.lives) {
      this.run(() => this.compare(life))
      await this.idle()
    }
    const found = this.engine.countByMonth()
    const missing = [...this.lost].map(([month, amount]) => {
      const events = found.get(month) ?? 0
      return { month, expected: events + amount, found: events }
    })
    const differences = this.lives.map(({ tally }) => tally.differences)
    this.same(
      'missing',
      differences,
      differences.map(() => missing.toSorted((a, b) => a.month - b.month)),
    )
    if (this.lost.size === 0) await this.verifyCounts(found)
    await this.forgetLoss()
  }

  private async verifyCounts(found: ReadonlyMap<number, number>): Promise<void> {
    const { months, changes } = await this.store.transaction(readExpectedEvents, 'all event counts')
    this.same('under way', changes, [])
    for (const [month, { added, removed, unsureAdded, unsureRemoved }] of months) {
      this.same(`${month}`, added - removed, found.get(month) ?? 0)
      this.same(`unsure in ${month}`, unsureAdded + unsureRemoved, 0)
    }
  }

  private same(what: string, is: unknown, wanted: unknown): void {
    if (JSON.stringify(is) !== JSON.stringify(wanted))
      this.wrong.push(`${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(wanted)}`)
  }

  /** Accepts losses that were not accepted yet, so that the next search begins anew. */
  private async forgetLoss(): Promise<void> {
    if (this.lost.size > 0) {
      await acceptEvents(this.store)
      this.run(() => this.compare(this.lifeOf(0)))
      await this.idle()
      this.lost.clear()
      await this.verifyCounts(this.engine.countByMonth())
    }
    this.claimable.clear()
    this.isInDoubt = false
  }

  private async idle(): Promise<void> {
    while (this.underWay.size > 0) await this.turns.next()
    await this.engine.isQuiet()
  }

  private run(work: () => Promise<void>): void {
    const running = work().catch((problem: unknown) => {
      const isExpected =
        problem instanceof KilledError ||
        problem instanceof RetryLoopClosedError ||
        problem instanceof StoreUnavailableError
      if (!isExpected) this.wrong.push(String(problem))
    })
    this.underWay.add(running)
    void running.finally(() => this.underWay.delete(running))
  }

  private lifeOf(index: number): Life {
    return this.lives[index] ?? expect.unreachable()
  }

  private start(index: number): void {
    const life: Partial<Life> = { isOver: false, retryLoop: new RetryLoop({ first: 0, most: 0 }) }
    const begun = life as Life // filled before anything uses it
    const step = (where: 'engine' | 'store') => () => this.step(begun, where)
    const { insert, insertNative, query } = this.engine.by(step('engine'))
    const remove = (of: Sql) => this.engine.remove(of, step('engine'))
    const store = this.stepping(step('store'))
    const settings = { store, engine: { query, insert, health: () => ({}) as never }, world: realWorld }
    const hasOtherFronts = this.fronts > 1
    const tally = new EventTally({ ...settings, journal: `journal ${index}`, hasOtherFronts })
    const looking = { engine: { query }, now: () => new Date(noon), trustsFilter: () => false }
    const deduplicator = new Deduplicator(looking)
    const inTurn = <Result>(work: (isHeld: () => boolean) => Promise<Result>) => this.alone(begun, work)
    const exclusive = {
      areNew: deduplicator.areNew.bind(deduplicator),
      findStored: deduplicator.findStored.bind(deduplicator),
      announce: deduplicator.announce.bind(deduplicator),
      exclusively: inTurn,
      besideOthers: inTurn,
    }
    const storer = new RowStorer(
      { query, insert, insertNative },
      { keep: async () => expect.unreachable('nothing here is poison') },
      begun.retryLoop,
      () => {},
      hasOtherFronts ? exclusive : undefined,
      {
        announce: this.announcing(tally, step('store')),
        settle: (id, stored) => tally.settle(id, stored),
        settleFailed: (id, found) => tally.settleFailed(id, found),
      },
    )
    Object.assign(begun, { tally, storer, store, engine: { query, insert, remove } })
    begun.storing = begun.retryLoop.retryUntilDone(async () => {
      await waitForInFlightInserts(begun.engine)
      await tally.begin()
      this.check(tally.differences)
    })
    this.lives[index] = begun
    this.run(() => begun.storing)
    this.storePending(index)
  }

  private async step(life: Life, where: 'engine' | 'store'): Promise<void> {
    await this.turns.wait(life)
    if (life.isOver) throw new KilledError()
    if (this.failure !== where) return
    this.failure = undefined
    throw where === 'engine' ? failing('unavailable') : new StoreUnavailableError('away')
  }

  /** A store whose answer, or whose work, may get lost. */
  private stepping(step: () => Promise<void>): Store {
    const transaction: Store['transaction'] = async (work) => {
      await step()
      const outcome = await this.store.transaction(work)
      await step()
      return outcome
    }
    return { transaction, tables: () => this.store.tables() } as Partial<Store> as Store // all that is used
  }

  private announcing(tally: EventTally, step: () => Promise<void>): EventTally['announce'] {
    return async (...change) => {
      await step()
      await tally.announce(...change)
      await step()
    }
  }

  private alone<Result>(life: Life, work: (isHeld: () => boolean) => Promise<Result>): Promise<Result> {
    const before = this.lock
    const mine = before.then(() => work(() => !life.isOver))
    this.lock = mine.catch(() => {})
    return mine
  }

  private send(index: number, { amount, of, isAgain }: Extract<TallyChange, { kind: 'insert' }>): void {
    const events = isAgain ? this.sent.slice(-amount) : this.newEvents(amount, of)
    this.pending[index]?.push(...events)
    this.storePending(index)
  }

  private newEvents(amount: number, of: number): PreparedEvent[] {
    const events = Array.from({ length: amount }, (_, i) =>
      eventNumber(this.sent.length + i, {
        at: new Date(noon + ((of + i) % 3) * 31 * dayMs),
        distinctId: persons[of % 3] ?? '',
        sessionId: `import ${of % 2}`,
      }),
    )
    this.sent.push(...events)
    return events
  }

  private storePending(index: number): void {
    const life = this.lifeOf(index)
    life.storing = this.storePendingOf(life, index, life.storing)
    this.run(() => life.storing)
  }

  private async storePendingOf(life: Life, index: number, before: Promise<void>): Promise<void> {
    await before
    const events = this.pending[index] ?? []
    const taken = new Map(events.map((event) => [keyOf(event), event]))
    const known = await life.retryLoop.retryUntilDone(() =>
      findStoredByDate(life.engine, [...taken.values()]),
    )
    const fresh = [...taken].filter(([key]) => !known.has(key))
    const rows = fresh.map(([, event]) => rowToStore(event, event.distinctId))
    await life.storer.store(await life.storer.prepare(rows))
    for (const { uuid } of taken.values()) this.settled.add(uuid)
    this.pending[index] = events.filter((event) => !taken.has(keyOf(event)))
  }

  private delete(index: number, { by, of }: Extract<TallyChange, { kind: 'delete' }>): void {
    const values = {
      person_id: persons[of % 3] ?? '',
      session_id: `import ${of % 2}`,
      month: ['2026-11', '2026-12', '2027-01'][of % 3] ?? '',
    }
    const [name, value] = [`${by} ${values[by]}`, string(values[by])]
    const conditions = {
      person_id: sql`person_id = ${value}`,
      session_id: sql`session_id = ${value}`,
      month: sql`month = ${value}`,
    }
    this.run(() => this.deleteOnce(this.lifeOf(index), name, conditions[by]))
  }

  /** An attempt that was interrupted is made again at the next rest. */
  private async deleteOnce(life: Life, name: string, of: Sql): Promise<void> {
    const { store, engine } = life
    try {
      const run = () => engine.remove(of, async () => {})
      await deleteAnnounced({ store, engine, world: realWorld }, { name, of, run })
    } catch (problem) {
      this.unfinished.set(name, of)
      if (!(problem instanceof Error) || !/unavailable/.test(problem.message)) throw problem
    }
  }

  private async compare({ tally }: Life): Promise<void> {
    try {
      await tally.compare()
      this.check(tally.differences)
    } catch (problem) {
      if (!(problem instanceof Error) || !/unavailable/.test(problem.message)) throw problem
    }
  }

  /** Checks that no event is reported missing that is there. */
  private check(differences: readonly MonthDifference[]): void {
    for (const { month = 0, expected, found } of differences) {
      const most = this.claimable.get(month) ?? 0
      if (expected <= found || expected - found > most)
        this.wrong.push(`${month}: ${found} of ${expected}, and ${most} are missing`)
    }
  }

  private crash(index: number): void {
    const life = this.lifeOf(index)
    life.isOver = true
    life.retryLoop.close()
    this.turns.end(life)
    this.start(index)
  }

  private lose({ amount, of }: Extract<TallyChange, { kind: 'lose' }>): void {
    const { rows } = this.engine
    const of3 = ['2026-11', '2026-12', '2027-01'][of] ?? ''
    const gone = rows.filter((row) => monthOf(row) === of3 && this.settled.has(row.uuid)).slice(0, amount)
    if (gone.length === 0) return
    rows.splice(0, Infinity, ...rows.filter((row) => !gone.includes(row)))
    const month = Number(of3.replace('-', ''))
    for (const counts of [this.lost, this.claimable])
      counts.set(month, (counts.get(month) ?? 0) + gone.length)
  }

  private async accept(): Promise<void> {
    await acceptEvents(this.store)
    this.run(() => this.compare(this.lifeOf(0)))
    this.lost.clear()
    this.isInDoubt = true
  }
}

let store: Store
const folder = mkdtempSync(join(tmpdir(), 'tilth-tally-'))

beforeAll(async () => {
  cpSync(inject('migratedStore'), folder, { recursive: true })
  store = await openStore({ folder })
})

afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Tables {
  event_months: { month: number }
  event_changes: { id: string }
  installation: { one: number; id: string; events: number; counted_since: string | null }
}

async function emptied(): Promise<Store> {
  const tables = store.tables<Tables>()
  await tables.deleteFrom('event_months').execute()
  await tables.deleteFrom('event_changes').execute()
  await tables.deleteFrom('installation').execute()
  await tables
    .insertInto('installation')
    .values({ one: 1, id: 'a', events: 0, counted_since: null })
    .execute()
  return store
}

/** A loss is accepted while an insert of the same month hides it. */
const hiddenLoss: TallyChange[] = [
  { turns: 0, front: 0, kind: 'insert', amount: 1, of: 0, isAgain: false },
  { turns: 0, front: 0, kind: 'rest' },
  { turns: 0, front: 0, kind: 'lose', amount: 1, of: 0 },
  { turns: 4, front: 0, kind: 'insert', amount: 1, of: 0, isAgain: false },
  { turns: 0, front: 0, kind: 'accept' },
]

test.each([1, 2])(
  'whatever is inserted, deleted and interrupted by %i fronts, no loss is missed and none is made up',
  async (fronts) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(tallyChange, { minLength: 3, maxLength: 25 }),
        fc.nat(),
        async (changes, seed) => {
          const installation = new Installation(await emptied(), fronts, randomBy(seed))
          for (const one of changes) await installation.let(one)
          await installation.rest()
          expect(installation.wrong).toEqual([])
        },
      ),
      { numRuns: runs(60), examples: [[hiddenLoss, 0]] },
    )
  },
)
