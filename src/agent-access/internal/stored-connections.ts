import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { AgentConnection } from '../agent-access'
import { isAgentLevel } from '../levels'

type ConnectionRow = Omit<AgentConnection, 'level'> & { level: string }

interface ConnectionTables {
  agentConnections: RowsOf<ConnectionRow>
  agentTokens: { connectionId: string }
  agentClosures: { projectId: number }
}

const open = openTables<ConnectionTables>()
const columns = [
  'id',
  'projectId',
  'memberId',
  'clientId',
  'clientName',
  'level',
  'hasSecondFactor',
  'createdAt',
  'connectedAt',
  'usedAt',
  'network',
] as const

// a level that only a later version knows
const toConnection = (row: ConnectionRow): AgentConnection => ({
  ...row,
  level: isAgentLevel(row.level) ? row.level : 'read',
})

const connections = (source: TableSource) => open(source).selectFrom('agentConnections').select(columns)

export async function addConnection(source: TableSource, connection: AgentConnection): Promise<void> {
  await open(source).insertInto('agentConnections').values(rowOf(columns, connection)).execute()
}

export async function findConnection(source: TableSource, id: string): Promise<AgentConnection | undefined> {
  const row = await connections(source).where('id', '=', id).executeTakeFirst()
  return row && toConnection(row)
}

/** Those whose assistant has got its tokens. */
export async function connectionsOf(source: TableSource, projectId: number): Promise<AgentConnection[]> {
  const rows = await connections(source)
    .where('projectId', '=', projectId)
    .where('connectedAt', 'is not', null)
    .orderBy('createdAt', 'desc')
    .execute()
  return rows.map(toConnection)
}

export async function markConnection(
  source: TableSource,
  id: string,
  marks: { connectedAt?: Date; usedAt?: Date; network?: string },
): Promise<void> {
  await open(source).updateTable('agentConnections').set(marks).where('id', '=', id).execute()
}

/** Removes a connection with its tokens. */
export async function removeConnection(source: TableSource, id: string): Promise<void> {
  await open(source).deleteFrom('agentTokens').where('connectionId', '=', id).execute()
  await open(source).deleteFrom('agentConnections').where('id', '=', id).execute()
}

/** Removes connections from before an instant whose tokens were never fetched, or have all ended. */
export async function removeEndedConnections(source: TableSource, before: Date): Promise<void> {
  await open(source)
    .deleteFrom('agentConnections')
    .where('createdAt', '<', before)
    .where('id', 'not in', (query) => query.selectFrom('agentTokens').select('connectionId'))
    .execute()
}

export async function isClosed(source: TableSource, projectId: number): Promise<boolean> {
  const row = await open(source)
    .selectFrom('agentClosures')
    .select('projectId')
    .where('projectId', '=', projectId)
    .executeTakeFirst()
  return row !== undefined
}

export async function setClosed(source: TableSource, projectId: number, closed: boolean): Promise<void> {
  await open(source).deleteFrom('agentClosures').where('projectId', '=', projectId).execute()
  if (closed) await open(source).insertInto('agentClosures').values({ projectId }).execute()
}
