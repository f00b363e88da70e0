import type { TableSource } from '#store/store'
import { openTables } from '#store/tables'
import type { FlagRequestCount } from './request-counts'

/** The key is '' for a request of all flags. */
const open = openTables<{ flagAskings: Omit<FlagRequestCount, 'key'> & { flagKey: string } }>()

/** Adds to the stored counts: processes that share a store each count their own requests. */
export async function addFlagRequestCounts(
  store: TableSource,
  counts: readonly FlagRequestCount[],
): Promise<void> {
  for (const { key: flagKey = '', ...count } of counts)
    await open(store)
      .insertInto('flagAskings')
      .values({ flagKey, ...count })
      .onConflict((conflict) =>
        conflict.columns(['projectId', 'environment', 'flagKey', 'client', 'day']).doUpdateSet((row) => ({
          times: row('flagAskings.times', '+', count.times),
          lastAt: row.ref('excluded.lastAt'),
        })),
      )
      .execute()
}

export async function flagRequestCountsOf(
  store: TableSource,
  projectId: number,
  since: string,
): Promise<FlagRequestCount[]> {
  const rows = await open(store)
    .selectFrom('flagAskings')
    .selectAll()
    .where('projectId', '=', projectId)
    .where('day', '>=', since)
    .execute()
  return rows.map(({ flagKey, ...count }) => ({ ...count, key: flagKey === '' ? undefined : flagKey }))
}

export async function forgetFlagRequestCountsBefore(store: TableSource, day: string): Promise<void> {
  await open(store).deleteFrom('flagAskings').where('day', '<', day).execute()
}
