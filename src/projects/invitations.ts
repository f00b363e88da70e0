import { z } from 'zod'
import type { Store } from '../store/store'
import { isTaken } from '../store/store'
import type { World } from '../world/world'
import {
  type MemberViewer,
  type Origin,
  requireEveryRightOf,
  requireRecentPassword,
  requireRight,
  type Role,
  roles,
  type Viewer,
} from './access'
import { record } from './audit'
import { email, join, type Member, newMember, prepareMember } from './members'
import { type Outcome, parse, undone } from './problems'
import type { Project } from './project'
import { fingerprint, newId, newToken } from './secrets'
import { asViewer } from './sign-in'
import {
  addInvitation,
  allProjects,
  closeInvitation,
  findInvitation,
  membershipsOf,
  openInvitations,
  rolesOf,
  setRole,
} from './store'

/** A link that makes whoever holds it a member of one project, once. */
export interface Invitation {
  id: string
  projectId: number
  role: Role
  /** When given, only this address may accept. */
  email: string | undefined
  /** Name of who invited. */
  invitedBy: string
  createdAt: Date
  endsAt: Date
  acceptedAt: Date | undefined
  revokedAt: Date | undefined
}

/** What an invited person sees before saying yes. */
export interface InvitationOffer {
  projectName: string
  role: Role
  invitedBy: string
  email: string | undefined
}

const lastsMs = 7 * 24 * 60 * 60_000

export const newInvitation = z.object({
  role: z.enum(roles, { error: `Choose one of ${roles.join(', ')}.` }),
  email: z.preprocess((given) => (given === '' ? undefined : given), email.optional()),
})

const gone = 'This invitation is no longer valid. Ask whoever sent it for a new one.'

export class Invitations {
  constructor(private readonly ground: { store: Store; world: World }) {}

  async list(projectId: number, viewer: Viewer): Promise<Invitation[]> {
    requireRight('members:read', projectId, viewer)
    return await openInvitations(this.ground.store, projectId, this.ground.world.now())
  }

  /** The token is shown once; the link carries it behind "#", where no server log sees it. */
  async create(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ invitation: Invitation; token: string }>> {
    requireRight('members:write', projectId, viewer)
    requireRecentPassword(viewer, this.ground.world.now())
    const parsed = parse(newInvitation, input)
    if (!parsed.done) return parsed
    const { role, email: address } = parsed.value
    requireEveryRightOf(role, projectId, viewer)
    if (address !== undefined && (await this.belongs(projectId, address))) {
      return undone('This person already belongs to the project.', 'email')
    }
    return await this.add(projectId, role, address, viewer)
  }

  async revoke(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('members:write', projectId, viewer)
    const now = this.ground.world.now()
    return await this.ground.store.transaction(async (transaction) => {
      const invitation = await findInvitation(transaction, { id })
      if (!invitation || invitation.projectId !== projectId || !isOpen(invitation, now)) return undone(gone)
      await closeInvitation(transaction, id, { revokedAt: now })
      await record(
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

  /** By somebody who is signed in already. */
  async accept(token: string, viewer: MemberViewer): Promise<Outcome<{ projectId: number }>> {
    const found = await this.byToken(token)
    if (!found) return undone(gone)
    const { invitation } = found
    if (invitation.email !== undefined && invitation.email !== viewer.email) {
      return undone(`This invitation is for ${invitation.email}. Sign in with that address to accept it.`)
    }
    const { projectId, role } = invitation
    // who belongs already keeps their role, and the link stays for whom it was meant
    if ((await rolesOf(this.ground.store, viewer.memberId)).has(projectId)) return { done: true, projectId }
    return await this.take(invitation, viewer, (source) =>
      setRole(source, projectId, viewer.memberId, role, this.ground.world.now()),
    )
  }

  /** By somebody new. */
  async acceptAsNew(
    token: string,
    input: unknown,
    origin: Origin,
  ): Promise<Outcome<{ projectId: number; member: Member }>> {
    const found = await this.byToken(token)
    if (!found) return undone(gone)
    const { invitation, project } = found
    const parsed = parse(newMember, input)
    if (!parsed.done) return parsed
    if (invitation.email !== undefined && invitation.email !== parsed.value.email) {
      return undone(`This invitation is for ${invitation.email}.`, 'email')
    }
    const now = this.ground.world.now()
    const id = newId(this.ground.world)
    const prepared = await prepareMember(parsed.value, { id, at: now, projectName: project.name })
    if (!prepared.done) return prepared
    return await this.takeAsNew(invitation, prepared, asViewer(prepared.member, origin, now))
  }

  private async takeAsNew(
    invitation: Invitation,
    prepared: { member: Member; hashed: string },
    viewer: MemberViewer,
  ): Promise<Outcome<{ projectId: number; member: Member }>> {
    const { member } = prepared
    const { projectId, role } = invitation
    try {
      const taken = await this.take(invitation, viewer, (source) =>
        join(source, prepared, { projectId, role, at: member.createdAt }),
      )
      return taken.done ? { ...taken, member } : taken
    } catch (problem) {
      if (isTaken(problem))
        return undone('This address already has an account. Sign in, then open the link again.', 'email')
      throw problem
    }
  }

  private async take(
    invitation: Invitation,
    viewer: MemberViewer,
    enter: (source: Pick<Store, 'tables'>) => Promise<void>,
  ): Promise<Outcome<{ projectId: number }>> {
    const { projectId, role } = invitation
    const now = this.ground.world.now()
    return await this.ground.store.transaction(async (transaction) => {
      // two people may have opened the same link: only the first one is in
      const fresh = await findInvitation(transaction, { id: invitation.id })
      if (!fresh || !isOpen(fresh, now)) return undone(gone)
      await enter(transaction)
      await closeInvitation(transaction, invitation.id, { acceptedAt: now })
      await transaction.announce('members')
      await record(
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
    const { store, world } = this.ground
    const now = world.now()
    const token = newToken(world)
    const invitation: Invitation = {
      id: newId(world),
      projectId,
      role,
      email: address,
      invitedBy: viewer.name,
      createdAt: now,
      endsAt: new Date(now.getTime() + lastsMs),
      acceptedAt: undefined,
      revokedAt: undefined,
    }
    await store.transaction(async (transaction) => {
      await addInvitation(transaction, invitation, fingerprint(token))
      const deed = {
        action: 'invitation.create',
        subject: subjectOf(invitation),
        projectId,
        after: { role },
      } as const
      await record(transaction, deed, viewer, now)
    })
    return { done: true, invitation, token }
  }

  private async belongs(projectId: number, address: string): Promise<boolean> {
    const memberships = await membershipsOf(this.ground.store, projectId)
    return memberships.some(({ member }) => member.email === address)
  }

  /** While it is open and there is something to join: an archived project takes nobody in. */
  private async byToken(token: string): Promise<{ invitation: Invitation; project: Project } | undefined> {
    const invitation = await findInvitation(this.ground.store, { tokenHash: fingerprint(token) })
    if (!invitation || !isOpen(invitation, this.ground.world.now())) return undefined
    const projects = await allProjects(this.ground.store)
    const project = projects.find(({ id }) => id === invitation.projectId)
    return project && !project.archivedAt ? { invitation, project } : undefined
  }
}

const isOpen = ({ acceptedAt, revokedAt, endsAt }: Invitation, now: Date): boolean =>
  !acceptedAt && !revokedAt && endsAt > now

const subjectOf = ({ email: address, role }: Invitation): string =>
  address ?? `anybody with the link, as ${role}`
