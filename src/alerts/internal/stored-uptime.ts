import type { Period } from '#insights/calendar/period'
import type { TableSource } from '#store/store'
import { openTables } from '#store/tables'

interface UptimeTables {
  collectionPulse: Heartbeat & { id: number }
  collectionGaps: { fromAt: Date; untilAt: Date }
}

const open = openTables<UptimeTables>()

export interface Heartbeat {
  firstAt: Date
  lastAt: Date
}

/** All fronts share one row. */
const only = 1

export const readHeartbeat = async (store: TableSource): Promise<Heartbeat | undefined> =>
  await open(store)
    .selectFrom('collectionPulse')
    .select(['firstAt', 'lastAt'])
    .where('id', '=', only)
    .executeTakeFirst()

export async function saveHeartbeat(store: TableSource, { firstAt, lastAt }: Heartbeat): Promise<void> {
  await open(store)
    .insertInto('collectionPulse')
    .values({ id: only, firstAt, lastAt })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ lastAt }))
    .execute()
}

export async function saveCollectionGap(store: TableSource, { from, until }: Period): Promise<void> {
  await open(store)
    .insertInto('collectionGaps')
    .values({ fromAt: from, untilAt: until })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function collectionGapsIn(store: TableSource, { from, until }: Period): Promise<Period[]> {
  const rows = await open(store)
    .selectFrom('collectionGaps')
    .selectAll()
    .where('untilAt', '>', from)
    .where('fromAt', '<', until)
    .execute()
  return rows.map(({ fromAt, untilAt }) => ({ from: fromAt, until: untilAt }))
}

export async function forgetCollectionGapsBefore(store: TableSource, at: Date): Promise<void> {
  await open(store).deleteFrom('collectionGaps').where('untilAt', '<', at).execute()
}
