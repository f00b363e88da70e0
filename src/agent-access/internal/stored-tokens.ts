import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'

/** The request that a code answers; its exchange must repeat it. */
interface CodeBinding {
  redirectUri: string
  resource: string
  challenge: string
}

/** A token by its hash. */
export interface AgentToken {
  hash: string
  kind: 'code' | 'access' | 'refresh'
  connectionId: string
  boundTo?: CodeBinding | undefined
  endsAt: Date
  /** When a code or a refresh token was exchanged. */
  spentAt?: Date | undefined
}

const open = openTables<{ agentTokens: RowsOf<AgentToken> }>({ json: ['boundTo'] })
const columns = ['hash', 'kind', 'connectionId', 'boundTo', 'endsAt', 'spentAt'] as const

export async function addTokens(source: TableSource, tokens: readonly AgentToken[]): Promise<void> {
  await open(source)
    .insertInto('agentTokens')
    .values(tokens.map((token) => rowOf(columns, token)))
    .execute()
}

export async function findToken(source: TableSource, hash: string): Promise<AgentToken | undefined> {
  return await open(source)
    .selectFrom('agentTokens')
    .select(columns)
    .where('hash', '=', hash)
    .executeTakeFirst()
}

/** Keeps a token so that its replay is recognised until `endsAt`. */
export async function spendToken(
  source: TableSource,
  hash: string,
  times: { spentAt: Date; endsAt: Date },
): Promise<void> {
  await open(source).updateTable('agentTokens').set(times).where('hash', '=', hash).execute()
}

export async function removeEndedTokens(source: TableSource, now: Date): Promise<void> {
  await open(source).deleteFrom('agentTokens').where('endsAt', '<=', now).execute()
}
