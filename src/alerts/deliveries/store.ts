import type { Selectable } from 'kysely'
import type { Store } from '#store/store'
import type { OutgoingMessage } from './deliveries'

interface OutgoingTables {
  outgoing: {
    id: string
    project_id: number
    about: string
    recipient: string
    message: string
    created_at: string
    state: string
    due_at: string
    attempts: number
    outcome: string | null
  }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<OutgoingTables>()

// what is read here was written by addSending
const toOutgoingMessage = (row: Selectable<OutgoingTables['outgoing']>): OutgoingMessage => ({
  id: row.id,
  projectId: row.project_id,
  about: row.about,
  recipient: JSON.parse(row.recipient) as OutgoingMessage['recipient'],
  message: JSON.parse(row.message) as OutgoingMessage['message'],
  createdAt: new Date(row.created_at),
  state: row.state as OutgoingMessage['state'],
  dueAt: new Date(row.due_at),
  attempts: row.attempts,
  outcome: row.outcome ?? undefined,
})

export async function addOutgoingMessage(store: StoreOrTransaction, sending: OutgoingMessage): Promise<void> {
  await open(store)
    .insertInto('outgoing')
    .values({
      id: sending.id,
      project_id: sending.projectId,
      about: sending.about,
      recipient: JSON.stringify(sending.recipient),
      created_at: sending.createdAt.toISOString(),
      ...progressOf(sending),
    })
    .execute()
}

const progressOf = ({ message, state, dueAt, attempts, outcome }: OutgoingMessage) => ({
  message: JSON.stringify(message),
  state,
  due_at: dueAt.toISOString(),
  attempts,
  outcome: outcome ?? null,
})

export async function saveDeliveryProgress(
  store: StoreOrTransaction,
  sending: OutgoingMessage,
): Promise<void> {
  await open(store).updateTable('outgoing').set(progressOf(sending)).where('id', '=', sending.id).execute()
}

export async function outgoingMessagesDue(
  store: StoreOrTransaction,
  now: Date,
  limit: number,
): Promise<OutgoingMessage[]> {
  const rows = await open(store)
    .selectFrom('outgoing')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('due_at', '<=', now.toISOString())
    .orderBy('due_at')
    .limit(limit)
    .execute()
  return rows.map(toOutgoingMessage)
}

export async function outgoingMessagesAbout(
  store: StoreOrTransaction,
  about: string,
  limit: number,
): Promise<OutgoingMessage[]> {
  const rows = await open(store)
    .selectFrom('outgoing')
    .selectAll()
    .where('about', '=', about)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toOutgoingMessage)
}

/** Deletes the queued messages about a deleted alert or report. */
export async function forgetOutgoingMessages(store: StoreOrTransaction, about: string): Promise<void> {
  await open(store).deleteFrom('outgoing').where('about', '=', about).execute()
}

export async function forgetOutgoingMessagesBefore(store: StoreOrTransaction, at: Date): Promise<void> {
  await open(store)
    .deleteFrom('outgoing')
    .where('state', '!=', 'waiting')
    .where('created_at', '<', at.toISOString())
    .execute()
}
