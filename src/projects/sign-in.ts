import { z } from 'zod'
import type { Store, StoreTransaction } from '../store/store'
import type { World } from '../world/world'
import type { MemberViewer, Origin } from './access'
import { record } from './audit'
import { email, type Member } from './members'
import { hashPassword, isOutdated, isPassword, nobodysHash } from './passwords'
import { type Outcome, parse, undone } from './problems'
import { Sessions } from './sessions'
import { findMember, passwordHashOf, savePasswordHash, touchSession } from './store'
import { type Attempt, inWords, Throttle } from './throttle'

const password = z.string({ error: 'Give your password.' }).min(1, 'Give your password.')
const credentials = z.object({ email, password })
const confirmation = z.object({ password })

const wrong = 'The address or the password is wrong.'

/**
 * From a password to a session. A second factor belongs between the two: `prove` answers who it is, `Sessions.begin`
 * lets them in.
 */
export class SignIn {
  private readonly sessions: Sessions
  private readonly throttle: Throttle

  constructor(private readonly ground: { store: Store; world: World }) {
    this.sessions = new Sessions(ground)
    this.throttle = new Throttle(ground)
  }

  async signIn(input: unknown, origin: Origin): Promise<Outcome<{ token: string; endsAt: Date }>> {
    const parsed = parse(credentials, input)
    if (!parsed.done) return parsed
    const proven = await this.prove(parsed.value, origin)
    if (!proven.done) return proven
    return { done: true, ...(await this.welcome(proven.member, origin)) }
  }

  /** For one who just became a member and chose the password a moment ago. */
  async welcome(member: Member, origin: Origin): Promise<{ token: string; endsAt: Date }> {
    await this.ground.store.transaction((transaction) => this.note('sign-in', member, origin, transaction))
    return await this.sessions.begin(member, origin)
  }

  /** "Is it still you?" before what a stranger at an unlocked screen must not do. */
  async confirm(input: unknown, viewer: MemberViewer): Promise<Outcome> {
    const parsed = parse(confirmation, input)
    if (!parsed.done) return parsed
    const proven = await this.prove({ email: viewer.email, password: parsed.value.password }, viewer.origin)
    if (!proven.done)
      return undone(
        proven.problems[0]?.message === wrong ? 'This is not your password.' : waitWords(proven),
        'password',
      )
    const now = this.ground.world.now()
    await touchSession(this.ground.store, viewer.sessionId, { seenAt: now, authenticatedAt: now })
    return { done: true }
  }

  /** The same words and the same work whether or not there is such a member. */
  private async prove(
    given: { email: string; password: string },
    origin: Origin,
  ): Promise<Outcome<{ member: Member }>> {
    const attempt: Attempt = { account: given.email, address: origin.address }
    const seconds = await this.throttle.waitSeconds(attempt)
    if (seconds > 0) return undone(`Too many wrong passwords. Wait ${inWords(seconds)} and try again.`)

    const member = await findMember(this.ground.store, { email: given.email })
    const hashed = await passwordHashOf(this.ground.store, member?.id ?? '')
    const right = await isPassword(given.password, hashed ?? nobodysHash)
    if (!member || !hashed || !right) return await this.refuse(attempt, member, origin)

    await this.throttle.succeeded(attempt)
    if (isOutdated(hashed))
      await savePasswordHash(this.ground.store, member.id, await hashPassword(given.password))
    return { done: true, member }
  }

  private async refuse(
    attempt: Attempt,
    member: Member | undefined,
    origin: Origin,
  ): Promise<Outcome<never>> {
    // one transaction: a second one would take its time for members only, and so tell who is one
    await this.ground.store.transaction(async (transaction) => {
      await this.throttle.failed(attempt, transaction)
      if (member) await this.note('sign-in.failed', member, origin, transaction)
    })
    return undone(wrong)
  }

  private async note(
    action: 'sign-in' | 'sign-in.failed',
    member: Member,
    origin: Origin,
    transaction: StoreTransaction,
  ): Promise<void> {
    const now = this.ground.world.now()
    await record(transaction, { action, subject: member.email }, asViewer(member, origin, now), now)
  }
}

const waitWords = (refusal: { problems: { message: string }[] }): string =>
  refusal.problems[0]?.message ?? wrong

/** A member before there is a session, for the log's sake; it opens nothing. */
export const asViewer = ({ id, name, email: address }: Member, origin: Origin, now: Date): MemberViewer => ({
  kind: 'member',
  memberId: id,
  name,
  email: address,
  sessionId: '',
  authenticatedAt: now,
  roles: new Map(),
  origin,
})
