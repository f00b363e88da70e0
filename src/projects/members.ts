import { z } from 'zod'
import type { Store, TableSource } from '#store/store'
import { isUniqueViolation } from '#store/store'
import type { World } from '#world/world'
import {
  type MemberViewer,
  requireEveryRightOf,
  requireRecentPassword,
  requireRight,
  type Role,
  roles,
  type Viewer,
} from './access'
import { recordAudit } from './audit'
import { hashPassword, passwordProblem } from './passwords'
import { nameFor } from './name'
import { type Outcome, parseInput, failedOutcome } from './problems'
import { removeKnownDevices } from './internal/known-devices'
import {
  addMember,
  findMember,
  membershipsOf,
  removeMembership,
  saveMember,
  savePasswordHash,
  setRole,
} from './internal/stored-members'
import { endSessions } from './internal/stored-sessions'

/** An account that signs in to Tilth. */
export interface Member {
  id: string
  email: string
  name: string
  createdAt: Date
}

/** A member's role in one project. */
export interface Membership {
  member: Member
  role: Role
  joinedAt: Date
}

export const email = z
  .string({ error: 'Give an e-mail address.' })
  .trim()
  .toLowerCase()
  .max(254, 'Use at most 254 characters for the address.')
  .pipe(z.email('This does not look like an e-mail address, such as ana@example.com.'))

export const memberName = nameFor('Give a name.')

export const newMember = z.object({
  email,
  name: memberName,
  password: z.string({ error: 'Choose a password.' }),
})
type NewMember = z.infer<typeof newMember>

const accountChanges = z.object({ name: memberName.optional(), email: email.optional() })
export const roleChange = z.object({ role: z.enum(roles, { error: `Choose one of ${roles.join(', ')}.` }) })
const passwordChange = z.object({ password: z.string({ error: 'Choose a new password.' }) })

/** Returns those of these ids that no member of the project has. */
export async function nonMembersAmong(
  source: TableSource,
  projectId: number,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const known = new Set((await membershipsOf(source, projectId)).map(({ member }) => member.id))
  return ids.filter((id) => !known.has(id))
}

export class Members {
  constructor(private readonly dependencies: { store: Store; world: World }) {}

  async list(projectId: number, viewer: Viewer): Promise<Membership[]> {
    requireRight('members:read', projectId, viewer)
    return await membershipsOf(this.dependencies.store, projectId)
  }

  async changeRole(projectId: number, memberId: string, input: unknown, viewer: Viewer): Promise<Outcome> {
    requireRight('members:write', projectId, viewer)
    const parsed = parseInput(roleChange, input)
    if (!parsed.done) return parsed
    return await this.changeMembership(projectId, memberId, parsed.value.role, viewer)
  }

  /** Removes a member. Members may remove themselves without the right to manage others. */
  async remove(projectId: number, memberId: string, viewer: Viewer): Promise<Outcome> {
    return await this.changeMembership(projectId, memberId, undefined, viewer)
  }

  async changeAccount(input: unknown, viewer: MemberViewer): Promise<Outcome> {
    const parsed = parseInput(accountChanges, input)
    if (!parsed.done) return parsed
    if (parsed.value.email !== undefined) requireRecentPassword(viewer, this.dependencies.world.now())
    try {
      await this.dependencies.store.transaction(async (transaction) => {
        const before = await findMember(transaction, { id: viewer.memberId })
        if (!before) return
        const { name = before.name, email: address = before.email } = parsed.value
        const after = { ...before, name, email: address }
        await saveMember(transaction, after)
        await recordAudit(
          transaction,
          {
            action: 'member.change',
            subject: after.email,
            before: displayName(before),
            after: displayName(after),
          },
          viewer,
          this.dependencies.world.now(),
        )
      })
      return { done: true }
    } catch (problem) {
      if (isUniqueViolation(problem))
        return failedOutcome('Another member already uses this e-mail address.', 'email')
      throw problem
    }
  }

  /** Ends every session but this one, so that the old password no longer gives access. */
  async changePassword(input: unknown, viewer: MemberViewer): Promise<Outcome> {
    requireRecentPassword(viewer, this.dependencies.world.now())
    return await this.setPassword(viewer, input, viewer, { except: viewer.sessionId })
  }

  /** Sets a new password from the command line, for a member who cannot sign in. */
  async resetPassword(address: string, input: unknown, viewer: Viewer): Promise<Outcome> {
    if (viewer.kind !== 'operator')
      return failedOutcome('Passwords are reset on the machine itself, with "tilth member".')
    const member = await findMember(this.dependencies.store, { email: address.trim().toLowerCase() })
    if (!member) return failedOutcome(`No member has the address "${address}".`, 'email')
    return await this.setPassword(
      { memberId: member.id, email: member.email, name: member.name },
      input,
      viewer,
      {},
    )
  }

  private async setPassword(
    account: Pick<MemberViewer, 'memberId' | 'email' | 'name'>,
    input: unknown,
    viewer: Viewer,
    sessions: { except?: string },
  ): Promise<Outcome> {
    const parsed = parseInput(passwordChange, input)
    if (!parsed.done) return parsed
    const problem = await passwordProblem(parsed.value.password, [account.email, account.name])
    if (problem) return { done: false, problems: [problem] }
    const hashed = await hashPassword(parsed.value.password)
    await this.dependencies.store.transaction(async (transaction) => {
      await savePasswordHash(transaction, account.memberId, hashed)
      await endSessions(transaction, account.memberId, sessions)
      await removeKnownDevices(transaction, { memberId: account.memberId, beyond: 0 })
      await transaction.announce('sessions')
      await recordAudit(
        transaction,
        { action: 'member.password', subject: account.email },
        viewer,
        this.dependencies.world.now(),
      )
    })
    return { done: true }
  }

  /** An undefined `role` removes the member from the project. */
  private async changeMembership(
    projectId: number,
    memberId: string,
    role: Role | undefined,
    viewer: Viewer,
  ): Promise<Outcome> {
    const leaving = viewer.kind === 'member' && viewer.memberId === memberId && role === undefined
    requireRight(leaving ? 'project:read' : 'members:write', projectId, viewer)
    if (!leaving) requireRecentPassword(viewer, this.dependencies.world.now())
    return await this.dependencies.store.transaction(async (transaction) => {
      const all = await membershipsOf(transaction, projectId)
      const current = all.find(({ member }) => member.id === memberId)
      if (!current) return failedOutcome('This member does not belong to the project any more.')
      if (!leaving) requireOwnerForOwners(current.role, role, projectId, viewer)
      if (isLastOwner(current, role, all)) {
        return failedOutcome('A project needs an owner. Make another member an owner first.', 'role')
      }
      await (role
        ? setRole(transaction, projectId, memberId, role, this.dependencies.world.now())
        : removeMembership(transaction, projectId, memberId))
      await transaction.announce('members')
      await recordAudit(
        transaction,
        roleAuditRecord(projectId, current, role),
        viewer,
        this.dependencies.world.now(),
      )
      return { done: true }
    })
  }
}

/** Only an owner may make a member an owner, or change an owner's role. */
function requireOwnerForOwners(
  before: Role,
  after: Role | undefined,
  projectId: number,
  viewer: Viewer,
): void {
  if (before === 'owner') requireRight('owners:write', projectId, viewer)
  if (after) requireEveryRightOf(after, projectId, viewer)
}

const isLastOwner = (current: Membership, role: Role | undefined, all: readonly Membership[]): boolean =>
  current.role === 'owner' && role !== 'owner' && all.filter((one) => one.role === 'owner').length === 1

const roleAuditRecord = (projectId: number, { member, role: before }: Membership, role: Role | undefined) =>
  role
    ? ({
        action: 'member.role',
        subject: member.email,
        projectId,
        before: { role: before },
        after: { role },
      } as const)
    : ({ action: 'member.remove', subject: member.email, projectId, before: { role: before } } as const)

const displayName = ({ email: address, name }: Member) => ({ email: address, name })

/** Validates a new account and its password, for set-up, accepted invitations and the command line. */
export async function prepareMember(
  input: NewMember,
  { id, at, projectName }: { id: string; at: Date; projectName: string },
): Promise<Outcome<{ member: Member; hashed: string }>> {
  const problem = await passwordProblem(input.password, [input.email, input.name, projectName])
  if (problem) return { done: false, problems: [problem] }
  const member: Member = { id, email: input.email, name: input.name, createdAt: at }
  return { done: true, member, hashed: await hashPassword(input.password) }
}

export async function addToProject(
  source: TableSource,
  { member, hashed }: { member: Member; hashed: string },
  membership: { projectId: number; role: Role; at: Date },
): Promise<void> {
  await addMember(source, member, hashed)
  await setRole(source, membership.projectId, member.id, membership.role, membership.at)
}
