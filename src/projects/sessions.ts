import type { Store } from '../store/store'
import type { World } from '../world/world'
import { type MemberViewer, type Origin, Refused } from './access'
import { record } from './audit'
import type { Member } from './members'
import { type Outcome, undone } from './problems'
import { fingerprint, newId, newToken } from './secrets'
import {
  addSession,
  endSessions,
  findMember,
  findSession,
  forgetOldSessions,
  rolesOf,
  sessionsOf,
  touchSession,
} from './store'

/** A member's signed-in browser. */
export interface Session {
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
/** Unused for this long, it is over; and over in any case after the second. */
export const sessionIdleMs = 7 * day
export const sessionLastsMs = 30 * day
/** Writing down every single request would make each of them a write. */
const seenEveryMs = 5 * minute

export class Sessions {
  constructor(private readonly ground: { store: Store; world: World }) {}

  /** The token is for the browser alone; what is kept of it opens nothing. */
  async begin(member: Member, origin: Origin): Promise<{ token: string; endsAt: Date }> {
    const { store, world } = this.ground
    const now = world.now()
    await forgetOldSessions(store, now, new Date(now.getTime() - sessionIdleMs))
    const token = newToken(world)
    const session = newSession(member, origin, now, newId(world))
    await addSession(store, session, fingerprint(token))
    return { token, endsAt: session.endsAt }
  }

  /** Who holds this token, with every role as it is right now; undefined when nobody does any more. */
  async viewer(token: string | undefined, origin: Origin): Promise<MemberViewer | undefined> {
    const session = token ? await findSession(this.ground.store, fingerprint(token)) : undefined
    if (!session || this.isOver(session)) return undefined
    const member = await findMember(this.ground.store, { id: session.memberId })
    if (!member) return undefined
    await this.noteSeen(session)
    return {
      kind: 'member',
      memberId: member.id,
      name: member.name,
      email: member.email,
      sessionId: session.id,
      authenticatedAt: session.authenticatedAt,
      roles: await rolesOf(this.ground.store, member.id),
      origin,
    }
  }

  /** One's own, the newest first. */
  async list(viewer: MemberViewer): Promise<Session[]> {
    const sessions = await sessionsOf(this.ground.store, viewer.memberId)
    return sessions.filter((session) => !this.isOver(session))
  }

  async revoke(sessionId: string, viewer: MemberViewer): Promise<Outcome> {
    const { store, world } = this.ground
    const session = (await this.list(viewer)).find(({ id }) => id === sessionId)
    if (!session) return undone('This session has already ended.')
    await store.transaction(async (transaction) => {
      await endSessions(transaction, viewer.memberId, { only: sessionId })
      await record(
        transaction,
        { action: 'session.revoke', subject: viewer.email, before: { client: session.client } },
        viewer,
        world.now(),
      )
    })
    return { done: true }
  }

  async revokeOthers(viewer: MemberViewer): Promise<Outcome> {
    const { store, world } = this.ground
    await store.transaction(async (transaction) => {
      await endSessions(transaction, viewer.memberId, { except: viewer.sessionId })
      await record(
        transaction,
        { action: 'session.revoke', subject: viewer.email, before: 'all others' },
        viewer,
        world.now(),
      )
    })
    return { done: true }
  }

  async end(viewer: MemberViewer): Promise<void> {
    const { store, world } = this.ground
    await store.transaction(async (transaction) => {
      await endSessions(transaction, viewer.memberId, { only: viewer.sessionId })
      await record(transaction, { action: 'sign-out', subject: viewer.email }, viewer, world.now())
    })
  }

  private isOver(session: Session): boolean {
    const now = this.ground.world.now().getTime()
    return now >= session.endsAt.getTime() || now - session.seenAt.getTime() >= sessionIdleMs
  }

  private async noteSeen(session: Session): Promise<void> {
    const now = this.ground.world.now()
    if (now.getTime() - session.seenAt.getTime() < seenEveryMs) return
    await touchSession(this.ground.store, session.id, { seenAt: now })
  }
}

const newSession = (member: Member, origin: Origin, now: Date, id: string): Session => ({
  id,
  memberId: member.id,
  client: origin.client,
  address: origin.address,
  createdAt: now,
  seenAt: now,
  authenticatedAt: now,
  endsAt: new Date(now.getTime() + sessionLastsMs),
})

/** Some things are a person's own, and no key's. */
export function requireMember(viewer: { kind: string }): asserts viewer is MemberViewer {
  if (viewer.kind !== 'member') throw new Refused('not-allowed', 'Only a signed-in member can do this.')
}
