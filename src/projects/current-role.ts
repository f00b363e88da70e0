import type { TableSource } from '#store/store'
import type { Role } from './access'
import { closedProjects, secondFactorRules } from './internal/sign-in-rules'
import { findMember, membershipIn } from './internal/stored-members'
import type { Member } from './members'

/** A consent that a member gave in a session of the studio. */
interface MemberConsent {
  memberId: string
  projectId: number
  hasSecondFactor: boolean
  createdAt: Date
}

/**
 * Returns the member and their role in the project at this moment; undefined if they left since they consented, or the
 * project now requires a second factor that the session did not have.
 */
export async function currentRole(
  source: TableSource,
  { memberId, projectId, hasSecondFactor, createdAt }: MemberConsent,
): Promise<{ member: Member; role: Role } | undefined> {
  const membership = await membershipIn(source, projectId, memberId)
  // who was removed and joined once more has not consented since
  if (!membership || membership.createdAt > createdAt) return undefined
  const { role } = membership
  const roles = new Map([[projectId, role]])
  if (closedProjects({ hasSecondFactor }, roles, await secondFactorRules(source)).has(projectId))
    return undefined
  const member = await findMember(source, { id: memberId })
  return member && { member, role }
}

/** Whether the session of a member has used a second factor. */
export { sessionHasSecondFactor } from './internal/stored-sessions'
