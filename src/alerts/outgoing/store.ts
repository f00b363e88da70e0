import type { Selectable } from 'kysely'
import type { Store } from '../../store/store'
import type { Sending } from '../deliveries'

interface Tables {
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

type Source = Pick<Store, 'tables'>

const open = (source: Source) => source.tables<Tables>()

// what is read here was written by addSending
const toSending = (row: Selectable<Tables['outgoing']>): Sending => ({
  id: row.id,
  projectId: row.project_id,
  about: row.about,
  recipient: JSON.parse(row.recipient) as Sending['recipient'],
  message: JSON.parse(row.message) as Sending['message'],
  createdAt: new Date(row.created_at),
  state: row.state as Sending['state'],
  dueAt: new Date(row.due_at),
  attempts: row.attempts,
  outcome: row.outcome ?? undefined,
})

export async function addSending(source: Source, sending: Sending): Promise<void> {
  await open(source)
    .insertInto('outgoing')
    .values({
      id: sending.id,
      project_id: sending.projectId,
      about: sending.about,
      recipient: JSON.stringify(sending.recipient),
      message: JSON.stringify(sending.message),
      created_at: sending.createdAt.toISOString(),
      ...progressOf(sending),
    })
    .execute()
}

const progressOf = ({ state, dueAt, attempts, outcome }: Sending) => ({
  state,
  due_at: dueAt.toISOString(),
  attempts,
  outcome: outcome ?? null,
})

export async function saveProgress(source: Source, sending: Sending): Promise<void> {
  await open(source).updateTable('outgoing').set(progressOf(sending)).where('id', '=', sending.id).execute()
}

export async function sendingsDue(source: Source, now: Date, limit: number): Promise<Sending[]> {
  const rows = await open(source)
    .selectFrom('outgoing')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('due_at', '<=', now.toISOString())
    .orderBy('due_at')
    .limit(limit)
    .execute()
  return rows.map(toSending)
}

export async function sendingsAbout(source: Source, about: string, limit: number): Promise<Sending[]> {
  const rows = await open(source)
    .selectFrom('outgoing')
    .selectAll()
    .where('about', '=', about)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toSending)
}

/** What was still to be said about something that is gone is not said. */
export async function forgetSendings(source: Source, about: string): Promise<void> {
  await open(source).deleteFrom('outgoing').where('about', '=', about).execute()
}

export async function forgetSendingsBefore(source: Source, at: Date): Promise<void> {
  await open(source)
    .deleteFrom('outgoing')
    .where('state', '!=', 'waiting')
    .where('created_at', '<', at.toISOString())
    .execute()
}
