import type { TableSource } from '#store/store'
import { openTables } from '#store/tables'

/** The deliveries about something that were not queued, because too many waited already. */
export interface DeliveryOverflow {
  projectId: number
  about: string
  dropped: number
  firstAt: Date
  lastAt: Date
}

type OverflowKey = Pick<DeliveryOverflow, 'projectId' | 'about'>

const open = openTables<{ deliveryOverflow: DeliveryOverflow }>()

/** Counts one delivery that is not queued: it leaves no row, so that a flood does not fill the store. */
export async function countDropped(store: TableSource, key: OverflowKey, at: Date): Promise<void> {
  await open(store)
    .insertInto('deliveryOverflow')
    .values({ ...key, dropped: 1, firstAt: at, lastAt: at })
    .onConflict((conflict) =>
      conflict.columns(['projectId', 'about']).doUpdateSet((row) => ({
        dropped: row('deliveryOverflow.dropped', '+', 1),
        lastAt: at,
      })),
    )
    .execute()
}

export const overflowOf = async (
  store: TableSource,
  { projectId, about }: OverflowKey,
): Promise<DeliveryOverflow | undefined> =>
  await open(store)
    .selectFrom('deliveryOverflow')
    .selectAll()
    .where('projectId', '=', projectId)
    .where('about', '=', about)
    .executeTakeFirst()

/** The number of all deliveries that were not queued. */
export const countAllDropped = async (store: TableSource): Promise<number> =>
  await droppedSince(store, new Date(0))

/** The same number, of those surveys alone for which one was not queued since then. */
export async function droppedSince(store: TableSource, at: Date): Promise<number> {
  const { dropped } = await open(store)
    .selectFrom('deliveryOverflow')
    .where('lastAt', '>=', at)
    .select((all) => all.fn.sum<number | string | null>('dropped').as('dropped'))
    .executeTakeFirstOrThrow()
  return Number(dropped ?? 0)
}

export async function forgetOverflowBefore(store: TableSource, at: Date): Promise<void> {
  await open(store).deleteFrom('deliveryOverflow').where('lastAt', '<', at).execute()
}
