import type { TableSource } from '#store/store'
import { openTables } from '#store/tables'
import { isRole, type Role } from '../access'
import type { Member, Membership } from '../members'

interface MemberTables {
  members: Member & { passwordHash: string }
  /** A later version may know other roles. */
  memberships: { projectId: number; memberId: string; role: string; createdAt: Date }
}

const open = openTables<MemberTables>()

export async function hasMembers(source: TableSource): Promise<boolean> {
  return (await open(source).selectFrom('members').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function findMember(
  source: TableSource,
  by: { id: string } | { email: string },
): Promise<Member | undefined> {
  const query = open(source).selectFrom('members').select(['id', 'email', 'name', 'createdAt'])
  return await (
    'id' in by ? query.where('id', '=', by.id) : query.where('email', '=', by.email)
  ).executeTakeFirst()
}

export async function passwordHashOf(source: TableSource, memberId: string): Promise<string | undefined> {
  const row = await open(source)
    .selectFrom('members')
    .select('passwordHash')
    .where('id', '=', memberId)
    .executeTakeFirst()
  return row?.passwordHash
}

export async function addMember(
  source: TableSource,
  { id, email, name, createdAt }: Member,
  passwordHash: string,
): Promise<void> {
  await open(source).insertInto('members').values({ id, email, name, passwordHash, createdAt }).execute()
}

export async function saveMember(source: TableSource, { id, email, name }: Member): Promise<void> {
  await open(source).updateTable('members').set({ email, name }).where('id', '=', id).execute()
}

export async function savePasswordHash(
  source: TableSource,
  memberId: string,
  passwordHash: string,
): Promise<void> {
  await open(source).updateTable('members').set({ passwordHash }).where('id', '=', memberId).execute()
}

/** The displayed role if this version does not know it; it has no rights, see `rolesOf`. */
export const toRole = (role: string): Role => (isRole(role) ? role : 'viewer')

export async function rolesOf(source: TableSource, memberId: string): Promise<Map<number, Role>> {
  const rows = await open(source)
    .selectFrom('memberships')
    .select(['projectId', 'role'])
    .where('memberId', '=', memberId)
    .execute()
  return new Map(rows.flatMap(({ projectId, role }) => (isRole(role) ? [[projectId, role]] : [])))
}

/** Undefined also for a role that only a later version knows. */
export async function membershipIn(
  source: TableSource,
  projectId: number,
  memberId: string,
): Promise<{ role: Role; createdAt: Date } | undefined> {
  const row = await open(source)
    .selectFrom('memberships')
    .select(['role', 'createdAt'])
    .where('projectId', '=', projectId)
    .where('memberId', '=', memberId)
    .executeTakeFirst()
  return row && isRole(row.role) ? { role: row.role, createdAt: row.createdAt } : undefined
}

export async function membershipsOf(source: TableSource, projectId: number): Promise<Membership[]> {
  const rows = await open(source)
    .selectFrom('memberships')
    .innerJoin('members', 'members.id', 'memberships.memberId')
    .select(['members.id', 'email', 'name', 'role', 'members.createdAt', 'memberships.createdAt as joinedAt'])
    .where('projectId', '=', projectId)
    .orderBy('name')
    .execute()
  return rows.map(({ role, joinedAt, ...member }) => ({ member, role: toRole(role), joinedAt }))
}

export async function findProjectMembers(source: TableSource, projectId: number): Promise<string[]> {
  const rows = await open(source)
    .selectFrom('memberships')
    .select('memberId')
    .where('projectId', '=', projectId)
    .execute()
  return rows.map((row) => row.memberId)
}

export async function setRole(
  source: TableSource,
  projectId: number,
  memberId: string,
  role: Role,
  at: Date,
): Promise<void> {
  await open(source)
    .insertInto('memberships')
    .values({ projectId, memberId, role, createdAt: at })
    .onConflict((conflict) => conflict.columns(['projectId', 'memberId']).doUpdateSet({ role }))
    .execute()
}

export async function removeMembership(
  source: TableSource,
  projectId: number,
  memberId: string,
): Promise<void> {
  await open(source)
    .deleteFrom('memberships')
    .where('projectId', '=', projectId)
    .where('memberId', '=', memberId)
    .execute()
}
