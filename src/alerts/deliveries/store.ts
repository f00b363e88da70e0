import type { DeliveryProgress } from '#dispatch/dispatcher'
import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { OutgoingMessage } from './deliveries'

const open = openTables<{ outgoing: RowsOf<OutgoingMessage> }>({ json: ['recipient', 'message'] })
const progressColumns = ['message', 'state', 'dueAt', 'attempts', 'outcome'] as const
const columns = ['id', 'projectId', 'address', 'about', 'recipient', 'createdAt', ...progressColumns] as const

export async function addOutgoingMessage(store: TableSource, sending: OutgoingMessage): Promise<void> {
  await open(store).insertInto('outgoing').values(rowOf(columns, sending)).execute()
}

export async function saveDeliveryProgress(
  store: TableSource,
  sending: Pick<OutgoingMessage, 'id' | 'message'> & DeliveryProgress,
): Promise<void> {
  const progress = rowOf(progressColumns, sending)
  await open(store).updateTable('outgoing').set(progress).where('id', '=', sending.id).execute()
}

export const outgoingMessage = async (store: TableSource, id: string): Promise<OutgoingMessage | undefined> =>
  await open(store).selectFrom('outgoing').selectAll().where('id', '=', id).executeTakeFirst()

export const outgoingMessagesAbout = async (
  store: TableSource,
  about: string,
  limit: number,
): Promise<OutgoingMessage[]> =>
  await open(store)
    .selectFrom('outgoing')
    .selectAll()
    .where('about', '=', about)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Deletes the queued messages about a deleted alert or report. */
export async function forgetOutgoingMessages(store: TableSource, about: string): Promise<void> {
  await open(store).deleteFrom('outgoing').where('about', '=', about).execute()
}

export async function forgetOutgoingMessagesBefore(store: TableSource, at: Date): Promise<void> {
  await open(store)
    .deleteFrom('outgoing')
    .where('state', '!=', 'waiting')
    .where('createdAt', '<', at)
    .execute()
}
