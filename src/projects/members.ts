import { z } from 'zod'
import type { Store } from '../store/store'
import { isTaken } from '../store/store'
import type { World } from '../world/world'
import {
  type MemberViewer,
  requireEveryRightOf,
  requireRecentPassword,
  requireRight,
  type Role,
  roles,
  type Viewer,
} from './access'
import { record } from './audit'
import { hashPassword, weakness } from './passwords'
import { nameFor } from './name'
import { type Outcome, parse, undone } from './problems'
import {
  addMember,
  endSessions,
  findMember,
  membershipsOf,
  removeMembership,
  saveMember,
  savePasswordHash,
  setRole,
  type Source,
} from './store'

/** Somebody who signs in to Tilth. */
export interface Member {
  id: string
  email: string
  name: string
  createdAt: Date
}

/** A member's place in one project. */
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
export type NewMember = z.infer<typeof newMember>

const accountChanges = z.object({ name: memberName.optional(), email: email.optional() })
export const roleChange = z.object({ role: z.enum(roles, { error: `Choose one of ${roles.join(', ')}.` }) })
const passwordChange = z.object({ password: z.string({ error: 'Choose a new password.' }) })

export class Members {
  constructor(private readonly ground: { store: Store; world: World }) {}

  async list(projectId: number, viewer: Viewer): Promise<Membership[]> {
    requireRight('members:read', projectId, viewer)
    return await membershipsOf(this.ground.store, projectId)
  }

  async changeRole(projectId: number, memberId: string, input: unknown, viewer: Viewer): Promise<Outcome> {
    const parsed = parse(roleChange, input)
    if (!parsed.done) return parsed
    return await this.changeMembership(projectId, memberId, parsed.value.role, viewer)
  }

  /** Leaving is removing oneself, which needs nobody's leave. */
  async remove(projectId: number, memberId: string, viewer: Viewer): Promise<Outcome> {
    return await this.changeMembership(projectId, memberId, undefined, viewer)
  }

  async changeAccount(input: unknown, viewer: MemberViewer): Promise<Outcome> {
    const parsed = parse(accountChanges, input)
    if (!parsed.done) return parsed
    if (parsed.value.email !== undefined) requireRecentPassword(viewer, this.ground.world.now())
    try {
      await this.ground.store.transaction(async (transaction) => {
        const before = await findMember(transaction, { id: viewer.memberId })
        if (!before) return
        const { name = before.name, email: address = before.email } = parsed.value
        const after = { ...before, name, email: address }
        await saveMember(transaction, after)
        await record(
          transaction,
          { action: 'member.change', subject: after.email, before: named(before), after: named(after) },
          viewer,
          this.ground.world.now(),
        )
      })
      return { done: true }
    } catch (problem) {
      if (isTaken(problem)) return undone('Another member already uses this e-mail address.', 'email')
      throw problem
    }
  }

  /** Ends every session but this one: whoever knew the old password is out. */
  async changePassword(input: unknown, viewer: MemberViewer): Promise<Outcome> {
    requireRecentPassword(viewer, this.ground.world.now())
    return await this.setPassword(viewer, input, viewer, { except: viewer.sessionId })
  }

  /** By somebody at the machine, for a member who cannot get in. */
  async resetPassword(address: string, input: unknown, viewer: Viewer): Promise<Outcome> {
    if (viewer.kind !== 'operator')
      return undone('Passwords are reset on the machine itself, with "tilth member".')
    const member = await findMember(this.ground.store, { email: address.trim().toLowerCase() })
    if (!member) return undone(`No member has the address "${address}".`, 'email')
    return await this.setPassword(
      { memberId: member.id, email: member.email, name: member.name },
      input,
      viewer,
      {},
    )
  }

  private async setPassword(
    of: Pick<MemberViewer, 'memberId' | 'email' | 'name'>,
    input: unknown,
    viewer: Viewer,
    sessions: { except?: string },
  ): Promise<Outcome> {
    const parsed = parse(passwordChange, input)
    if (!parsed.done) return parsed
    const weak = await weakness(parsed.value.password, [of.email, of.name])
    if (weak) return { done: false, problems: [weak] }
    const hashed = await hashPassword(parsed.value.password)
    await this.ground.store.transaction(async (transaction) => {
      await savePasswordHash(transaction, of.memberId, hashed)
      await endSessions(transaction, of.memberId, sessions)
      await record(
        transaction,
        { action: 'member.password', subject: of.email },
        viewer,
        this.ground.world.now(),
      )
    })
    return { done: true }
  }

  /** `role` undefined takes the member out of the project. */
  private async changeMembership(
    projectId: number,
    memberId: string,
    role: Role | undefined,
    viewer: Viewer,
  ): Promise<Outcome> {
    const leaving = viewer.kind === 'member' && viewer.memberId === memberId && role === undefined
    requireRight(leaving ? 'project:read' : 'members:write', projectId, viewer)
    if (!leaving) requireRecentPassword(viewer, this.ground.world.now())
    return await this.ground.store.transaction(async (transaction) => {
      const all = await membershipsOf(transaction, projectId)
      const current = all.find(({ member }) => member.id === memberId)
      if (!current) return undone('This member does not belong to the project any more.')
      if (!leaving) requireSay(current.role, role, projectId, viewer)
      if (isLastOwner(current, role, all)) {
        return undone('A project needs an owner. Make somebody else an owner first.', 'role')
      }
      await (role
        ? setRole(transaction, projectId, memberId, role, this.ground.world.now())
        : removeMembership(transaction, projectId, memberId))
      await transaction.announce('members')
      await record(transaction, roleDeed(projectId, current, role), viewer, this.ground.world.now())
      return { done: true }
    })
  }
}

/** Only an owner has a say about owners: who becomes one and who stops being one. */
function requireSay(from: Role, to: Role | undefined, projectId: number, viewer: Viewer): void {
  if (from === 'owner') requireRight('owners:write', projectId, viewer)
  if (to) requireEveryRightOf(to, projectId, viewer)
}

const isLastOwner = (current: Membership, role: Role | undefined, all: readonly Membership[]): boolean =>
  current.role === 'owner' && role !== 'owner' && all.filter((one) => one.role === 'owner').length === 1

const roleDeed = (projectId: number, { member, role: before }: Membership, role: Role | undefined) =>
  role
    ? ({
        action: 'member.role',
        subject: member.email,
        projectId,
        before: { role: before },
        after: { role },
      } as const)
    : ({ action: 'member.remove', subject: member.email, projectId, before: { role: before } } as const)

const named = ({ email: address, name }: Member) => ({ email: address, name })

/** Part of set-up, of an accepted invitation and of the command line: a new account, if its password will do. */
export async function prepareMember(
  input: NewMember,
  { id, at, projectName }: { id: string; at: Date; projectName: string },
): Promise<Outcome<{ member: Member; hashed: string }>> {
  const weak = await weakness(input.password, [input.email, input.name, projectName])
  if (weak) return { done: false, problems: [weak] }
  const member: Member = { id, email: input.email, name: input.name, createdAt: at }
  return { done: true, member, hashed: await hashPassword(input.password) }
}

export async function join(
  source: Source,
  { member, hashed }: { member: Member; hashed: string },
  place: { projectId: number; role: Role; at: Date },
): Promise<void> {
  await addMember(source, member, hashed)
  await setRole(source, place.projectId, member.id, place.role, place.at)
}
