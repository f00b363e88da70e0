import { writeBestEffort, type Store } from '#store/store'
import type { World } from '#world/world'
import { type MemberViewer, type RequestOrigin, AccessRefusedError, type Viewer } from '../access'
import { recordAudit } from '../audit'
import type { Member } from '../members'
import { type Outcome, failedOutcome } from '../problems'
import type { SessionProof, SignInProof } from '../session-proof'
import { closedProjects, secondFactorRules } from './sign-in-rules'
import { hashToken, newId, newToken } from '../secrets'
import { findMember, rolesOf } from './stored-members'
import {
  addSession,
  endSessions,
  findSession,
  removeOldSessions,
  sessionsOf,
  touchSession,
} from './stored-sessions'

/** A member's signed-in browser. */
export interface MemberSession extends SessionProof {
  id: string
  memberId: string
  client: string
  address: string
  createdAt: Date
  seenAt: Date
  authenticatedAt: Date
  endsAt: Date
}

const minute = 60_000
const day = 24 * 60 * minute
/** A session ends after this time without use, and in any case after `sessionLastsMs`. */
const sessionIdleMs = 7 * day
const sessionLastsMs = 30 * day
/** Saved at intervals, because saving each request would make every request a write. */
const noteSeenEveryMs = 5 * minute

export class Sessions {
  constructor(private readonly dependencies: { store: Store; world: World }) {}

  /** Begins a session. Only the browser gets the token; the store keeps its hash. */
  async begin(
    member: Member,
    origin: RequestOrigin,
    { authenticatedAt, ...proof }: SignInProof = {},
  ): Promise<{ token: string; endsAt: Date }> {
    const { store, world } = this.dependencies
    const now = world.now()
    await removeOldSessions(store, now, new Date(now.getTime() - sessionIdleMs))
    const token = newToken(world)
    const begun = newSession(member, origin, now, newId(world))
    const session = { ...begun, authenticatedAt: authenticatedAt ?? now, ...fullProof(proof) }
    await addSession(store, session, hashToken(token))
    return { token, endsAt: session.endsAt }
  }

  /** Finds the member of a session token, with their current roles; undefined if it has expired or ended. */
  async viewer(
    token: string | undefined,
    origin: RequestOrigin,
    // checking an open stream does not prolong a session
    { isUse }: { isUse: boolean } = { isUse: true },
  ): Promise<MemberViewer | undefined> {
    const session = token ? await findSession(this.dependencies.store, hashToken(token)) : undefined
    if (!session || this.isOver(session)) return undefined
    const member = await findMember(this.dependencies.store, { id: session.memberId })
    if (!member) return undefined
    if (isUse) await this.noteSeen(session)
    const { store } = this.dependencies
    const roles = await rolesOf(store, member.id)
    const closed = session.hasSecondFactor
      ? undefined
      : closedProjects(session, roles, await secondFactorRules(store))
    return {
      kind: 'member',
      memberId: member.id,
      name: member.name,
      email: member.email,
      sessionId: session.id,
      authenticatedAt: session.authenticatedAt,
      roles: closed ? withoutClosed(roles, closed) : roles,
      ...(closed && closed.size > 0 && { closedProjects: closed }),
      origin,
    }
  }

  /** Returns the member's own sessions, the newest first. */
  async list(viewer: MemberViewer): Promise<MemberSession[]> {
    const sessions = await sessionsOf(this.dependencies.store, viewer.memberId)
    return sessions.filter((session) => !this.isOver(session))
  }

  /** Lists a member's sessions, for the command line. */
  async listOf(
    address: string,
    viewer: Viewer,
  ): Promise<Outcome<{ member: Member; sessions: MemberSession[] }>> {
    requireOperator(viewer)
    const member = await findMember(this.dependencies.store, { email: address.trim().toLowerCase() })
    if (!member) return failedOutcome(`No member has the address "${address}".`, 'email')
    const sessions = await sessionsOf(this.dependencies.store, member.id)
    return { done: true, member, sessions: sessions.filter((session) => !this.isOver(session)) }
  }

  /** Ends one of a member's sessions, or all of them. */
  async endOf(address: string, sessionId: string | undefined, viewer: Viewer): Promise<Outcome> {
    const found = await this.listOf(address, viewer)
    if (!found.done) return found
    const { member, sessions } = found
    const before = sessionId === undefined ? 'all' : sessions.find(({ id }) => id === sessionId)
    if (before === undefined) return failedOutcome(`${member.email} has no session with this id.`)
    const { store, world } = this.dependencies
    await store.transaction(async (transaction) => {
      await endSessions(transaction, member.id, { only: sessionId })
      await transaction.announce('sessions')
      const client = before === 'all' ? 'all' : { client: before.client }
      const auditRecord = { action: 'session.revoke', subject: member.email, before: client } as const
      await recordAudit(transaction, auditRecord, viewer, world.now())
    })
    return { done: true }
  }

  async revoke(sessionId: string, viewer: MemberViewer): Promise<Outcome> {
    const { store, world } = this.dependencies
    const session = (await this.list(viewer)).find(({ id }) => id === sessionId)
    if (!session) return failedOutcome('This session has already ended.')
    await store.transaction(async (transaction) => {
      await endSessions(transaction, viewer.memberId, { only: sessionId })
      await transaction.announce('sessions')
      await recordAudit(
        transaction,
        { action: 'session.revoke', subject: viewer.email, before: { client: session.client } },
        viewer,
        world.now(),
      )
    })
    return { done: true }
  }

  async revokeOthers(viewer: MemberViewer): Promise<Outcome> {
    const { store, world } = this.dependencies
    await store.transaction(async (transaction) => {
      await endSessions(transaction, viewer.memberId, { except: viewer.sessionId })
      await transaction.announce('sessions')
      await recordAudit(
        transaction,
        { action: 'session.revoke', subject: viewer.email, before: 'all others' },
        viewer,
        world.now(),
      )
    })
    return { done: true }
  }

  async end(viewer: MemberViewer): Promise<void> {
    const { store, world } = this.dependencies
    await store.transaction(async (transaction) => {
      await endSessions(transaction, viewer.memberId, { only: viewer.sessionId })
      await transaction.announce('sessions')
      await recordAudit(transaction, { action: 'sign-out', subject: viewer.email }, viewer, world.now())
    })
  }

  private isOver(session: MemberSession): boolean {
    const now = this.dependencies.world.now().getTime()
    return now >= session.endsAt.getTime() || now - session.seenAt.getTime() >= sessionIdleMs
  }

  private async noteSeen(session: MemberSession): Promise<void> {
    const now = this.dependencies.world.now()
    if (now.getTime() - session.seenAt.getTime() < noteSeenEveryMs) return
    await writeBestEffort(touchSession(this.dependencies.store, session.id, { seenAt: now }))
  }
}

const fullProof = ({
  method = 'password',
  hasSecondFactor = false,
  via = 'direct',
}: Partial<SessionProof>): SessionProof => ({ method, hasSecondFactor, via })

const newSession = (
  member: Member,
  origin: RequestOrigin,
  now: Date,
  id: string,
): Omit<MemberSession, keyof SignInProof> => ({
  id,
  memberId: member.id,
  client: origin.client,
  address: origin.address,
  createdAt: now,
  seenAt: now,
  endsAt: new Date(now.getTime() + sessionLastsMs),
})

const withoutClosed = (roles: MemberViewer['roles'], closedIds: ReadonlySet<number>): MemberViewer['roles'] =>
  new Map([...roles].filter(([id]) => !closedIds.has(id)))

function requireOperator(viewer: Viewer): void {
  if (viewer.kind !== 'operator')
    throw new AccessRefusedError('not-allowed', 'This is done on the machine itself, with "tilth member".')
}
