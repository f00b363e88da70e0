import { z } from 'zod'
import { type MemberViewer, requireEvery, requireRecentPassword } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { sessionHasSecondFactor } from '#projects/current-role'
import { type Outcome, failedOutcome, parseInput } from '#projects/problems'
import { hashToken, newId, newToken } from '#projects/secrets'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { mcpPath } from './addresses'
import type { AgentClient, AgentClients } from './internal/clients'
import { isRegistered, redirectWith } from './internal/redirects'
import { addConnection, isClosed } from './internal/stored-connections'
import { addTokens } from './internal/stored-tokens'
import { agentLevels, rightsToGrant } from './levels'

/** A request of a program to act for a member, once it is known to be in order. */
export interface ConsentRequest {
  client: AgentClient
  redirectUri: string
  state: string | undefined
  resource: string
  challenge: string
}

type ReadConsentRequest =
  | ({ isFit: true } & ConsentRequest)
  /** The program is told at its own address. */
  | { isFit: false; location: string }
  /** Its address cannot be trusted: the member is told. */
  | { isFit: false; location: undefined; why: string }

const parameters = z.object({
  response_type: z.string().optional(),
  client_id: z.string({ error: 'The program does not say which it is (client_id).' }).max(2000),
  redirect_uri: z.string().optional(),
  state: z.string().max(2000).optional(),
  code_challenge: z.string().optional(),
  code_challenge_method: z.string().optional(),
  resource: z.string().optional(),
})
type ConsentParameters = z.infer<typeof parameters>

const choice = z.object({
  project: z.coerce.number({ error: 'Choose a project.' }).int('Choose a project.'),
  level: z.enum(agentLevels, { error: 'Choose how far the assistant may go.' }),
})

/** A client exchanges a code at once; one that leaks is worth little. */
const codeMs = 60_000

interface ConsentDependencies {
  store: Store
  world: World
  clients: AgentClients
}

/** Asks members whether a program may act for them, and gives the program a code. */
export class AgentConsent {
  constructor(private readonly dependencies: ConsentDependencies) {}

  /** Reads the request in an address. `issuer` is the address of this Tilth by which it came. */
  async read(input: unknown, issuer: string): Promise<ReadConsentRequest> {
    const parsed = parameters.safeParse(input)
    if (!parsed.success) return untrusted(parsed.error.issues[0]?.message ?? 'This address is incomplete.')
    const given = parsed.data
    const client = await this.dependencies.clients.find(given.client_id)
    if ('granted' in client) return untrusted(client.why)
    const redirectUri = given.redirect_uri ?? onlyOne(client.redirectUris)
    if (redirectUri === undefined || !isRegistered(redirectUri, client.redirectUris))
      return untrusted(`${client.name} asks to be answered at an address that is not its own.`)
    const refusal = refusalOf(given, issuer)
    if (refusal)
      return { isFit: false, location: answerTo({ redirectUri, state: given.state }, issuer, refusal) }
    const { state, code_challenge: challenge = '', resource = issuer + mcpPath } = given
    return { isFit: true, client, redirectUri, state, resource, challenge }
  }

  /** Lets the program act for the member in one project, and returns where the browser goes on. */
  async approve(
    input: unknown,
    chosen: unknown,
    viewer: MemberViewer,
    issuer: string,
  ): Promise<Outcome<{ location: string }>> {
    const read = await this.read(input, issuer)
    if (!read.isFit) return failedOutcome(read.location === undefined ? read.why : outdated)
    const parsed = parseInput(choice, chosen)
    if (!parsed.done) return parsed
    const { project, level } = parsed.value
    const { store, world } = this.dependencies
    requireEvery(rightsToGrant[level], project, viewer)
    const now = world.now()
    requireRecentPassword(viewer, now)
    if (await isClosed(store, project))
      return failedOutcome('Assistants may not connect to this project: an admin has switched them off.')
    const { client, redirectUri, state, resource, challenge } = read
    const code = newToken(world)
    const connection = {
      id: newId(world),
      projectId: project,
      memberId: viewer.memberId,
      clientId: client.id,
      clientName: client.name,
      level,
      hasSecondFactor: await sessionHasSecondFactor(store, viewer.sessionId),
      createdAt: now,
      connectedAt: undefined,
      usedAt: undefined,
      network: '',
    }
    await store.transaction(async (transaction) => {
      await addConnection(transaction, connection)
      const endsAt = new Date(now.getTime() + codeMs)
      const boundTo = { redirectUri, resource, challenge }
      const { id: connectionId } = connection
      await addTokens(transaction, [{ hash: hashToken(code), kind: 'code', connectionId, boundTo, endsAt }])
      const auditRecord = { action: 'agent.connect', subject: client.name, projectId: project } as const
      await recordAudit(transaction, { ...auditRecord, after: { level, client: client.id } }, viewer, now)
    })
    return { done: true, location: answerTo({ redirectUri, state }, issuer, { code }) }
  }

  /** Returns where the browser of a member who refuses goes on. */
  async deny(input: unknown, issuer: string): Promise<Outcome<{ location: string }>> {
    const read = await this.read(input, issuer)
    if (!read.isFit) return failedOutcome(read.location === undefined ? read.why : outdated)
    const refusal = { error: 'access_denied', error_description: 'The member did not allow it.' }
    return { done: true, location: answerTo(read, issuer, refusal) }
  }
}

const outdated = 'This sign-in is not in order. Start it again in the assistant.'

const untrusted = (why: string) => ({ isFit: false, location: undefined, why }) as const

const onlyOne = (addresses: readonly string[]): string | undefined =>
  addresses.length === 1 ? addresses[0] : undefined

/** The issuer in each answer tells a client of several servers which one answered (RFC 9207). */
const answerTo = (
  { redirectUri, state }: Pick<ConsentRequest, 'redirectUri' | 'state'>,
  issuer: string,
  answer: Record<string, string>,
): string => redirectWith(redirectUri, { ...answer, state, iss: issuer })

function refusalOf(given: ConsentParameters, issuer: string): Record<string, string> | undefined {
  const refused = (error: string, why: string) => ({ error, error_description: why })
  if (given.response_type !== 'code')
    return refused('unsupported_response_type', 'Only response_type=code is answered.')
  if (given.code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(given.code_challenge ?? ''))
    return refused('invalid_request', 'Send a code_challenge with code_challenge_method=S256.')
  if (given.resource !== undefined && given.resource !== issuer + mcpPath)
    return refused('invalid_target', `The resource of this server is ${issuer}${mcpPath}.`)
  return undefined
}
