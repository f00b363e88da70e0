import { createHash } from 'node:crypto'
import { z } from 'zod'
import { operator, type RequestOrigin } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { hashToken, newToken } from '#projects/secrets'
import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import type { AgentConnection } from '../agent-access'
import { type OAuthRefusal, refusedAs } from './clients'
import {
  findConnection,
  markConnection,
  removeConnection,
  removeEndedConnections,
} from './stored-connections'
import { addTokens, type AgentToken, findToken, removeEndedTokens, spendToken } from './stored-tokens'
import type { AgentLevel } from '../levels'

/** The tokens that a client gets; only their hashes are stored. */
interface GrantedTokens {
  granted: true
  accessToken: string
  refreshToken: string
  expiresInSeconds: number
  level: AgentLevel
}

const codeExchange = z.object({
  grant_type: z.literal('authorization_code'),
  code: z.string(),
  client_id: z.string(),
  redirect_uri: z.string().optional(),
  code_verifier: z.string(),
  resource: z.string().optional(),
})
const refreshing = z.object({
  grant_type: z.literal('refresh_token'),
  refresh_token: z.string(),
  client_id: z.string(),
  resource: z.string().optional(),
})
type CodeExchange = z.infer<typeof codeExchange>

const minuteMs = 60_000
const accessMs = 60 * minuteMs
/** An assistant that is not used for so long signs in again. */
const refreshMs = 30 * 24 * 60 * minuteMs

export const accessPrefix = 'tilth_at_'
const refreshPrefix = 'tilth_rt_'

/** Exchanges codes and refresh tokens, each once: a second use ends everything that came from the first. */
export class AgentTokens {
  constructor(private readonly dependencies: { store: Store; world: World }) {}

  /** Answers a request to the token endpoint. */
  async exchange(form: unknown, origin: RequestOrigin): Promise<GrantedTokens | OAuthRefusal> {
    const code = codeExchange.safeParse(form)
    if (code.success) {
      const { data: given } = code
      return await this.spend('code', given.code, given.client_id, origin, (token) =>
        codeObjection(token, given),
      )
    }
    const refresh = refreshing.safeParse(form)
    if (refresh.success) {
      const { refresh_token: text, client_id: clientId, resource } = refresh.data
      return await this.spend('refresh', text, clientId, origin, ({ boundTo }) =>
        resource !== undefined && resource !== boundTo?.resource ? otherResource : undefined,
      )
    }
    return isKnownGrant(form)
      ? refusedAs('invalid_request', 'A parameter of the request is missing.')
      : refusedAs('unsupported_grant_type', 'Use authorization_code or refresh_token.')
  }

  /** Ends the connection of a token (RFC 7009). An unknown token is no error. */
  async revoke(form: unknown, origin: RequestOrigin): Promise<void> {
    const parsed = z.object({ token: z.string(), client_id: z.string().optional() }).safeParse(form)
    if (!parsed.success) return
    const { token: text, client_id: clientId } = parsed.data
    await this.dependencies.store.transaction(async (transaction) => {
      const token = await findToken(transaction, hashToken(text))
      const connection = token && (await findConnection(transaction, token.connectionId))
      if (!connection || (clientId !== undefined && clientId !== connection.clientId)) return
      await this.end(connection, 'signed out by the assistant', origin, transaction)
    })
  }

  private async spend(
    kind: 'code' | 'refresh',
    text: string,
    clientId: string,
    origin: RequestOrigin,
    objectionTo: (token: AgentToken) => OAuthRefusal | undefined,
  ): Promise<GrantedTokens | OAuthRefusal> {
    const { store, world } = this.dependencies
    const now = world.now()
    // a refusal is an outcome, so that what it ends stays ended
    return await store.transaction(async (transaction) => {
      await removeEndedTokens(transaction, now)
      const hash = hashToken(text)
      const token = await findToken(transaction, hash)
      const connection = token && (await findConnection(transaction, token.connectionId))
      if (token?.kind !== kind || !connection) return unknownGrant
      if (token.spentAt) {
        await this.end(connection, `a ${kind} was used twice`, origin, transaction)
        return refusedAs('invalid_grant', 'This was used before, so that everything it gave is revoked.')
      }
      await spendToken(transaction, hash, { spentAt: now, endsAt: new Date(now.getTime() + refreshMs) })
      const objection = connection.clientId === clientId ? objectionTo(token) : otherClient
      if (objection) return objection
      return await this.grant(connection, token, origin, transaction)
    })
  }

  private async grant(
    { id: connectionId, level }: AgentConnection,
    { boundTo }: AgentToken,
    { address: network }: RequestOrigin,
    transaction: StoreTransaction,
  ): Promise<GrantedTokens> {
    const { world } = this.dependencies
    const now = world.now()
    const accessToken = accessPrefix + newToken(world)
    const refreshToken = refreshPrefix + newToken(world)
    const endsIn = (ms: number) => ({ connectionId, boundTo, endsAt: new Date(now.getTime() + ms) })
    await addTokens(transaction, [
      { hash: hashToken(accessToken), kind: 'access', ...endsIn(accessMs) },
      { hash: hashToken(refreshToken), kind: 'refresh', ...endsIn(refreshMs) },
    ])
    await markConnection(transaction, connectionId, { connectedAt: now, network })
    await removeEndedConnections(transaction, new Date(now.getTime() - accessMs))
    return { granted: true, accessToken, refreshToken, expiresInSeconds: accessMs / 1000, level }
  }

  private async end(
    { id, projectId, clientName: subject }: AgentConnection,
    reason: string,
    origin: RequestOrigin,
    transaction: StoreTransaction,
  ): Promise<void> {
    const { world } = this.dependencies
    await removeConnection(transaction, id)
    const auditRecord = { action: 'agent.revoke', subject, projectId, after: { reason } } as const
    await recordAudit(transaction, auditRecord, { ...operator('Tilth'), origin }, world.now())
  }
}

const unknownGrant = refusedAs('invalid_grant', 'This is not valid, or has ended. Sign in again.')
const otherClient = refusedAs('invalid_grant', 'This was given to another client.')
const otherResource = refusedAs('invalid_target', 'This was given for another resource.')

function codeObjection({ boundTo }: AgentToken, given: CodeExchange): OAuthRefusal | undefined {
  if (given.resource !== undefined && given.resource !== boundTo?.resource) return otherResource
  if (given.redirect_uri !== undefined && given.redirect_uri !== boundTo?.redirectUri)
    return refusedAs('invalid_grant', 'The code was sent to another redirect_uri.')
  if (challengeOf(given.code_verifier) !== boundTo?.challenge)
    return refusedAs('invalid_grant', 'The code_verifier does not fit the code_challenge.')
  return undefined
}

/** RFC 7636, section 4.2. */
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

function isKnownGrant(form: unknown): boolean {
  const { data: named } = z.object({ grant_type: z.string() }).safeParse(form)
  return named?.grant_type === 'authorization_code' || named?.grant_type === 'refresh_token'
}
