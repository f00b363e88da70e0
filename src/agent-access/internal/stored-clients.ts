import type { TableSource } from '#store/store'
import { openTables } from '#store/tables'
import type { AgentClient } from './clients'

interface RegisteredClient extends AgentClient {
  createdAt: Date
}

interface ClientTables {
  agentClients: RegisteredClient
  agentConnections: { clientId: string }
}

const open = openTables<ClientTables>({ json: ['redirectUris'] })

export async function addClient(source: TableSource, client: RegisteredClient): Promise<void> {
  await open(source).insertInto('agentClients').values(client).execute()
}

export async function findClient(source: TableSource, id: string): Promise<AgentClient | undefined> {
  return await open(source)
    .selectFrom('agentClients')
    .select(['id', 'name', 'redirectUris'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Removes programs that act for no member: those from before an instant, and the oldest above a number. */
export async function removeUnusedClients(
  source: TableSource,
  { before, most }: { before: Date; most: number },
): Promise<void> {
  const unused = open(source)
    .selectFrom('agentClients')
    .select('id')
    .where('id', 'not in', (query) => query.selectFrom('agentConnections').select('clientId'))
  const newest = unused.where('createdAt', '>=', before).orderBy('createdAt', 'desc').limit(most)
  await open(source)
    .deleteFrom('agentClients')
    .where('id', 'in', unused)
    .where('id', 'not in', (query) => query.selectFrom(newest.as('newest')).select('id'))
    .execute()
}
