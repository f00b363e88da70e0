import type { DetachedPart, Engine } from '#engine/engine'
import { type Sql, sql } from '#engine/sql'
import type { EventCountsTransaction, Store } from '#store/store'
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

/** A month of which the engine holds more or fewer events than it should. */
export interface MonthDifference {
  /** The month as 202603; undefined if the events were never counted by month. */
  month: number | undefined
  expected: number
  found: number
}

/** A deletion of stored events on purpose. */
export interface EventDeletion {
  /** The name of the deletion, the same for every attempt, so that one that was interrupted is counted once. */
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

  /**
   * Whether the engine holds more events than this store's fronts have inserted: another installation with a copy of this
   * store may write to it.
   */
  get hasForeignEvents(): boolean {
    return this.differences.some(({ expected, found }) => found > expected)
  }

  /** Call it before the first insert: what this front had begun before a crash becomes unsure, and is counted. */
  async begin(): Promise<void> {
    const { store } = this.dependencies
    await store.transaction((transaction) => this.giveUpInserts(transaction), 'all event counts')
    await this.compare()
  }

  /** Announces an insert. The caller makes up the id, so that it can settle what was announced without an answer. */
  async announce(id: string, months: MonthCounts): Promise<void> {
    const { store, journal, world } = this.dependencies
    const change = { id, kind: 'insert', owner: journal, months, begunAt: world.now() } as const
    await saveChange(store, { ...change, addedBefore: new Map() })
  }

  /** Counts what of an announced insert is stored. The next comparison finds out about one that was given up. */
  async settle(id: string, stored: MonthCounts): Promise<void> {
    // two fronts that add to the same months at once take their rows in the same order
    const months = [...stored].toSorted(([one], [other]) => one - other)
    await this.dependencies.store.transaction(async (transaction) => {
      const isKnown = await removeChange(transaction, id)
      for (const [month, amount] of months)
        await addToMonth(transaction, month, isKnown ? { added: amount } : { unsureAdded: amount })
    }, 'an event count')
  }

  /**
   * Counts what is known to be stored of an insert that failed. The rest is left to the next comparison: a deletion
   * may have counted and deleted it before it was looked up.
   */
  async settleFailed(id: string, found: MonthCounts): Promise<void> {
    await this.dependencies.store.transaction(async (transaction) => {
      const { changes } = await readExpectedEvents(transaction)
      const change = changes.find((one) => one.id === id)
      if (!change) return
      await removeChange(transaction, id)
      for (const [month, announced] of change.months) {
        const added = found.get(month) ?? 0
        await addToMonth(transaction, month, { added, unsureAdded: announced - added })
      }
    }, 'all event counts')
  }

  /** Changes with everything that a comparison depends on, but for harm that only the engine could tell of. */
  async state(): Promise<string> {
    const { store, engine } = this.dependencies
    const expected = await store.transaction(readExpectedEvents, 'all event counts')
    const plain = (_: string, value: unknown) => (value instanceof Map ? [...value] : value)
    return JSON.stringify([expected, engine.health().detached], plain)
  }

  /** Compares the store with the engine. */
  async compare(): Promise<void> {
    this.comparing = this.comparing.catch(() => {}).then(() => this.compareOnce())
    await this.comparing
  }

  private async compareOnce(): Promise<void> {
    const { store, engine } = this.dependencies
    const before = await store.transaction(readExpectedEvents, 'all event counts')
    const found = await countByMonth(engine, sql`true`)
    const detached = detachedByMonth(engine.health().detached ?? [])
    this.differences = await store.transaction(async (transaction) => {
      await this.giveUpAbandoned(transaction)
      const after = await readExpectedEvents(transaction)
      return await this.conclude(transaction, { before, after, found, detached })
    }, 'all event counts')
  }

  private async conclude(
    transaction: EventCountsTransaction,
    comparison: Comparison,
  ): Promise<readonly MonthDifference[]> {
    const { after, found } = comparison
    const total = sumOf(found)
    const isFirst = after.countedSince === undefined
    const isEmptied = isFirst && total < after.lastFound * minShare
    if (isEmptied) return [{ month: undefined, expected: after.lastFound, found: total }]
    const differences = differencesIn(comparison)
    // the events that a deletion under way has deleted already are not known
    if (isDeleting(comparison)) return isFirst ? [] : differences
    const isAccepted = isFirst || after.lastFound < 0
    if (isAccepted) await acceptMonths(transaction, comparison, differences)
    await this.narrow(transaction, comparison, differences)
    if (isAccepted || (after.lastFound !== total && differences.length === 0))
      await saveComparison(transaction, total, after.countedSince ?? this.dependencies.world.now())
    return isAccepted ? [] : differences
  }

  /**
   * Narrows what an interruption has left unsure to what the number found allows. With other fronts only while nothing
   * changes, since they narrow it too.
   */
  private async narrow(
    transaction: EventCountsTransaction,
    comparison: Comparison,
    differences: readonly MonthDifference[],
  ): Promise<void> {
    const { after, detached } = comparison
    const explained = new Set([...detached.keys(), ...differences.map(({ month }) => month)])
    for (const [month, { added, removed, unsureAdded, unsureRemoved }] of after.months) {
      if (explained.has(month) || (unsureAdded === 0 && unsureRemoved === 0)) continue
      const { least, most } = boundsFound(comparison, month)
      if (this.dependencies.hasOtherFronts && least !== most) continue
      const expected = added - removed
      await setBounds(transaction, comparison, month, {
        least: Math.max(least, expected - unsureRemoved),
        most: Math.min(most, expected + unsureAdded),
      })
    }
  }

  private async giveUpInserts(transaction: EventCountsTransaction): Promise<void> {
    const { hasOtherFronts, journal } = this.dependencies
    const { changes } = await readExpectedEvents(transaction)
    for (const change of changes)
      if (change.kind === 'insert' && (!hasOtherFronts || change.owner === journal))
        await giveUp(transaction, change)
  }

  private async giveUpAbandoned(transaction: EventCountsTransaction): Promise<void> {
    const { world, journal } = this.dependencies
    const now = world.now().getTime()
    const { changes } = await readExpectedEvents(transaction)
    for (const change of changes) {
      const isAbandoned = now - change.begunAt.getTime() > abandonedAfterMs[change.kind]
      // an insert of this front is under way for as long as it takes
      if (isAbandoned && change.owner !== journal) await giveUp(transaction, change)
    }
  }
}

/**
 * Runs a deletion that was announced in the store. It counts for as many events as matched before it. Events that were
 * added while it ran may have been deleted too, and those of another deletion under way may be the same; the next
 * comparison finds out.
 */
export async function deleteAnnounced(
  dependencies: DeletionDependencies,
  { name, of, run }: EventDeletion,
): Promise<void> {
  const announced = await announceDeletion(dependencies, `deletion: ${name}`, of)
  await run()
  await dependencies.store.transaction(
    (transaction) => concludeDeletion(transaction, announced),
    'all event counts',
  )
}

/** Returns the deletion of this attempt. Only what the first attempt counted is announced. */
async function announceDeletion(
  { store, engine, world }: DeletionDependencies,
  id: string,
  of: Sql,
): Promise<EventChange> {
  for (;;) {
    const before = await store.transaction(readExpectedEvents, 'all event counts')
    const addedBefore = new Map([...before.months].map(([month, { added }]) => [month, added]))
    const months = await countByMonth(engine, of)
    const change = { id, kind: 'deletion', owner: '', months, addedBefore, begunAt: world.now() } as const
    const isAnnounced = await store.transaction(async (transaction) => {
      const after = await readExpectedEvents(transaction)
      if (after.changes.some((one) => one.id === id)) return true
      // a deletion that ended during the count may have deleted what was counted
      if (deletionsEnded(before) !== deletionsEnded(after)) return false
      await saveChange(transaction, change)
      return true
    }, 'all event counts')
    if (isAnnounced) return change
  }
}

async function concludeDeletion(transaction: EventCountsTransaction, attempt: EventChange): Promise<void> {
  const expected = await readExpectedEvents(transaction)
  const announced = expected.changes.find(({ id }) => id === attempt.id)
  // another attempt has ended it, or it was given up
  if (!announced) return await addUnsure(transaction, attempt, expected)
  await removeChange(transaction, announced.id)
  const others = { ...expected, changes: expected.changes.filter((change) => change !== announced) }
  for (const month of monthsOf(expected)) {
    const amount = announced.months.get(month) ?? 0
    const shared = Math.min(amount, deletable(others, month))
    const unsureRemoved = shared + addedSince(announced, month, expected)
    if (amount > 0 || unsureRemoved > 0)
      await addToMonth(transaction, month, { removed: amount - shared, unsureRemoved })
  }
}

const deletionsEnded = ({ months }: ExpectedEvents): string =>
  JSON.stringify([...months].map(([month, { removed, unsureRemoved }]) => [month, removed, unsureRemoved]))

interface Comparison {
  /** The expected events before the engine was asked, and after. */
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

/** The most and least that may be stored of a month, apart from the inserts under way. */
interface MonthBounds {
  least: number
  most: number
}

/** The count shows some of what was inserted during the comparison, and some of what is being inserted. */
function boundsFound({ before, after, found }: Comparison, month: number): MonthBounds {
  const rows = found.get(month) ?? 0
  const [first, last] = [monthIn(before, month), monthIn(after, month)]
  const unsureSince = Math.max(0, last.unsureAdded - first.unsureAdded)
  return {
    least: rows - announcedIn(after, month),
    most: rows + last.added - first.added + unsureSince,
  }
}

/**
 * Expects what was found, and what is detached. An insert meanwhile may hide what is missing, so what an operator accepts
 * leaves its month unsure.
 */
async function acceptMonths(
  transaction: EventCountsTransaction,
  comparison: Comparison,
  differences: readonly MonthDifference[],
): Promise<void> {
  const { after, detached } = comparison
  const isFirst = after.countedSince === undefined
  const hidden = isFirst ? detached.keys() : [...monthsOf(after)].filter((month) => !detached.has(month))
  for (const month of new Set([...differences.map((difference) => difference.month), ...hidden])) {
    if (month === undefined) continue
    const { least, most } = boundsFound(comparison, month)
    const rows = detached.get(month) ?? 0
    const left = Number.isFinite(rows) ? rows : 0
    await setBounds(transaction, comparison, month, { least: least + left, most: most + left })
  }
}

async function setBounds(
  transaction: EventCountsTransaction,
  { after }: Comparison,
  month: number,
  { least, most }: MonthBounds,
): Promise<void> {
  const { added, removed, unsureAdded, unsureRemoved } = monthIn(after, month)
  const expected = Math.min(most, Math.max(least, added - removed))
  const change = expected - (added - removed)
  await addToMonth(transaction, month, {
    added: Math.max(0, change),
    removed: Math.max(0, -change),
    unsureAdded: most - expected - unsureAdded,
    unsureRemoved: expected - least - unsureRemoved,
  })
}

/** Whether events were deleted on purpose during the comparison. */
const isDeleting = ({ before, after }: Comparison): boolean =>
  [...before.changes, ...after.changes].some(({ kind }) => kind === 'deletion') ||
  deletionsEnded(before) !== deletionsEnded(after)

async function giveUp(transaction: EventCountsTransaction, change: EventChange): Promise<void> {
  const expected = await readExpectedEvents(transaction)
  await removeChange(transaction, change.id)
  await addUnsure(transaction, change, expected)
}

async function addUnsure(
  transaction: EventCountsTransaction,
  change: EventChange,
  expected: ExpectedEvents,
): Promise<void> {
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

/** Without a condition the engine reads only its list of parts, unless some parts have deleted rows. */
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
