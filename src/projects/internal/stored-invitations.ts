import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import { isRole, type Role } from '../access'
import type { Invitation } from '../invitations'
import { toRole } from './stored-members'

type InvitationRow = Omit<Invitation, 'role'> & { role: string }

const open = openTables<{ invitations: RowsOf<InvitationRow & { tokenHash: string }> }>()
const columns = [
  'id',
  'projectId',
  'role',
  'email',
  'invitedBy',
  'createdAt',
  'endsAt',
  'acceptedAt',
  'revokedAt',
] as const

const toInvitation = (row: InvitationRow): Invitation => ({ ...row, role: toRole(row.role) })

const invitations = (source: TableSource) => open(source).selectFrom('invitations').select(columns)

const openAt = (source: TableSource, now: Date) =>
  invitations(source).where('acceptedAt', 'is', null).where('revokedAt', 'is', null).where('endsAt', '>', now)

export async function addInvitation(
  source: TableSource,
  invitation: Invitation,
  tokenHash: string,
): Promise<void> {
  await open(source)
    .insertInto('invitations')
    .values({ ...rowOf(columns, invitation), tokenHash })
    .execute()
}

export async function findInvitation(
  source: TableSource,
  by: { id: string } | { tokenHash: string },
): Promise<Invitation | undefined> {
  const query = invitations(source)
  const found = 'id' in by ? query.where('id', '=', by.id) : query.where('tokenHash', '=', by.tokenHash)
  const row = await found.executeTakeFirst()
  return row && toInvitation(row)
}

/** Returns invitations that are neither used, revoked nor expired. */
export async function openInvitations(
  source: TableSource,
  projectId: number,
  now: Date,
): Promise<Invitation[]> {
  const rows = await openAt(source, now)
    .where('projectId', '=', projectId)
    .orderBy('createdAt', 'desc')
    .execute()
  return rows.map(toInvitation)
}

/** Invitations that only this address may accept. */
export async function openInvitationsFor(
  source: TableSource,
  email: string,
  now: Date,
): Promise<{ id: string; projectId: number; role: Role }[]> {
  const rows = await openAt(source, now).where('email', '=', email).execute()
  return rows.flatMap(({ id, projectId, role }) => (isRole(role) ? [{ id, projectId, role }] : []))
}

export async function closeInvitation(
  source: TableSource,
  id: string,
  { acceptedAt, revokedAt }: { acceptedAt?: Date; revokedAt?: Date },
): Promise<void> {
  await open(source)
    .updateTable('invitations')
    .set({ acceptedAt: acceptedAt ?? null, revokedAt: revokedAt ?? null })
    .where('id', '=', id)
    .execute()
}
