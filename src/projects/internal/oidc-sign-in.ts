import { z } from 'zod'
import { isUniqueViolation, type Store, type StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import { type MemberViewer, type RequestOrigin, requireRecentPassword, type Role, roles } from '../access'
import { recordAudit } from '../audit'
import { email as emailShape, type Member, memberName } from '../members'
import type { OidcClient, OidcUser } from './oidc-client'
import { type OidcRefusal, oidcRefusals } from '../oidc-refusals'
import type { OidcSettings } from '../oidc-settings'
import { type FailedOutcome, failedOutcome } from '../problems'
import { hashToken, newId } from '../secrets'
import type { SecretBox } from './second-factors'
import type { RequestSource } from '../session-proof'
import { signingInViewer, type SecondFactorRequired, type SignInResult, type SignIn } from '../sign-in'
import { allProjects } from '../store'
import {
  groupProjectsOf,
  hasIdentity,
  memberOfIdentity,
  replaceGroupProjects,
  saveIdentity,
} from './stored-identities'
import { closeInvitation, openInvitationsFor } from './stored-invitations'
import { addMember, findMember, membershipsOf, removeMembership, rolesOf, setRole } from './stored-members'
import { touchSession } from './stored-sessions'
import { addStep } from './stored-steps'

const challengeLastsMs = 10 * 60_000

/** The sealed state in the browser while it is at the provider. */
const challengeSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  to: z.string(),
  purpose: z.enum(['sign-in', 'link', 'confirm']),
  /** The session that links an identity or confirms with it; absent for a sign-in. */
  sessionId: z.string().optional(),
  begunAt: z.number(),
  endsAt: z.number(),
})

type OidcPurpose = z.output<typeof challengeSchema>['purpose']

/** The tolerance for clocks: the provider counts whole seconds, and may run on several machines. */
const clockSkewMs = 10_000

/** The time of an authentication that the provider does not report: it never counts as recent. */
const longAgo = new Date(0)

interface OidcDependencies {
  store: Store
  world: World
  seal: SecretBox
  settings: OidcSettings
  client: Pick<OidcClient, 'begin' | 'finish'>
  signIn: Pick<SignIn, 'enter' | 'welcome'>
  /** Reports to the operator why a response was rejected. The browser does not see it. */
  onTrouble: (problem: unknown) => void
}

interface OidcUndone extends FailedOutcome {
  reason: OidcRefusal
}

type OidcOutcome<Done> = ({ done: true } & Done) | OidcUndone

/** A refusal names its purpose, so that the right page can show it. */
type OidcSignInOutcome =
  | { done: true; to: string; way: SignInResult | SecondFactorRequired | undefined }
  | (OidcUndone & { purpose: OidcPurpose })

/** Sign-in through an external provider. An account is identified by its issuer and subject only. */
export class OidcSignIn {
  constructor(private readonly dependencies: OidcDependencies) {}

  get name(): string {
    return this.dependencies.settings.name
  }

  get settings(): Omit<OidcSettings, 'clientSecret'> {
    const { clientSecret: _, ...shown } = this.dependencies.settings
    return shown
  }

  /** Begins a sign-in. With a viewer, it links the account to that member; without one, its user signs in. */
  async begin(to: string, viewer?: MemberViewer): Promise<OidcOutcome<{ address: string; token: string }>> {
    if (!viewer) return await this.sendAway(to, 'sign-in')
    requireRecentPassword(viewer, this.dependencies.world.now())
    return await this.sendAway(to, 'link', viewer)
  }

  /** Begins a re-authentication at the provider, in place of a password for members who have none. */
  async beginConfirmation(
    to: string,
    viewer: MemberViewer,
  ): Promise<OidcOutcome<{ address: string; token: string }>> {
    return await this.sendAway(to, 'confirm', viewer)
  }

  async isLinked({ memberId }: MemberViewer): Promise<boolean> {
    return await hasIdentity(this.dependencies.store, this.settings.issuer, memberId)
  }

  private async sendAway(
    to: string,
    purpose: OidcPurpose,
    viewer?: MemberViewer,
  ): Promise<OidcOutcome<{ address: string; token: string }>> {
    const { world, seal, client, onTrouble } = this.dependencies
    try {
      const { address, challenge } = await client.begin({ asksAgain: purpose === 'confirm' })
      const begunAt = world.now().getTime()
      const times = { begunAt, endsAt: begunAt + challengeLastsMs }
      const text = JSON.stringify({ ...challenge, to, purpose, sessionId: viewer?.sessionId, ...times })
      return { done: true, address: address.href, token: seal.close(text, 'oidc').slice(1, -1) }
    } catch (problem) {
      onTrouble(problem)
      return this.refused('unreachable')
    }
  }

  /** Completes the sign-in when the browser returns. A response for another browser is refused. */
  async finish(
    search: string,
    token: string | undefined,
    {
      viewer,
      origin,
      source,
    }: { viewer: MemberViewer | undefined; origin: RequestOrigin; source: RequestSource },
  ): Promise<OidcSignInOutcome> {
    const challenge = this.challengeIn(token)
    const purpose = challenge?.purpose ?? 'sign-in'
    if (!challenge || !(await this.claimState(challenge.state)))
      return { ...this.refused('expired'), purpose }
    const user = await this.dependencies.client.finish(search, challenge).catch((problem: unknown) => {
      this.dependencies.onTrouble(problem)
      return undefined
    })
    if (!user) return { ...this.refused('unconfirmed'), purpose }
    if (purpose === 'sign-in') return await this.signInAs(user, challenge.to, { origin, source })
    if (!viewer || viewer.sessionId !== challenge.sessionId)
      return { ...this.refused('session-ended'), purpose }
    const outcome =
      purpose === 'link' ? await this.link(user, viewer) : await this.confirm(user, challenge.begunAt, viewer)
    return outcome.done ? { done: true, to: challenge.to, way: undefined } : { ...outcome, purpose }
  }

  private async signInAs(
    user: OidcUser,
    to: string,
    { origin, source }: { origin: RequestOrigin; source: RequestSource },
  ): Promise<OidcSignInOutcome> {
    const found = await this.memberFor(user, origin)
    if (!found.done) return { ...found, purpose: 'sign-in' }
    await this.applyGroups(found.member, user.groups, origin)
    return { done: true, to, way: await this.enter(found.member, user, origin, source) }
  }

  private refused(reason: OidcRefusal): OidcUndone {
    return { ...failedOutcome(oidcRefusals[reason](this.name)), reason }
  }

  private async enter(
    member: Member,
    user: OidcUser,
    origin: RequestOrigin,
    source: RequestSource,
  ): Promise<SignInResult | SecondFactorRequired> {
    const { signIn } = this.dependencies
    const proof = { method: 'oidc', authenticatedAt: this.authenticationOf(user) } as const
    return user.hasSecondFactor
      ? await signIn.welcome(member, origin, source, { ...proof, hasSecondFactor: true })
      : await signIn.enter(member, proof, origin, source)
  }

  /** The provider may have let the user through by an old session of its own, so the return of the browser proves nothing. */
  private authenticationOf({ authenticatedAgoMs }: OidcUser): Date {
    if (authenticatedAgoMs === undefined) return longAgo
    return new Date(this.dependencies.world.now().getTime() - Math.max(0, authenticatedAgoMs))
  }

  private challengeIn(token: string | undefined): z.output<typeof challengeSchema> | undefined {
    const { seal, world } = this.dependencies
    const text = token ? seal.open(`"${token}"`, 'oidc') : undefined
    // a sign-in that an older version began must start again
    const challenge = text === undefined ? undefined : challengeSchema.safeParse(JSON.parse(text)).data
    return challenge && world.now().getTime() < challenge.endsAt ? challenge : undefined
  }

  private async claimState(state: string): Promise<boolean> {
    const { store, world } = this.dependencies
    const now = world.now()
    const endsAt = new Date(now.getTime() + challengeLastsMs)
    const used = { kind: 'used-challenge', memberId: undefined, body: {} } as const
    try {
      await store.transaction((transaction) =>
        addStep(transaction, hashToken(`oidc ${state}`), used, { now, endsAt }),
      )
      return true
    } catch (problem) {
      if (isUniqueViolation(problem)) return false
      throw problem
    }
  }

  /** Links the account to the member of a live session, whose e-mail address the provider has verified. */
  private async link(user: OidcUser, viewer: MemberViewer): Promise<OidcOutcome<object>> {
    if (user.email !== viewer.email) return this.refused('other-address')
    const known = await memberOfIdentity(this.dependencies.store, user)
    if (known !== undefined && known !== viewer.memberId) return this.refused('other-member')
    await this.dependencies.store.transaction((transaction) =>
      this.keepIdentity(user, viewer, viewer.email, transaction),
    )
    return { done: true }
  }

  /**
   * Counts as entering the password, if the provider has authenticated this member again since `begunAt`. Both lengths
   * of time are measured by one clock each, so a difference between the clocks does not matter.
   */
  private async confirm(user: OidcUser, begunAt: number, viewer: MemberViewer): Promise<OidcOutcome<object>> {
    const { store, world } = this.dependencies
    const known = await memberOfIdentity(store, user)
    if (known !== viewer.memberId) return this.refused('not-linked')
    const now = world.now()
    const { authenticatedAgoMs = Infinity } = user
    if (authenticatedAgoMs > now.getTime() - begunAt + clockSkewMs) return this.refused('not-asked-again')
    await touchSession(store, viewer.sessionId, { seenAt: now, authenticatedAt: now })
    return { done: true }
  }

  private async memberFor(user: OidcUser, origin: RequestOrigin): Promise<OidcOutcome<{ member: Member }>> {
    const { store, world } = this.dependencies
    if (!this.isAllowedDomain(user.email)) return this.refused('no-address')
    const memberId = await memberOfIdentity(store, user)
    const member = memberId === undefined ? undefined : await findMember(store, { id: memberId })
    if (!member) return await this.newMember(user, origin)
    const identity = { ...user, memberId: member.id, email: user.email ?? member.email, at: world.now() }
    await saveIdentity(store, identity)
    return { done: true, member }
  }

  private isAllowedDomain(email: string | undefined): boolean {
    const { domains } = this.dependencies.settings
    return email !== undefined && (domains.length === 0 || domains.includes(email.split('@').at(-1) ?? ''))
  }

  /**
   * Creates a member. An existing member with the same address is not taken over: they link the account while signed
   * in.
   */
  private async newMember(user: OidcUser, origin: RequestOrigin): Promise<OidcOutcome<{ member: Member }>> {
    const { store, world, settings } = this.dependencies
    const parsed = emailShape.safeParse(user.email)
    if (!parsed.success) return this.refused('bad-address')
    const now = world.now()
    const name = memberName.safeParse(user.name).data ?? parsed.data.split('@')[0] ?? 'Member'
    const member: Member = { id: newId(world), email: parsed.data, name, createdAt: now }
    return await store.transaction(async (transaction) => {
      if (await findMember(transaction, { email: member.email })) return this.refused('address-taken')
      const invitations = await openInvitationsFor(transaction, member.email, now)
      if (!settings.mayJoin && invitations.length === 0) return this.refused('no-member')
      // no password works for this account until its member chooses one through a link
      await addMember(transaction, member, '')
      for (const { id, projectId, role } of invitations) {
        await setRole(transaction, projectId, member.id, role, now)
        await closeInvitation(transaction, id, { acceptedAt: now })
        const auditRecord = {
          action: 'member.join',
          subject: member.email,
          projectId,
          after: { role },
        } as const
        await recordAudit(transaction, auditRecord, signingInViewer(member, origin, now), now)
      }
      await this.keepIdentity(user, signingInViewer(member, origin, now), member.email, transaction)
      await transaction.announce('members')
      return { done: true, member }
    })
  }

  private async keepIdentity(
    user: OidcUser,
    viewer: MemberViewer,
    email: string,
    transaction: StoreTransaction,
  ): Promise<void> {
    const at = this.dependencies.world.now()
    const { issuer, subject } = user
    await saveIdentity(transaction, { issuer, subject, memberId: viewer.memberId, email, at })
    const auditRecord = { action: 'identity.link', subject: viewer.email, after: { issuer } } as const
    await recordAudit(transaction, auditRecord, viewer, at)
  }

  /**
   * Applies group roles at each sign-in. It removes only roles that groups granted, and leaves no project without an
   * owner.
   */
  private async applyGroups(member: Member, groups: readonly string[], origin: RequestOrigin): Promise<void> {
    const { store, settings } = this.dependencies
    if (settings.groupRoles.length === 0) return
    await store.transaction(async (transaction) => {
      const rolesByProject = await this.rolesByGroup(groups, transaction)
      const managedProjects = await groupProjectsOf(transaction, member.id)
      const current = await rolesOf(transaction, member.id)
      for (const projectId of new Set([...rolesByProject.keys(), ...managedProjects])) {
        const [before, after] = [current.get(projectId), rolesByProject.get(projectId)]
        if (before !== after) await this.changeRole(member, projectId, { before, after }, origin, transaction)
      }
      await replaceGroupProjects(transaction, member.id, [...rolesByProject.keys()])
      await transaction.announce('members')
    })
  }

  private async rolesByGroup(
    groups: readonly string[],
    transaction: StoreTransaction,
  ): Promise<Map<number, Role>> {
    const projects = await allProjects(transaction)
    const roleByProject = new Map<number, Role>()
    for (const { group, project: slug, role } of this.dependencies.settings.groupRoles) {
      const project = projects.find((one) => one.slug === slug)
      if (!project || !groups.includes(group)) continue
      const other = roleByProject.get(project.id)
      if (!other || roles.indexOf(role) < roles.indexOf(other)) roleByProject.set(project.id, role)
    }
    return roleByProject
  }

  private async changeRole(
    member: Member,
    projectId: number,
    { before, after }: { before: Role | undefined; after: Role | undefined },
    origin: RequestOrigin,
    transaction: StoreTransaction,
  ): Promise<void> {
    const now = this.dependencies.world.now()
    const owners = (await membershipsOf(transaction, projectId)).filter(({ role }) => role === 'owner')
    if (before === 'owner' && owners.length === 1) return
    if (after) await setRole(transaction, projectId, member.id, after, now)
    else await removeMembership(transaction, projectId, member.id)
    const action = after ? (before ? 'member.role' : 'member.join') : 'member.remove'
    const change = { before: before && { role: before }, after: after && { role: after } }
    const auditRecord = { action, subject: member.email, projectId, ...change } as const
    await recordAudit(transaction, auditRecord, signingInViewer(member, origin, now), now)
  }
}
