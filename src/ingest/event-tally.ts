import type { DetachedPart, Engine } from '#engine/engine'
import { type Sql, sql } from '#engine/sql'
import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import {
  addToMonth,
  type EventChange,
  type ExpectedEvents,
  type MonthCounts,
  readExpectedEvents,
  removeChange,
  saveChange,
  saveComparison,
} from './event-months'
import { newUuid } from './uuid'

/** A month of which the engine holds more or fewer events than it should. */
export interface MonthDifference {
  /** As 202603; undefined if the events were never counted by month. */
  month: number | undefined
  expected: number
  found: number
}

/** A deletion of stored events on purpose. */
export interface EventDeletion {
  /** The same name for every attempt at the same deletion, so that one that was interrupted is counted once. */
  name: string
  /** The condition of the events. */
  of: Sql
  run: () => Promise<void>
}

interface DeletionDependencies {
  store: Store
  engine: Pick<Engine, 'query'>
  world: World
}

interface EventTallyDependencies extends DeletionDependencies {
  engine: Pick<Engine, 'query' | 'health'>
  /** The id of the journal whose events are inserted. */
  journal: string
  /** Whether other fronts insert events as well. */
  hasOtherFronts: boolean
}

const hourMs = 3_600_000
/** A change of another front that has not ended by then is of a front that is gone. */
const abandonedAfterMs = { insert: hourMs, deletion: 24 * hourMs }
/** A smaller share of the events at the last comparison cannot be explained by deletion. */
const minShare = 0.5
const deadlineMs = 5 * 60_000

/**
 * Knows how many events of each month the engine has to hold. Every insert is announced in the store before it is sent
 * and counted once it is stored; deletions likewise. So a comparison with the engine finds a single missing event,
 * whatever is inserted meanwhile (decision 42).
 */
export class EventTally {
  /** The result of the last comparison. */
  differences: readonly MonthDifference[] = []
  private comparing: Promise<void> = Promise.resolve()

  constructor(private readonly dependencies: EventTallyDependencies) {}

  /** Call it before the first insert: what this front had begun before a crash becomes unsure, and is counted. */
  async begin(): Promise<void> {
    await this.dependencies.store.transaction((transaction) => this.giveUpInserts(transaction))
    await this.compare()
  }

  /** Announces an insert. Returns its id. */
  async announce(months: MonthCounts): Promise<string> {
    const { store, journal, world } = this.dependencies
    const id = newUuid(world)
    const change = { id, kind: 'insert', owner: journal, months, begunAt: world.now() } as const
    await saveChange(store, { ...change, addedBefore: new Map() })
    return id
  }

  /** Counts what of an announced insert is stored. A change that was given up meanwhile is counted by comparison. */
  async settle(id: string, stored: MonthCounts | 'unsure'): Promise<void> {
    await this.dependencies.store.transaction(async (transaction) => {
      if (stored === 'unsure') {
        const { changes } = await readExpectedEvents(transaction)
        for (const change of changes) if (change.id === id) await giveUp(transaction, change)
      } else if (await removeChange(transaction, id)) {
        for (const [month, added] of stored) await addToMonth(transaction, month, { added })
      }
    })
  }

  /** Compares the store with the engine. */
  async compare(): Promise<void> {
    this.comparing = this.comparing.catch(() => {}).then(() => this.compareOnce())
    await this.comparing
  }

  private async compareOnce(): Promise<void> {
    const { store, engine } = this.dependencies
    const before = await store.transaction(readExpectedEvents)
    const found = await countByMonth(engine, sql`true`)
    const detached = detachedByMonth(engine.health().detached ?? [])
    this.differences = await store.transaction(async (transaction) => {
      await this.giveUpAbandoned(transaction)
      const after = await readExpectedEvents(transaction)
      return await this.conclude(transaction, { before, after, found, detached })
    })
  }

  private async conclude(
    transaction: StoreTransaction,
    comparison: Comparison,
  ): Promise<readonly MonthDifference[]> {
    const { after, found } = comparison
    const total = sumOf(found)
    const isFirst = after.countedSince === undefined
    const isEmptied = isFirst && total < after.lastFound * minShare
    if (isEmptied) return [{ month: undefined, expected: after.lastFound, found: total }]
    const differences = differencesIn(comparison)
    const isAccepted = isFirst || after.lastFound < 0
    if (isAccepted) for (const difference of differences) await accept(transaction, difference)
    else await makeSure(transaction, comparison, differences)
    if (isFirst)
      for (const [month, rows] of comparison.detached)
        if (Number.isFinite(rows)) await addToMonth(transaction, month, { added: rows })
    if (isAccepted || (after.lastFound !== total && differences.length === 0))
      await saveComparison(transaction, total, after.countedSince ?? this.dependencies.world.now())
    return isAccepted ? [] : differences
  }

  private async giveUpInserts(transaction: StoreTransaction): Promise<void> {
    const { hasOtherFronts, journal } = this.dependencies
    const { changes } = await readExpectedEvents(transaction)
    for (const change of changes)
      if (change.kind === 'insert' && (!hasOtherFronts || change.owner === journal))
        await giveUp(transaction, change)
  }

  private async giveUpAbandoned(transaction: StoreTransaction): Promise<void> {
    const now = this.dependencies.world.now().getTime()
    const { changes } = await readExpectedEvents(transaction)
    for (const change of changes)
      if (now - change.begunAt.getTime() > abandonedAfterMs[change.kind]) await giveUp(transaction, change)
  }
}

/**
 * Runs a deletion that was announced in the store. It counts for as many events as matched before it. Events that were
 * added while it ran may have been deleted too; the next comparison finds out.
 */
export async function deleteAnnounced(
  { store, engine, world }: DeletionDependencies,
  { name, of, run }: EventDeletion,
): Promise<void> {
  const id = `deletion: ${name}`
  const matching = await countByMonth(engine, of)
  await store.transaction(async (transaction) => {
    const { months, changes } = await readExpectedEvents(transaction)
    // an earlier attempt may have deleted some or all of them
    if (changes.some((change) => change.id === id)) return
    const addedBefore = new Map([...months].map(([month, { added }]) => [month, added]))
    const change = { id, kind: 'deletion', owner: '', months: matching, addedBefore } as const
    await saveChange(transaction, { ...change, begunAt: world.now() })
  })
  await run()
  await store.transaction(async (transaction) => {
    const expected = await readExpectedEvents(transaction)
    const change = expected.changes.find((one) => one.id === id)
    if (!change || !(await removeChange(transaction, id))) return
    for (const [month, removed] of change.months) await addToMonth(transaction, month, { removed })
    for (const month of monthsOf(expected)) {
      const unsureRemoved = addedSince(change, month, expected)
      if (unsureRemoved > 0) await addToMonth(transaction, month, { unsureRemoved })
    }
  })
}

interface Comparison {
  /** What was expected before the engine was asked, and after. */
  before: ExpectedEvents
  after: ExpectedEvents
  found: MonthCounts
  /** Rows of detached parts, which are reported as such. */
  detached: MonthCounts
}

/** Everything that may be is no difference: inserts and deletions under way, and rows of detached parts. */
function differencesIn({ before, after, found, detached }: Comparison): MonthDifference[] {
  const differences: MonthDifference[] = []
  for (const month of new Set([...monthsOf(after), ...found.keys()])) {
    const rows = found.get(month) ?? 0
    const [first, last] = [monthIn(before, month), monthIn(after, month)]
    const least =
      first.added - last.removed - last.unsureRemoved - (detached.get(month) ?? 0) - deletable(after, month)
    const most = last.added + last.unsureAdded + announcedIn(after, month) - first.removed
    if (rows < least) differences.push({ month, expected: least, found: rows })
    else if (rows > most) differences.push({ month, expected: most, found: rows })
  }
  return differences.toSorted((a, b) => (a.month ?? 0) - (b.month ?? 0))
}

/** Takes the number found as what is there, where an interruption left it unsure and nothing was changed meanwhile. */
async function makeSure(
  transaction: StoreTransaction,
  { before, after, found, detached }: Comparison,
  differences: readonly MonthDifference[],
): Promise<void> {
  const changes = [...before.changes, ...after.changes]
  if (changes.some(({ kind }) => kind === 'deletion')) return
  const changing = new Set(changes.flatMap(({ months }) => [...months.keys()]))
  const explained = new Set([...detached.keys(), ...differences.map(({ month }) => month)])
  for (const [month, expected] of after.months) {
    const { added, removed, unsureAdded, unsureRemoved } = expected
    if (unsureAdded === 0 && unsureRemoved === 0) continue
    const isChanging =
      changing.has(month) || JSON.stringify(monthIn(before, month)) !== JSON.stringify(expected)
    if (isChanging || explained.has(month)) continue
    const change = (found.get(month) ?? 0) - (added - removed)
    await addToMonth(transaction, month, {
      added: Math.max(0, change),
      removed: Math.max(0, -change),
      unsureAdded: -unsureAdded,
      unsureRemoved: -unsureRemoved,
    })
  }
}

async function accept(
  transaction: StoreTransaction,
  { month, expected, found }: MonthDifference,
): Promise<void> {
  if (month === undefined) return
  await addToMonth(transaction, month, {
    added: Math.max(0, found - expected),
    removed: Math.max(0, expected - found),
  })
}

async function giveUp(transaction: StoreTransaction, change: EventChange): Promise<void> {
  const expected = await readExpectedEvents(transaction)
  await removeChange(transaction, change.id)
  for (const month of new Set([...monthsOf(expected), ...change.months.keys()])) {
    const amount = change.months.get(month) ?? 0
    const unsure =
      change.kind === 'insert'
        ? { unsureAdded: amount }
        : { unsureRemoved: amount + addedSince(change, month, expected) }
    await addToMonth(transaction, month, unsure)
  }
}

const none = { added: 0, removed: 0, unsureAdded: 0, unsureRemoved: 0 }

const monthIn = ({ months }: ExpectedEvents, month: number) => months.get(month) ?? none

const monthsOf = ({ months, changes }: ExpectedEvents): Set<number> =>
  new Set([...months.keys(), ...changes.flatMap((change) => [...change.months.keys()])])

/** The events of a month whose insert is under way. */
const announcedIn = ({ changes }: ExpectedEvents, month: number): number =>
  changes
    .filter(({ kind }) => kind === 'insert')
    .reduce((sum, { months }) => sum + (months.get(month) ?? 0), 0)

/** The events of a month that the deletions under way may have taken. */
const deletable = (expected: ExpectedEvents, month: number): number =>
  expected.changes
    .filter(({ kind }) => kind === 'deletion')
    .reduce((sum, change) => sum + (change.months.get(month) ?? 0) + addedSince(change, month, expected), 0)

const addedSince = (deletion: EventChange, month: number, expected: ExpectedEvents): number => {
  const { added, unsureAdded } = monthIn(expected, month)
  const before = deletion.addedBefore.get(month) ?? 0
  return Math.max(0, added - before) + unsureAdded + announcedIn(expected, month)
}

const sumOf = (counts: MonthCounts): number => [...counts.values()].reduce((sum, count) => sum + count, 0)

/** Without a condition the engine reads only its list of parts, unless some have deleted rows. */
async function countByMonth(engine: Pick<Engine, 'query'>, condition: Sql): Promise<MonthCounts> {
  const rows = await engine.query<{ month: number; events: number }>(
    sql`select toYYYYMM(timestamp) as month, count() as events from events where ${condition} group by month`,
    { lane: 'ingest', deadlineMs },
  )
  return new Map(rows.map(({ month, events }) => [month, events]))
}

/** A part's name begins with its month, after the reason if the engine detached it. */
function detachedByMonth(parts: readonly DetachedPart[]): MonthCounts {
  const months = new Map<number, number>()
  for (const { table, name, rows = Infinity } of parts) {
    const month = Number(/(?:^|_)(\d{6})_\d+_\d+_\d+/.exec(name)?.[1])
    if (table === 'events' && month) months.set(month, (months.get(month) ?? 0) + rows)
  }
  return months
}

/** The months of events, as the engine counts them. */
export function monthsOfEvents(instants: Iterable<Date>): MonthCounts {
  const months = new Map<number, number>()
  for (const at of instants) {
    const month = at.getUTCFullYear() * 100 + at.getUTCMonth() + 1
    months.set(month, (months.get(month) ?? 0) + 1)
  }
  return months
}
