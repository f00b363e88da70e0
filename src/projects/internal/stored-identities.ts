import type { TableSource } from '#store/store'
import { openTables } from '#store/tables'

interface IdentityTables {
  identities: {
    issuer: string
    subject: string
    memberId: string
    email: string
    createdAt: Date
    seenAt: Date
  }
  groupMemberships: { memberId: string; projectId: number }
}

const open = openTables<IdentityTables>()

export async function memberOfIdentity(
  source: TableSource,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<string | undefined> {
  const row = await open(source)
    .selectFrom('identities')
    .select('memberId')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.memberId
}

export async function hasIdentity(source: TableSource, issuer: string, memberId: string): Promise<boolean> {
  const row = await open(source)
    .selectFrom('identities')
    .select('subject')
    .where('issuer', '=', issuer)
    .where('memberId', '=', memberId)
    .executeTakeFirst()
  return row !== undefined
}

export async function saveIdentity(
  source: TableSource,
  identity: { issuer: string; subject: string; memberId: string; email: string; at: Date },
): Promise<void> {
  const { issuer, subject, memberId, email } = identity
  const changes = { email, seenAt: identity.at }
  await open(source)
    .insertInto('identities')
    .values({ issuer, subject, memberId, createdAt: identity.at, ...changes })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doUpdateSet(changes))
    .execute()
}

export async function groupProjectsOf(source: TableSource, memberId: string): Promise<number[]> {
  const rows = await open(source)
    .selectFrom('groupMemberships')
    .select('projectId')
    .where('memberId', '=', memberId)
    .execute()
  return rows.map(({ projectId }) => projectId)
}

export async function replaceGroupProjects(
  source: TableSource,
  memberId: string,
  projectIds: readonly number[],
): Promise<void> {
  await open(source).deleteFrom('groupMemberships').where('memberId', '=', memberId).execute()
  if (projectIds.length === 0) return
  const rows = projectIds.map((projectId) => ({ memberId, projectId }))
  await open(source).insertInto('groupMemberships').values(rows).execute()
}
