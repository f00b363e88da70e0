import type { EventCountsTransaction, Store, TableSource } from '#store/store'

/** Numbers of events by month; a month is written as 202603. */
export type MonthCounts = ReadonlyMap<number, number>

/** The plain handle: this module imports the store as a type alone. */
interface Tables {
  event_months: {
    month: number
    added: number
    removed: number
    unsure_added: number
    unsure_removed: number
  }
  event_changes: {
    id: string
    kind: 'insert' | 'deletion'
    owner: string
    months: string
    added_before: string
    begun_at: string
    /** Fronts that do not know of it must not insert. */
    announces_uuids: 1
  }
  /** The table has one row. `events` is what the engine held at the last comparison. */
  installation: { events: number; counted_since: string | null }
}

/**
 * The events of a month that the engine has to hold: `added` less `removed`. After an interruption, up to `unsureAdded`
 * more and up to `unsureRemoved` less, until the next comparison finds out.
 */
export interface EventMonth {
  added: number
  removed: number
  unsureAdded: number
  unsureRemoved: number
}

/** An insert or a deletion that was begun and has not ended. */
export interface EventChange {
  id: string
  kind: 'insert' | 'deletion'
  /** The journal of an insert. */
  owner: string
  months: MonthCounts
  /** `added` of every month when a deletion began: it may also take what is added meanwhile. */
  addedBefore: MonthCounts
  begunAt: Date
}

export interface ExpectedEvents {
  months: ReadonlyMap<number, EventMonth>
  changes: readonly EventChange[]
  /** The number of events at the last comparison; negative after an operator has accepted whatever there is. */
  lastFound: number
  /** Undefined until events have been counted for the first time. */
  countedSince: Date | undefined
}

const toCounts = (text: string): MonthCounts =>
  // written by `toText` alone
  new Map(JSON.parse(text) as [number, number][])

const toText = (counts: MonthCounts): string => JSON.stringify([...counts])

export async function readExpectedEvents(transaction: EventCountsTransaction): Promise<ExpectedEvents> {
  const tables = transaction.tables<Tables>()
  const months = await tables.selectFrom('event_months').selectAll().orderBy('month').execute()
  const changes = await tables.selectFrom('event_changes').selectAll().orderBy('id').execute()
  const [installation] = await tables.selectFrom('installation').select(['events', 'counted_since']).execute()
  return {
    months: new Map(
      months.map((row) => [
        row.month,
        {
          added: row.added,
          removed: row.removed,
          unsureAdded: row.unsure_added,
          unsureRemoved: row.unsure_removed,
        },
      ]),
    ),
    changes: changes.map(({ id, kind, owner, months: counts, added_before, begun_at }) => ({
      id,
      kind,
      owner,
      months: toCounts(counts),
      addedBefore: toCounts(added_before),
      begunAt: new Date(begun_at),
    })),
    lastFound: installation?.events ?? 0,
    countedSince: installation?.counted_since ? new Date(installation.counted_since) : undefined,
  }
}

export async function saveChange(
  source: TableSource,
  { id, kind, owner, months, addedBefore, begunAt }: EventChange,
): Promise<void> {
  const row = {
    kind,
    owner,
    months: toText(months),
    added_before: toText(addedBefore),
    begun_at: begunAt.toISOString(),
    announces_uuids: 1 as const,
  }
  await source
    .tables<Tables>()
    .insertInto('event_changes')
    .values({ id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

/** Returns whether the change was still there. */
export async function removeChange(transaction: EventCountsTransaction, id: string): Promise<boolean> {
  const tables = transaction.tables<Tables>()
  const known = await tables.selectFrom('event_changes').select('id').where('id', '=', id).execute()
  if (known.length === 0) return false
  await tables.deleteFrom('event_changes').where('id', '=', id).execute()
  return true
}

export async function addToMonth(
  transaction: EventCountsTransaction,
  month: number,
  { added = 0, removed = 0, unsureAdded = 0, unsureRemoved = 0 }: Partial<EventMonth>,
): Promise<void> {
  const row = { month, added, removed, unsure_added: unsureAdded, unsure_removed: unsureRemoved }
  await transaction
    .tables<Tables>()
    .insertInto('event_months')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('month').doUpdateSet((eb) => ({
        added: eb('event_months.added', '+', added),
        removed: eb('event_months.removed', '+', removed),
        unsure_added: eb('event_months.unsure_added', '+', unsureAdded),
        unsure_removed: eb('event_months.unsure_removed', '+', unsureRemoved),
      })),
    )
    .execute()
}

export async function saveComparison(source: TableSource, found: number, countedSince: Date): Promise<void> {
  await source
    .tables<Tables>()
    .updateTable('installation')
    .set({ events: found, counted_since: countedSince.toISOString() })
    .execute()
}

/** Replaces the number of the last comparison until the next one, whose differences are then accepted. */
const acceptAny = -1

/** Accepts what the next comparison finds, after an operator has accepted a loss. */
export async function acceptEvents(store: Store): Promise<void> {
  await store.transaction(async (transaction) => {
    await transaction.tables<Tables>().updateTable('installation').set({ events: acceptAny }).execute()
    await transaction.announce('installation')
  })
}
