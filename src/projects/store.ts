import type { Selectable } from 'kysely'
import type { Store } from '#store/store'
import { isRight, isRole, type RequestOrigin, type Right, type Role } from './access'
import type { AuditEntry, AuditPage, NewAuditEntry } from './audit'
import type { Invitation } from './invitations'
import type { SecretKey } from './keys'
import type { Member, Membership } from './members'
import type { Project } from './project'
import { auditChainHash } from './secrets'
import { connectionPaths, signInMethods } from './session-proof'
import type { MemberSession } from './sessions'

interface ProjectTables {
  projects: {
    id: number
    slug: string
    name: string
    time_zone: string
    write_key: string
    hosts: string
    aliases: string
    intake: string
    answers: string
    created_at: string
    archived_at: string | null
  }
  members: { id: string; email: string; name: string; password_hash: string; created_at: string }
  memberships: { project_id: number; member_id: string; role: string; created_at: string }
  sessions: {
    id: string
    token_hash: string
    member_id: string
    client: string
    address: string
    created_at: string
    seen_at: string
    authenticated_at: string
    ends_at: string
    method: string
    has_second_factor: number
    via: string
  }
  invitations: {
    id: string
    token_hash: string
    project_id: number
    role: string
    email: string | null
    invited_by: string
    created_at: string
    ends_at: string
    accepted_at: string | null
    revoked_at: string | null
  }
  secret_keys: {
    id: string
    hash: string
    project_id: number
    name: string
    last_four: string
    scopes: string
    created_by: string
    created_at: string
    ends_at: string | null
    used_at: string | null
    revoked_at: string | null
  }
  audit: {
    sequence: number
    at: string
    project_id: number | null
    action: string
    subject: string
    actor_kind: string
    actor_id: string
    actor_name: string
    origin: string
    before: string | null
    after: string | null
    previous_hash: string
    hash: string
    emptied_at: string | null
  }
  throttles: { bucket: string; failures: number; failed_at: string }
  setup_codes: { hash: string; ends_at: string }
}

/** The store, or a transaction in it. */
export type ProjectTableSource = Pick<Store, 'tables'>

const open = (source: ProjectTableSource) => source.tables<ProjectTables>()
const toText = (at: Date): string => at.toISOString()
const toDate = (at: string): Date => new Date(at)
const toTextOrNull = (at: Date | undefined): string | null => (at ? toText(at) : null)
const toDateOrUndefined = (at: string | null): Date | undefined => (at === null ? undefined : toDate(at))

const toProject = (row: Selectable<ProjectTables['projects']>): Project => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  timeZone: row.time_zone,
  writeKey: row.write_key,
  hosts: JSON.parse(row.hosts) as string[], // only `fromProject` writes these four
  aliases: JSON.parse(row.aliases) as string[],
  intake: JSON.parse(row.intake) as Project['intake'],
  answers: JSON.parse(row.answers) as Project['answers'],
  createdAt: toDate(row.created_at),
  archivedAt: toDateOrUndefined(row.archived_at),
})

const fromProject = (project: Project): ProjectTables['projects'] => ({
  id: project.id,
  slug: project.slug,
  name: project.name,
  time_zone: project.timeZone,
  write_key: project.writeKey,
  hosts: JSON.stringify(project.hosts),
  aliases: JSON.stringify(project.aliases),
  intake: JSON.stringify(project.intake),
  answers: JSON.stringify(project.answers),
  created_at: toText(project.createdAt),
  archived_at: toTextOrNull(project.archivedAt),
})

export async function allProjects(source: ProjectTableSource): Promise<Project[]> {
  const rows = await open(source).selectFrom('projects').selectAll().orderBy('id').execute()
  return rows.map(toProject)
}

/** Project numbers are never reused: an archived project keeps its row and its events. */
export async function addProject(source: ProjectTableSource, project: Omit<Project, 'id'>): Promise<Project> {
  const top = await open(source)
    .selectFrom('projects')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  const added = { id: (top?.id ?? 0) + 1, ...project }
  await open(source).insertInto('projects').values(fromProject(added)).execute()
  return added
}

export async function saveProject(source: ProjectTableSource, project: Project): Promise<void> {
  const { id, ...columns } = fromProject(project)
  await open(source).updateTable('projects').set(columns).where('id', '=', id).execute()
}

const toMember = (row: Selectable<ProjectTables['members']>): Member => ({
  id: row.id,
  email: row.email,
  name: row.name,
  createdAt: toDate(row.created_at),
})

export async function hasMembers(source: ProjectTableSource): Promise<boolean> {
  return (await open(source).selectFrom('members').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function findMember(
  source: ProjectTableSource,
  by: { id: string } | { email: string },
): Promise<Member | undefined> {
  const query = open(source).selectFrom('members').selectAll()
  const row = await (
    'id' in by ? query.where('id', '=', by.id) : query.where('email', '=', by.email)
  ).executeTakeFirst()
  return row && toMember(row)
}

export async function passwordHashOf(
  source: ProjectTableSource,
  memberId: string,
): Promise<string | undefined> {
  const row = await open(source)
    .selectFrom('members')
    .select('password_hash')
    .where('id', '=', memberId)
    .executeTakeFirst()
  return row?.password_hash
}

export async function addMember(
  source: ProjectTableSource,
  member: Member,
  passwordHash: string,
): Promise<void> {
  const { id, email, name } = member
  await open(source)
    .insertInto('members')
    .values({ id, email, name, password_hash: passwordHash, created_at: toText(member.createdAt) })
    .execute()
}

export async function saveMember(source: ProjectTableSource, { id, email, name }: Member): Promise<void> {
  await open(source).updateTable('members').set({ email, name }).where('id', '=', id).execute()
}

export async function savePasswordHash(
  source: ProjectTableSource,
  memberId: string,
  passwordHash: string,
): Promise<void> {
  await open(source)
    .updateTable('members')
    .set({ password_hash: passwordHash })
    .where('id', '=', memberId)
    .execute()
}

/** The displayed role if this version does not know it; it has no rights, see `rolesOf`. */
const toRole = (role: string): Role => (isRole(role) ? role : 'viewer')

export async function rolesOf(source: ProjectTableSource, memberId: string): Promise<Map<number, Role>> {
  const rows = await open(source)
    .selectFrom('memberships')
    .select(['project_id', 'role'])
    .where('member_id', '=', memberId)
    .execute()
  return new Map(rows.flatMap(({ project_id, role }) => (isRole(role) ? [[project_id, role]] : [])))
}

export async function membershipsOf(source: ProjectTableSource, projectId: number): Promise<Membership[]> {
  const rows = await open(source)
    .selectFrom('memberships')
    .innerJoin('members', 'members.id', 'memberships.member_id')
    .select([
      'members.id',
      'email',
      'name',
      'role',
      'members.created_at',
      'memberships.created_at as joined_at',
    ])
    .where('project_id', '=', projectId)
    .orderBy('name')
    .execute()
  return rows.map((row) => ({
    member: toMember({ ...row, password_hash: '' }),
    role: toRole(row.role),
    joinedAt: toDate(row.joined_at),
  }))
}

export async function setRole(
  source: ProjectTableSource,
  projectId: number,
  memberId: string,
  role: Role,
  at: Date,
): Promise<void> {
  await open(source)
    .insertInto('memberships')
    .values({ project_id: projectId, member_id: memberId, role, created_at: toText(at) })
    .onConflict((conflict) => conflict.columns(['project_id', 'member_id']).doUpdateSet({ role }))
    .execute()
}

export async function removeMembership(
  source: ProjectTableSource,
  projectId: number,
  memberId: string,
): Promise<void> {
  await open(source)
    .deleteFrom('memberships')
    .where('project_id', '=', projectId)
    .where('member_id', '=', memberId)
    .execute()
}

const toSession = (row: Selectable<ProjectTables['sessions']>): MemberSession => ({
  id: row.id,
  memberId: row.member_id,
  client: row.client,
  address: row.address,
  createdAt: toDate(row.created_at),
  seenAt: toDate(row.seen_at),
  authenticatedAt: toDate(row.authenticated_at),
  endsAt: toDate(row.ends_at),
  method: signInMethods.find((method) => method === row.method) ?? 'password',
  hasSecondFactor: row.has_second_factor === 1,
  via: connectionPaths.find((passage) => passage === row.via) ?? 'direct',
})

export async function addSession(
  source: ProjectTableSource,
  session: MemberSession,
  tokenHash: string,
): Promise<void> {
  await open(source)
    .insertInto('sessions')
    .values({
      id: session.id,
      token_hash: tokenHash,
      member_id: session.memberId,
      client: session.client,
      address: session.address,
      created_at: toText(session.createdAt),
      seen_at: toText(session.seenAt),
      authenticated_at: toText(session.authenticatedAt),
      ends_at: toText(session.endsAt),
      method: session.method,
      has_second_factor: session.hasSecondFactor ? 1 : 0,
      via: session.via,
    })
    .execute()
}

export async function findSession(
  source: ProjectTableSource,
  tokenHash: string,
): Promise<MemberSession | undefined> {
  const row = await open(source)
    .selectFrom('sessions')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row && toSession(row)
}

export async function sessionsOf(source: ProjectTableSource, memberId: string): Promise<MemberSession[]> {
  const rows = await open(source)
    .selectFrom('sessions')
    .selectAll()
    .where('member_id', '=', memberId)
    .orderBy('seen_at', 'desc')
    .execute()
  return rows.map(toSession)
}

export async function touchSession(
  source: ProjectTableSource,
  id: string,
  times: { seenAt: Date; authenticatedAt?: Date },
): Promise<void> {
  const authenticated = times.authenticatedAt ? { authenticated_at: toText(times.authenticatedAt) } : {}
  await open(source)
    .updateTable('sessions')
    .set({ seen_at: toText(times.seenAt), ...authenticated })
    .where('id', '=', id)
    .execute()
}

export async function endSessions(
  source: ProjectTableSource,
  memberId: string,
  which: { only?: string; except?: string },
): Promise<void> {
  let ending = open(source).deleteFrom('sessions').where('member_id', '=', memberId)
  if (which.only !== undefined) ending = ending.where('id', '=', which.only)
  if (which.except !== undefined) ending = ending.where('id', '!=', which.except)
  await ending.execute()
}

export async function removeOldSessions(
  source: ProjectTableSource,
  endedBefore: Date,
  seenBefore: Date,
): Promise<void> {
  await open(source)
    .deleteFrom('sessions')
    .where((row) =>
      row.or([row('ends_at', '<', toText(endedBefore)), row('seen_at', '<', toText(seenBefore))]),
    )
    .execute()
}

const toInvitation = (row: Selectable<ProjectTables['invitations']>): Invitation => ({
  id: row.id,
  projectId: row.project_id,
  role: toRole(row.role),
  email: row.email ?? undefined,
  invitedBy: row.invited_by,
  createdAt: toDate(row.created_at),
  endsAt: toDate(row.ends_at),
  acceptedAt: toDateOrUndefined(row.accepted_at),
  revokedAt: toDateOrUndefined(row.revoked_at),
})

export async function addInvitation(
  source: ProjectTableSource,
  invitation: Invitation,
  tokenHash: string,
): Promise<void> {
  await open(source)
    .insertInto('invitations')
    .values({
      id: invitation.id,
      token_hash: tokenHash,
      project_id: invitation.projectId,
      role: invitation.role,
      email: invitation.email ?? null,
      invited_by: invitation.invitedBy,
      created_at: toText(invitation.createdAt),
      ends_at: toText(invitation.endsAt),
      accepted_at: null,
      revoked_at: null,
    })
    .execute()
}

export async function findInvitation(
  source: ProjectTableSource,
  by: { id: string } | { tokenHash: string },
): Promise<Invitation | undefined> {
  const query = open(source).selectFrom('invitations').selectAll()
  const found = 'id' in by ? query.where('id', '=', by.id) : query.where('token_hash', '=', by.tokenHash)
  const row = await found.executeTakeFirst()
  return row && toInvitation(row)
}

/** Returns invitations that are neither used, revoked nor expired. */
export async function openInvitations(
  source: ProjectTableSource,
  projectId: number,
  now: Date,
): Promise<Invitation[]> {
  const rows = await open(source)
    .selectFrom('invitations')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('ends_at', '>', toText(now))
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map(toInvitation)
}

export async function closeInvitation(
  source: ProjectTableSource,
  id: string,
  how: { acceptedAt?: Date; revokedAt?: Date },
): Promise<void> {
  await open(source)
    .updateTable('invitations')
    .set({ accepted_at: toTextOrNull(how.acceptedAt), revoked_at: toTextOrNull(how.revokedAt) })
    .where('id', '=', id)
    .execute()
}

const everyScope = '*'

const toSecretKey = (row: Selectable<ProjectTables['secret_keys']>): SecretKey => ({
  id: row.id,
  projectId: row.project_id,
  name: row.name,
  lastFour: row.last_four,
  scopes: row.scopes === everyScope ? 'every' : row.scopes.split(' ').filter(isRight),
  createdBy: row.created_by,
  createdAt: toDate(row.created_at),
  endsAt: toDateOrUndefined(row.ends_at),
  usedAt: toDateOrUndefined(row.used_at),
  revokedAt: toDateOrUndefined(row.revoked_at),
})

const fromScopes = (scopes: readonly Right[] | 'every'): string =>
  scopes === 'every' ? everyScope : scopes.join(' ')

export async function addSecretKey(source: ProjectTableSource, key: SecretKey, hash: string): Promise<void> {
  await open(source)
    .insertInto('secret_keys')
    .values({
      id: key.id,
      hash,
      project_id: key.projectId,
      name: key.name,
      last_four: key.lastFour,
      scopes: fromScopes(key.scopes),
      created_by: key.createdBy,
      created_at: toText(key.createdAt),
      ends_at: toTextOrNull(key.endsAt),
      used_at: null,
      revoked_at: null,
    })
    .execute()
}

export async function findSecretKey(
  source: ProjectTableSource,
  by: { id: string } | { hash: string },
): Promise<SecretKey | undefined> {
  const query = open(source).selectFrom('secret_keys').selectAll()
  const row = await (
    'id' in by ? query.where('id', '=', by.id) : query.where('hash', '=', by.hash)
  ).executeTakeFirst()
  return row && toSecretKey(row)
}

export async function secretKeysOf(source: ProjectTableSource, projectId: number): Promise<SecretKey[]> {
  const rows = await open(source)
    .selectFrom('secret_keys')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map(toSecretKey)
}

export async function markKey(
  source: ProjectTableSource,
  id: string,
  marks: { usedAt?: Date; revokedAt?: Date },
): Promise<void> {
  const used = marks.usedAt ? { used_at: toText(marks.usedAt) } : {}
  const revoked = marks.revokedAt ? { revoked_at: toText(marks.revokedAt) } : {}
  await open(source)
    .updateTable('secret_keys')
    .set({ ...used, ...revoked })
    .where('id', '=', id)
    .execute()
}

type AuditRow = Selectable<ProjectTables['audit']>

/** Call it inside the transaction of the change, so that a change and its entry always exist together. */
export async function appendAudit(source: ProjectTableSource, entry: NewAuditEntry): Promise<void> {
  const last = await open(source)
    .selectFrom('audit')
    .select(['sequence', 'hash'])
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  const row = auditRow(entry, last?.sequence ?? 0)
  const previous = last?.hash ?? ''
  await open(source)
    .insertInto('audit')
    .values({ ...row, previous_hash: previous, hash: auditChainHash(previous, chainTextOf(row)) })
    .execute()
}

type UnchainedAuditRow = Omit<AuditRow, 'hash' | 'previous_hash' | 'emptied_at'>

const auditRow = (entry: NewAuditEntry, last: number): UnchainedAuditRow => ({
  sequence: last + 1,
  at: toText(entry.at),
  project_id: entry.projectId ?? null,
  action: entry.action,
  subject: entry.subject,
  actor_kind: entry.actor.kind,
  actor_id: entry.actor.id,
  actor_name: entry.actor.name,
  origin: JSON.stringify(entry.origin),
  before: entry.before === undefined ? null : JSON.stringify(entry.before),
  after: entry.after === undefined ? null : JSON.stringify(entry.after),
})

/** All columns in a fixed order, so that the same entry always has the same hash. */
const chainTextOf = (row: UnchainedAuditRow): string =>
  JSON.stringify([
    row.sequence,
    row.at,
    row.project_id,
    row.action,
    row.subject,
    row.actor_kind,
    row.actor_id,
    row.actor_name,
    row.origin,
    row.before,
    row.after,
  ])

const toAuditEntry = (row: AuditRow): AuditEntry => ({
  sequence: row.sequence,
  at: toDate(row.at),
  projectId: row.project_id ?? undefined,
  action: row.action as AuditEntry['action'], // only `appendAudit` writes it, with this type
  subject: row.subject,
  actor: { kind: row.actor_kind as AuditEntry['actor']['kind'], id: row.actor_id, name: row.actor_name }, // only `appendAudit` writes it
  origin: JSON.parse(row.origin) as RequestOrigin, // only `appendAudit` writes it
  before: row.before === null ? undefined : JSON.parse(row.before),
  after: row.after === null ? undefined : JSON.parse(row.after),
})

export async function findProjectMembers(source: ProjectTableSource, projectId: number): Promise<string[]> {
  const rows = await open(source)
    .selectFrom('memberships')
    .select('member_id')
    .where('project_id', '=', projectId)
    .execute()
  return rows.map((row) => row.member_id)
}

/** Returns the project's entries, and those of its members that belong to no project, such as sign-ins. */
export async function auditOf(
  source: ProjectTableSource,
  projectId: number,
  people: readonly string[],
  page: AuditPage,
): Promise<AuditEntry[]> {
  let query = open(source)
    .selectFrom('audit')
    .selectAll()
    .where('emptied_at', 'is', null)
    .where((row) =>
      row.or([
        row('project_id', '=', projectId),
        row.and([
          row('project_id', 'is', null),
          row('actor_id', 'in', people.length > 0 ? [...people] : ['']),
        ]),
      ]),
    )
  if (page.before !== undefined) query = query.where('sequence', '<', page.before)
  if (page.action !== undefined) query = query.where('action', '=', page.action)
  if (page.actor !== undefined) query = query.where('actor_id', '=', page.actor)
  const rows = await query.orderBy('sequence', 'desc').limit(page.size).execute()
  return rows.map(toAuditEntry)
}

/**
 * Empties entries but keeps their places in the hash chain. Missing entries are still detected; the emptied texts
 * cannot be verified. Returns the number of emptied entries.
 */
export async function emptyAuditBefore(
  source: ProjectTableSource,
  projectId: number,
  boundary: Date,
  now: Date,
): Promise<number> {
  const empty = { subject: '', actor_id: '', actor_name: '', origin: '{}', before: null, after: null }
  const rows = await open(source)
    .updateTable('audit')
    .set({ ...empty, emptied_at: toText(now) })
    .where('project_id', '=', projectId)
    .where('at', '<', toText(boundary))
    .where('emptied_at', 'is', null)
    .returning('sequence')
    .execute()
  return rows.length
}

/** Returns the first entry whose hash does not match; undefined if the chain is intact. */
export async function brokenAuditLink(source: ProjectTableSource): Promise<number | undefined> {
  let previous = ''
  const rows = await open(source).selectFrom('audit').selectAll().orderBy('sequence').execute()
  for (const row of rows) {
    const isWhole = row.emptied_at !== null || row.hash === auditChainHash(previous, chainTextOf(row))
    if (row.previous_hash !== previous || !isWhole) return row.sequence
    previous = row.hash
  }
  return undefined
}

export interface GuessFailures {
  failures: number
  failedAt: Date
}

export async function findFailures(
  source: ProjectTableSource,
  buckets: readonly string[],
): Promise<Map<string, GuessFailures>> {
  const rows = await open(source).selectFrom('throttles').selectAll().where('bucket', 'in', buckets).execute()
  return new Map(rows.map((row) => [row.bucket, { failures: row.failures, failedAt: toDate(row.failed_at) }]))
}

export async function saveFailures(
  source: ProjectTableSource,
  bucket: string,
  { failures, failedAt }: GuessFailures,
): Promise<void> {
  await open(source)
    .insertInto('throttles')
    .values({ bucket, failures, failed_at: toText(failedAt) })
    .onConflict((conflict) =>
      conflict.column('bucket').doUpdateSet({ failures, failed_at: toText(failedAt) }),
    )
    .execute()
}

export async function removeFailures(
  source: ProjectTableSource,
  which: { buckets: readonly string[] } | { before: Date },
): Promise<void> {
  const forgetting = open(source).deleteFrom('throttles')
  await (
    'buckets' in which
      ? forgetting.where('bucket', 'in', which.buckets)
      : forgetting.where('failed_at', '<', toText(which.before))
  ).execute()
}

/** Adds a code. Codes of other starts stay valid until they expire. */
export async function addSetupCode(
  source: ProjectTableSource,
  hash: string,
  { now, endsAt }: { now: Date; endsAt: Date },
): Promise<void> {
  await open(source).deleteFrom('setup_codes').where('ends_at', '<=', toText(now)).execute()
  await open(source)
    .insertInto('setup_codes')
    .values({ hash, ends_at: toText(endsAt) })
    .execute()
}

export async function isSetupCode(source: ProjectTableSource, hash: string, now: Date): Promise<boolean> {
  const row = await open(source)
    .selectFrom('setup_codes')
    .select('hash')
    .where('hash', '=', hash)
    .where('ends_at', '>', toText(now))
    .executeTakeFirst()
  return row !== undefined
}

export async function removeSetupCodes(source: ProjectTableSource): Promise<void> {
  await open(source).deleteFrom('setup_codes').execute()
}
