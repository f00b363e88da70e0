import type { Store } from '#store/store'
import type { FlagRequestCount } from './request-counts'

interface FlagRequestTables {
  flag_askings: {
    project_id: number
    environment: string
    flag_key: string
    client: string
    day: string
    times: number
    last_at: string
  }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<FlagRequestTables>()

/** Adds to the stored counts: processes that share a store each count their own requests. */
export async function addFlagRequestCounts(
  store: StoreOrTransaction,
  counts: readonly FlagRequestCount[],
): Promise<void> {
  for (const { projectId, environment, key = '', client, day, times, lastAt } of counts)
    await open(store)
      .insertInto('flag_askings')
      .values({
        project_id: projectId,
        environment,
        flag_key: key,
        client,
        day,
        times,
        last_at: lastAt.toISOString(),
      })
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'environment', 'flag_key', 'client', 'day']).doUpdateSet((row) => ({
          times: row('flag_askings.times', '+', times),
          last_at: row.ref('excluded.last_at'),
        })),
      )
      .execute()
}

export async function flagRequestCountsOf(
  store: StoreOrTransaction,
  projectId: number,
  since: string,
): Promise<FlagRequestCount[]> {
  const rows = await open(store)
    .selectFrom('flag_askings')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('day', '>=', since)
    .execute()
  return rows.map((row) => ({
    projectId: row.project_id,
    environment: row.environment,
    key: row.flag_key === '' ? undefined : row.flag_key,
    client: row.client,
    day: row.day,
    times: row.times,
    lastAt: new Date(row.last_at),
  }))
}

export async function forgetFlagRequestCountsBefore(store: StoreOrTransaction, day: string): Promise<void> {
  await open(store).deleteFrom('flag_askings').where('day', '<', day).execute()
}
