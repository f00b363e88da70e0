import type { TableSource } from '#store/store'
import { openTables, rowOf } from '#store/tables'
import { connectionPaths, signInMethods } from '../session-proof'
import type { MemberSession } from './sessions'

/** A later version may know other methods and paths. */
type SessionRow = Omit<MemberSession, 'method' | 'via'> & { method: string; via: string }

const open = openTables<{ sessions: SessionRow & { tokenHash: string } }>()
const columns = [
  'id',
  'memberId',
  'client',
  'address',
  'createdAt',
  'seenAt',
  'authenticatedAt',
  'endsAt',
  'method',
  'hasSecondFactor',
  'via',
] as const

const toSession = (row: SessionRow): MemberSession => ({
  ...row,
  method: signInMethods.find((method) => method === row.method) ?? 'password',
  via: connectionPaths.find((path) => path === row.via) ?? 'direct',
})

export async function addSession(
  source: TableSource,
  session: MemberSession,
  tokenHash: string,
): Promise<void> {
  await open(source)
    .insertInto('sessions')
    .values({ ...rowOf(columns, session), tokenHash })
    .execute()
}

export async function findSession(
  source: TableSource,
  tokenHash: string,
): Promise<MemberSession | undefined> {
  const row = await open(source)
    .selectFrom('sessions')
    .select(columns)
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst()
  return row && toSession(row)
}

export async function sessionsOf(source: TableSource, memberId: string): Promise<MemberSession[]> {
  const rows = await open(source)
    .selectFrom('sessions')
    .select(columns)
    .where('memberId', '=', memberId)
    .orderBy('seenAt', 'desc')
    .execute()
  return rows.map(toSession)
}

export async function touchSession(
  source: TableSource,
  id: string,
  times: { seenAt: Date; authenticatedAt?: Date },
): Promise<void> {
  await open(source).updateTable('sessions').set(times).where('id', '=', id).execute()
}

export async function endSessions(
  source: TableSource,
  memberId: string,
  which: { only?: string; except?: string },
): Promise<void> {
  let ending = open(source).deleteFrom('sessions').where('memberId', '=', memberId)
  if (which.only !== undefined) ending = ending.where('id', '=', which.only)
  if (which.except !== undefined) ending = ending.where('id', '!=', which.except)
  await ending.execute()
}

export async function removeOldSessions(
  source: TableSource,
  endedBefore: Date,
  seenBefore: Date,
): Promise<void> {
  await open(source)
    .deleteFrom('sessions')
    .where((row) => row.or([row('endsAt', '<', endedBefore), row('seenAt', '<', seenBefore)]))
    .execute()
}

export async function sessionHasSecondFactor(source: TableSource, id: string): Promise<boolean> {
  const row = await open(source)
    .selectFrom('sessions')
    .select('hasSecondFactor')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.hasSecondFactor ?? false
}

export async function markSecondFactor(source: TableSource, sessionId: string): Promise<void> {
  await open(source)
    .updateTable('sessions')
    .set({ hasSecondFactor: true })
    .where('id', '=', sessionId)
    .execute()
}
