import type { Period } from '#insights/calendar/period'
import type { Store } from '#store/store'

interface UptimeTables {
  collection_pulse: { id: number; first_at: string; last_at: string }
  collection_gaps: { from_at: string; until_at: string }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<UptimeTables>()

export interface Heartbeat {
  firstAt: Date
  lastAt: Date
}

/** All fronts share one row. */
const only = 1

export async function readHeartbeat(store: StoreOrTransaction): Promise<Heartbeat | undefined> {
  const row = await open(store)
    .selectFrom('collection_pulse')
    .selectAll()
    .where('id', '=', only)
    .executeTakeFirst()
  return row && { firstAt: new Date(row.first_at), lastAt: new Date(row.last_at) }
}

export async function saveHeartbeat(
  store: StoreOrTransaction,
  { firstAt, lastAt }: Heartbeat,
): Promise<void> {
  const last = { last_at: lastAt.toISOString() }
  await open(store)
    .insertInto('collection_pulse')
    .values({ id: only, first_at: firstAt.toISOString(), ...last })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(last))
    .execute()
}

export async function saveCollectionGap(store: StoreOrTransaction, { from, until }: Period): Promise<void> {
  await open(store)
    .insertInto('collection_gaps')
    .values({ from_at: from.toISOString(), until_at: until.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function collectionGapsIn(
  store: StoreOrTransaction,
  { from, until }: Period,
): Promise<Period[]> {
  const rows = await open(store)
    .selectFrom('collection_gaps')
    .selectAll()
    .where('until_at', '>', from.toISOString())
    .where('from_at', '<', until.toISOString())
    .execute()
  return rows.map(({ from_at, until_at }) => ({ from: new Date(from_at), until: new Date(until_at) }))
}

export async function forgetCollectionGapsBefore(store: StoreOrTransaction, at: Date): Promise<void> {
  await open(store).deleteFrom('collection_gaps').where('until_at', '<', at.toISOString()).execute()
}
