import type { TableSource } from '#store/store'
import { openTables, rowOf } from '#store/tables'
import type { Lane } from './lane'

/** An address that did not answer the last time. */
export interface DeliveryBreaker extends Lane {
  /** The failures in a row. */
  failures: number
  failingSince: Date
  /** No attempt is made before. */
  pausedUntil: Date
}

const open = openTables<{ deliveryBreakers: DeliveryBreaker }>()
const columns = ['projectId', 'address', 'failures', 'failingSince', 'pausedUntil'] as const

export const allBreakers = async (store: TableSource): Promise<DeliveryBreaker[]> =>
  await open(store).selectFrom('deliveryBreakers').selectAll().execute()

export async function saveBreaker(store: TableSource, breaker: DeliveryBreaker): Promise<void> {
  const row = rowOf(columns, breaker)
  await open(store)
    .insertInto('deliveryBreakers')
    .values(row)
    .onConflict((conflict) => conflict.columns(['projectId', 'address']).doUpdateSet(row))
    .execute()
}

export async function forgetBreaker(store: TableSource, { projectId, address }: Lane): Promise<void> {
  await open(store)
    .deleteFrom('deliveryBreakers')
    .where('projectId', '=', projectId)
    .where('address', '=', address)
    .execute()
}

/** Forgets addresses to which nothing was tried since: their deliveries were given up, or removed. */
export async function forgetBreakersBefore(store: TableSource, at: Date): Promise<void> {
  await open(store).deleteFrom('deliveryBreakers').where('pausedUntil', '<', at).execute()
}
