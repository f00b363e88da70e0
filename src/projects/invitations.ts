import { z } from 'zod'
import type { Store, TableSource } from '#store/store'
import { isUniqueViolation } from '#store/store'
import type { World } from '#world/world'
import {
  type MemberViewer,
  type RequestOrigin,
  requireEveryRightOf,
  requireRecentPassword,
  requireRight,
  type Role,
  roles,
  type Viewer,
} from './access'
import { recordAudit } from './audit'
import { email, addToProject, type Member, newMember, prepareMember } from './members'
import { type Outcome, parseInput, failedOutcome } from './problems'
import type { Project } from './project'
import { hashToken, newId, newToken } from './secrets'
import { signingInViewer } from './sign-in'
import { allProjects } from './store'
import {
  addInvitation,
  closeInvitation,
  findInvitation,
  openInvitations,
} from './internal/stored-invitations'
import { membershipsOf, rolesOf, setRole } from './internal/stored-members'

/** A link that makes its holder a member of one project, once. */
export interface Invitation {
  id: string
  projectId: number
  role: Role
  /** If set, only this address may accept. */
  email: string | undefined
  /** Name of the inviting member. */
  invitedBy: string
  createdAt: Date
  endsAt: Date
  acceptedAt: Date | undefined
  revokedAt: Date | undefined
}

/** The invitation as an invited person sees it before accepting. */
export interface InvitationOffer {
  projectName: string
  role: Role
  invitedBy: string
  email: string | undefined
}

const invitationLastsMs = 7 * 24 * 60 * 60_000

export const newInvitation = z.object({
  role: z.enum(roles, { error: `Choose one of ${roles.join(', ')}.` }),
  email: z.preprocess((given) => (given === '' ? undefined : given), email.optional()),
})

const invalidInvitation = 'This invitation is no longer valid. Ask the person who sent it for a new one.'

export class Invitations {
  constructor(private readonly dependencies: { store: Store; world: World }) {}

  async list(projectId: number, viewer: Viewer): Promise<Invitation[]> {
    requireRight('members:read', projectId, viewer)
    return await openInvitations(this.dependencies.store, projectId, this.dependencies.world.now())
  }

  /** The token is shown once; links carry it in the fragment, which no server log contains. */
  async create(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ invitation: Invitation; token: string }>> {
    requireRight('members:write', projectId, viewer)
    requireRecentPassword(viewer, this.dependencies.world.now())
    const parsed = parseInput(newInvitation, input)
    if (!parsed.done) return parsed
    const { role, email: address } = parsed.value
    requireEveryRightOf(role, projectId, viewer)
    if (address !== undefined && (await this.belongs(projectId, address))) {
      return failedOutcome('This person already belongs to the project.', 'email')
    }
    return await this.add(projectId, role, address, viewer)
  }

  async revoke(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('members:write', projectId, viewer)
    const now = this.dependencies.world.now()
    return await this.dependencies.store.transaction(async (transaction) => {
      const invitation = await findInvitation(transaction, { id })
      if (!invitation || invitation.projectId !== projectId || !isPending(invitation, now))
        return failedOutcome(invalidInvitation)
      await closeInvitation(transaction, id, { revokedAt: now })
      await recordAudit(
        transaction,
        { action: 'invitation.revoke', subject: subjectOf(invitation), projectId },
        viewer,
        now,
      )
      return { done: true }
    })
  }

  async offer(token: string): Promise<InvitationOffer | undefined> {
    const found = await this.byToken(token)
    if (!found) return undefined
    const { role, invitedBy, email: address } = found.invitation
    return { projectName: found.project.name, role, invitedBy, email: address }
  }

  /** Accepts an invitation for a member who is signed in. */
  async accept(token: string, viewer: MemberViewer): Promise<Outcome<{ projectId: number }>> {
    const found = await this.byToken(token)
    if (!found) return failedOutcome(invalidInvitation)
    const { invitation } = found
    if (invitation.email !== undefined && invitation.email !== viewer.email) {
      return failedOutcome(
        `This invitation is for ${invitation.email}. Sign in with that address to accept it.`,
      )
    }
    const { projectId, role } = invitation
    // existing members keep their role, and the link stays valid for the invited person
    if ((await rolesOf(this.dependencies.store, viewer.memberId)).has(projectId))
      return { done: true, projectId }
    return await this.claim(invitation, viewer, (source) =>
      setRole(source, projectId, viewer.memberId, role, this.dependencies.world.now()),
    )
  }

  /** Accepts an invitation by creating an account. */
  async acceptAsNew(
    token: string,
    input: unknown,
    origin: RequestOrigin,
  ): Promise<Outcome<{ projectId: number; member: Member }>> {
    const found = await this.byToken(token)
    if (!found) return failedOutcome(invalidInvitation)
    const { invitation, project } = found
    const parsed = parseInput(newMember, input)
    if (!parsed.done) return parsed
    if (invitation.email !== undefined && invitation.email !== parsed.value.email) {
      return failedOutcome(`This invitation is for ${invitation.email}.`, 'email')
    }
    const now = this.dependencies.world.now()
    const id = newId(this.dependencies.world)
    const prepared = await prepareMember(parsed.value, { id, at: now, projectName: project.name })
    if (!prepared.done) return prepared
    return await this.acceptWithNewMember(invitation, prepared, signingInViewer(prepared.member, origin, now))
  }

  private async acceptWithNewMember(
    invitation: Invitation,
    prepared: { member: Member; hashed: string },
    viewer: MemberViewer,
  ): Promise<Outcome<{ projectId: number; member: Member }>> {
    const { member } = prepared
    const { projectId, role } = invitation
    try {
      const accepted = await this.claim(invitation, viewer, (source) =>
        addToProject(source, prepared, { projectId, role, at: member.createdAt }),
      )
      return accepted.done ? { ...accepted, member } : accepted
    } catch (problem) {
      if (isUniqueViolation(problem))
        return failedOutcome(
          'This address already has an account. Sign in, then open the link again.',
          'email',
        )
      throw problem
    }
  }

  private async claim(
    invitation: Invitation,
    viewer: MemberViewer,
    enter: (source: TableSource) => Promise<void>,
  ): Promise<Outcome<{ projectId: number }>> {
    const { projectId, role } = invitation
    const now = this.dependencies.world.now()
    return await this.dependencies.store.transaction(async (transaction) => {
      // two people may have opened the same link: only the first one joins
      const fresh = await findInvitation(transaction, { id: invitation.id })
      if (!fresh || !isPending(fresh, now)) return failedOutcome(invalidInvitation)
      await enter(transaction)
      await closeInvitation(transaction, invitation.id, { acceptedAt: now })
      await transaction.announce('members')
      await recordAudit(
        transaction,
        { action: 'member.join', subject: viewer.email, projectId, after: { role } },
        viewer,
        now,
      )
      return { done: true, projectId }
    })
  }

  private async add(
    projectId: number,
    role: Role,
    address: string | undefined,
    viewer: Viewer,
  ): Promise<Outcome<{ invitation: Invitation; token: string }>> {
    const { store, world } = this.dependencies
    const now = world.now()
    const token = newToken(world)
    const invitation: Invitation = {
      id: newId(world),
      projectId,
      role,
      email: address,
      invitedBy: viewer.name,
      createdAt: now,
      endsAt: new Date(now.getTime() + invitationLastsMs),
      acceptedAt: undefined,
      revokedAt: undefined,
    }
    await store.transaction(async (transaction) => {
      await addInvitation(transaction, invitation, hashToken(token))
      const auditRecord = {
        action: 'invitation.create',
        subject: subjectOf(invitation),
        projectId,
        after: { role },
      } as const
      await recordAudit(transaction, auditRecord, viewer, now)
    })
    return { done: true, invitation, token }
  }

  private async belongs(projectId: number, address: string): Promise<boolean> {
    const memberships = await membershipsOf(this.dependencies.store, projectId)
    return memberships.some(({ member }) => member.email === address)
  }

  /** Finds a valid invitation; none for an archived project, which cannot be joined. */
  private async byToken(token: string): Promise<{ invitation: Invitation; project: Project } | undefined> {
    const invitation = await findInvitation(this.dependencies.store, { tokenHash: hashToken(token) })
    if (!invitation || !isPending(invitation, this.dependencies.world.now())) return undefined
    const projects = await allProjects(this.dependencies.store)
    const project = projects.find(({ id }) => id === invitation.projectId)
    return project && !project.archivedAt ? { invitation, project } : undefined
  }
}

const isPending = ({ acceptedAt, revokedAt, endsAt }: Invitation, now: Date): boolean =>
  !acceptedAt && !revokedAt && endsAt > now

const subjectOf = ({ email: address, role }: Invitation): string =>
  address ?? `anybody with the link, as ${role}`
