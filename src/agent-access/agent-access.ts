import { z } from 'zod'
import {
  type AgentViewer,
  type RequestOrigin,
  requireRight,
  type Right,
  roleCovers,
  type Viewer,
} from '#projects/access'
import { recordAudit } from '#projects/audit'
import { currentRole } from '#projects/current-role'
import { type Outcome, failedOutcome, parseInput } from '#projects/problems'
import { hashToken } from '#projects/secrets'
import { type Store, writeBestEffort } from '#store/store'
import type { World } from '#world/world'
import type { AgentClients } from './internal/clients'
import type { AgentConsent } from './consent'
import {
  connectionsOf,
  findConnection,
  isClosed,
  markConnection,
  removeConnection,
  setClosed,
} from './internal/stored-connections'
import { findToken } from './internal/stored-tokens'
import { type AgentLevel, rightsOfLevel } from './levels'
import { accessPrefix, type AgentTokens } from './internal/tokens'

/** The consent of a member that a program acts for them in one project. */
export interface AgentConnection {
  id: string
  projectId: number
  memberId: string
  clientId: string
  clientName: string
  level: AgentLevel
  /** Whether the session of the consent had used a second factor. */
  hasSecondFactor: boolean
  createdAt: Date
  /** When the program got its first tokens. */
  connectedAt: Date | undefined
  usedAt: Date | undefined
  /** The network of its last request. */
  network: string
}

const switchInput = z.object({ mayConnect: z.boolean() })

/** "Last used" is accurate to the minute, which avoids a write for every call. */
const noteUseEveryMs = 60_000

interface AgentAccessDependencies {
  store: Store
  world: World
  clients: AgentClients
  consent: AgentConsent
  tokens: AgentTokens
}

/** The assistants that act for members of a project, and their limits. */
export class AgentAccess {
  readonly clients: AgentClients
  readonly consent: AgentConsent
  readonly tokens: AgentTokens

  constructor(private readonly dependencies: AgentAccessDependencies) {
    this.clients = dependencies.clients
    this.consent = dependencies.consent
    this.tokens = dependencies.tokens
  }

  async list(projectId: number, viewer: Viewer): Promise<AgentConnection[]> {
    requireRight('members:read', projectId, viewer)
    return await connectionsOf(this.dependencies.store, projectId)
  }

  /** Ends a connection at once. A member ends their own, an admin any. */
  async revoke(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('members:read', projectId, viewer)
    const { store, world } = this.dependencies
    return await store.transaction(async (transaction) => {
      const connection = await findConnection(transaction, id)
      if (connection?.projectId !== projectId)
        return failedOutcome('This assistant has no access any more, or never had.')
      const isOwn = viewer.kind === 'member' && viewer.memberId === connection.memberId
      if (!isOwn) requireRight('members:write', projectId, viewer)
      await removeConnection(transaction, id)
      const { clientName: subject, level } = connection
      const auditRecord = { action: 'agent.revoke', subject, projectId, before: { level } } as const
      await recordAudit(transaction, auditRecord, viewer, world.now())
      return { done: true }
    })
  }

  /** Whether assistants may act in the project at all, with a sign-in or with a key. */
  async mayConnect(projectId: number): Promise<boolean> {
    return !(await isClosed(this.dependencies.store, projectId))
  }

  /** Lets assistants in, or refuses all of them; what they were allowed stays for later. */
  async change(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome> {
    requireRight('project:write', projectId, viewer)
    const parsed = parseInput(switchInput, input)
    if (!parsed.done) return parsed
    const { mayConnect } = parsed.value
    const { store, world } = this.dependencies
    await store.transaction(async (transaction) => {
      const before = { mayConnect: !(await isClosed(transaction, projectId)) }
      await setClosed(transaction, projectId, !mayConnect)
      const auditRecord = { action: 'agent.switch', subject: 'this project', projectId, before } as const
      await recordAudit(transaction, { ...auditRecord, after: { mayConnect } }, viewer, world.now())
    })
    return { done: true }
  }

  /** Finds the viewer of an access token, with what the member may at this moment. */
  async viewer(text: string, origin: RequestOrigin): Promise<AgentViewer | undefined> {
    if (!text.startsWith(accessPrefix)) return undefined
    const { store, world } = this.dependencies
    const token = await findToken(store, hashToken(text))
    const now = world.now()
    if (token?.kind !== 'access' || token.endsAt <= now) return undefined
    const connection = await findConnection(store, token.connectionId)
    const current = connection && (await currentRole(store, connection))
    if (!connection || !current) return undefined
    await this.noteUsed(connection, origin, now)
    const { id: connectionId, memberId, clientName, projectId, level } = connection
    const held = rightsOfLevel[level].filter((right) => roleCovers(current.role, right))
    const name = `${current.member.name}, through ${clientName}`
    return { kind: 'agent', connectionId, memberId, name, projectId, scopes: new Set<Right>(held), origin }
  }

  private async noteUsed(connection: AgentConnection, origin: RequestOrigin, now: Date): Promise<void> {
    const { id, usedAt, network } = connection
    const isRecent = usedAt && now.getTime() - usedAt.getTime() < noteUseEveryMs
    if (isRecent && network === origin.address) return
    await writeBestEffort(
      markConnection(this.dependencies.store, id, { usedAt: now, network: origin.address }),
    )
  }
}
