import type { Selectable } from 'kysely'
import type { Store } from '../store/store'
import { isRight, isRole, type Origin, type Right, type Role } from './access'
import type { AuditEntry, AuditPage, NewAuditEntry } from './audit'
import type { Invitation } from './invitations'
import type { SecretKey } from './keys'
import type { Member, Membership } from './members'
import type { Project } from './project'
import { chained } from './secrets'
import type { Session } from './sessions'

interface Tables {
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
  }
  throttles: { bucket: string; failures: number; failed_at: string }
  setup_codes: { hash: string; ends_at: string }
}

/** The store itself or a transaction of it. */
export type Source = Pick<Store, 'tables'>

const open = (source: Source) => source.tables<Tables>()
const text = (at: Date): string => at.toISOString()
const date = (at: string): Date => new Date(at)
const maybeText = (at: Date | undefined): string | null => (at ? text(at) : null)
const maybeDate = (at: string | null): Date | undefined => (at === null ? undefined : date(at))

// ── projects ────────────────────────────────────────────────────────────────────────────────────────────────────────

const toProject = (row: Selectable<Tables['projects']>): Project => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  timeZone: row.time_zone,
  writeKey: row.write_key,
  hosts: JSON.parse(row.hosts) as string[], // these four are written by fromProject alone
  aliases: JSON.parse(row.aliases) as string[],
  intake: JSON.parse(row.intake) as Project['intake'],
  answers: JSON.parse(row.answers) as Project['answers'],
  createdAt: date(row.created_at),
  archivedAt: maybeDate(row.archived_at),
})

const fromProject = (project: Project): Tables['projects'] => ({
  id: project.id,
  slug: project.slug,
  name: project.name,
  time_zone: project.timeZone,
  write_key: project.writeKey,
  hosts: JSON.stringify(project.hosts),
  aliases: JSON.stringify(project.aliases),
  intake: JSON.stringify(project.intake),
  answers: JSON.stringify(project.answers),
  created_at: text(project.createdAt),
  archived_at: maybeText(project.archivedAt),
})

export async function allProjects(source: Source): Promise<Project[]> {
  const rows = await open(source).selectFrom('projects').selectAll().orderBy('id').execute()
  return rows.map(toProject)
}

/** Numbers are never used twice: an archived project keeps its row, and with it its events. */
export async function addProject(source: Source, project: Omit<Project, 'id'>): Promise<Project> {
  const top = await open(source)
    .selectFrom('projects')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  const added = { id: (top?.id ?? 0) + 1, ...project }
  await open(source).insertInto('projects').values(fromProject(added)).execute()
  return added
}

export async function saveProject(source: Source, project: Project): Promise<void> {
  const { id, ...columns } = fromProject(project)
  await open(source).updateTable('projects').set(columns).where('id', '=', id).execute()
}

// ── members ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const toMember = (row: Selectable<Tables['members']>): Member => ({
  id: row.id,
  email: row.email,
  name: row.name,
  createdAt: date(row.created_at),
})

export async function hasMembers(source: Source): Promise<boolean> {
  return (await open(source).selectFrom('members').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function findMember(
  source: Source,
  by: { id: string } | { email: string },
): Promise<Member | undefined> {
  const query = open(source).selectFrom('members').selectAll()
  const row = await (
    'id' in by ? query.where('id', '=', by.id) : query.where('email', '=', by.email)
  ).executeTakeFirst()
  return row && toMember(row)
}

export async function passwordHashOf(source: Source, memberId: string): Promise<string | undefined> {
  const row = await open(source)
    .selectFrom('members')
    .select('password_hash')
    .where('id', '=', memberId)
    .executeTakeFirst()
  return row?.password_hash
}

export async function addMember(source: Source, member: Member, passwordHash: string): Promise<void> {
  const { id, email, name } = member
  await open(source)
    .insertInto('members')
    .values({ id, email, name, password_hash: passwordHash, created_at: text(member.createdAt) })
    .execute()
}

export async function saveMember(source: Source, { id, email, name }: Member): Promise<void> {
  await open(source).updateTable('members').set({ email, name }).where('id', '=', id).execute()
}

export async function savePasswordHash(
  source: Source,
  memberId: string,
  passwordHash: string,
): Promise<void> {
  await open(source)
    .updateTable('members')
    .set({ password_hash: passwordHash })
    .where('id', '=', memberId)
    .execute()
}

// ── memberships ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** How a role that this version does not know is shown; it gives no rights, see `rolesOf`. */
const toRole = (role: string): Role => (isRole(role) ? role : 'viewer')

export async function rolesOf(source: Source, memberId: string): Promise<Map<number, Role>> {
  const rows = await open(source)
    .selectFrom('memberships')
    .select(['project_id', 'role'])
    .where('member_id', '=', memberId)
    .execute()
  return new Map(rows.flatMap(({ project_id, role }) => (isRole(role) ? [[project_id, role]] : [])))
}

export async function membershipsOf(source: Source, projectId: number): Promise<Membership[]> {
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
    joinedAt: date(row.joined_at),
  }))
}

export async function setRole(
  source: Source,
  projectId: number,
  memberId: string,
  role: Role,
  at: Date,
): Promise<void> {
  await open(source)
    .insertInto('memberships')
    .values({ project_id: projectId, member_id: memberId, role, created_at: text(at) })
    .onConflict((conflict) => conflict.columns(['project_id', 'member_id']).doUpdateSet({ role }))
    .execute()
}

export async function removeMembership(source: Source, projectId: number, memberId: string): Promise<void> {
  await open(source)
    .deleteFrom('memberships')
    .where('project_id', '=', projectId)
    .where('member_id', '=', memberId)
    .execute()
}

// ── sessions ────────────────────────────────────────────────────────────────────────────────────────────────────────

const toSession = (row: Selectable<Tables['sessions']>): Session => ({
  id: row.id,
  memberId: row.member_id,
  client: row.client,
  address: row.address,
  createdAt: date(row.created_at),
  seenAt: date(row.seen_at),
  authenticatedAt: date(row.authenticated_at),
  endsAt: date(row.ends_at),
})

export async function addSession(source: Source, session: Session, tokenHash: string): Promise<void> {
  await open(source)
    .insertInto('sessions')
    .values({
      id: session.id,
      token_hash: tokenHash,
      member_id: session.memberId,
      client: session.client,
      address: session.address,
      created_at: text(session.createdAt),
      seen_at: text(session.seenAt),
      authenticated_at: text(session.authenticatedAt),
      ends_at: text(session.endsAt),
    })
    .execute()
}

export async function findSession(source: Source, tokenHash: string): Promise<Session | undefined> {
  const row = await open(source)
    .selectFrom('sessions')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row && toSession(row)
}

export async function sessionsOf(source: Source, memberId: string): Promise<Session[]> {
  const rows = await open(source)
    .selectFrom('sessions')
    .selectAll()
    .where('member_id', '=', memberId)
    .orderBy('seen_at', 'desc')
    .execute()
  return rows.map(toSession)
}

export async function touchSession(
  source: Source,
  id: string,
  times: { seenAt: Date; authenticatedAt?: Date },
): Promise<void> {
  const authenticated = times.authenticatedAt ? { authenticated_at: text(times.authenticatedAt) } : {}
  await open(source)
    .updateTable('sessions')
    .set({ seen_at: text(times.seenAt), ...authenticated })
    .where('id', '=', id)
    .execute()
}

export async function endSessions(
  source: Source,
  memberId: string,
  which: { only?: string; except?: string },
): Promise<void> {
  let ending = open(source).deleteFrom('sessions').where('member_id', '=', memberId)
  if (which.only !== undefined) ending = ending.where('id', '=', which.only)
  if (which.except !== undefined) ending = ending.where('id', '!=', which.except)
  await ending.execute()
}

export async function forgetOldSessions(source: Source, endedBefore: Date, seenBefore: Date): Promise<void> {
  await open(source)
    .deleteFrom('sessions')
    .where((row) => row.or([row('ends_at', '<', text(endedBefore)), row('seen_at', '<', text(seenBefore))]))
    .execute()
}

// ── invitations ─────────────────────────────────────────────────────────────────────────────────────────────────────

const toInvitation = (row: Selectable<Tables['invitations']>): Invitation => ({
  id: row.id,
  projectId: row.project_id,
  role: toRole(row.role),
  email: row.email ?? undefined,
  invitedBy: row.invited_by,
  createdAt: date(row.created_at),
  endsAt: date(row.ends_at),
  acceptedAt: maybeDate(row.accepted_at),
  revokedAt: maybeDate(row.revoked_at),
})

export async function addInvitation(
  source: Source,
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
      created_at: text(invitation.createdAt),
      ends_at: text(invitation.endsAt),
      accepted_at: null,
      revoked_at: null,
    })
    .execute()
}

export async function findInvitation(
  source: Source,
  by: { id: string } | { tokenHash: string },
): Promise<Invitation | undefined> {
  const query = open(source).selectFrom('invitations').selectAll()
  const found = 'id' in by ? query.where('id', '=', by.id) : query.where('token_hash', '=', by.tokenHash)
  const row = await found.executeTakeFirst()
  return row && toInvitation(row)
}

/** Neither used, revoked nor past its time. */
export async function openInvitations(source: Source, projectId: number, now: Date): Promise<Invitation[]> {
  const rows = await open(source)
    .selectFrom('invitations')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('ends_at', '>', text(now))
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map(toInvitation)
}

export async function closeInvitation(
  source: Source,
  id: string,
  how: { acceptedAt?: Date; revokedAt?: Date },
): Promise<void> {
  await open(source)
    .updateTable('invitations')
    .set({ accepted_at: maybeText(how.acceptedAt), revoked_at: maybeText(how.revokedAt) })
    .where('id', '=', id)
    .execute()
}

// ── secret keys ─────────────────────────────────────────────────────────────────────────────────────────────────────

const everyScope = '*'

const toSecretKey = (row: Selectable<Tables['secret_keys']>): SecretKey => ({
  id: row.id,
  projectId: row.project_id,
  name: row.name,
  lastFour: row.last_four,
  scopes: row.scopes === everyScope ? 'every' : row.scopes.split(' ').filter(isRight),
  createdBy: row.created_by,
  createdAt: date(row.created_at),
  endsAt: maybeDate(row.ends_at),
  usedAt: maybeDate(row.used_at),
  revokedAt: maybeDate(row.revoked_at),
})

const fromScopes = (scopes: readonly Right[] | 'every'): string =>
  scopes === 'every' ? everyScope : scopes.join(' ')

export async function addSecretKey(source: Source, key: SecretKey, hash: string): Promise<void> {
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
      created_at: text(key.createdAt),
      ends_at: maybeText(key.endsAt),
      used_at: null,
      revoked_at: null,
    })
    .execute()
}

export async function findSecretKey(
  source: Source,
  by: { id: string } | { hash: string },
): Promise<SecretKey | undefined> {
  const query = open(source).selectFrom('secret_keys').selectAll()
  const row = await (
    'id' in by ? query.where('id', '=', by.id) : query.where('hash', '=', by.hash)
  ).executeTakeFirst()
  return row && toSecretKey(row)
}

export async function secretKeysOf(source: Source, projectId: number): Promise<SecretKey[]> {
  const rows = await open(source)
    .selectFrom('secret_keys')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map(toSecretKey)
}

export async function markKey(
  source: Source,
  id: string,
  marks: { usedAt?: Date; revokedAt?: Date },
): Promise<void> {
  const used = marks.usedAt ? { used_at: text(marks.usedAt) } : {}
  const revoked = marks.revokedAt ? { revoked_at: text(marks.revokedAt) } : {}
  await open(source)
    .updateTable('secret_keys')
    .set({ ...used, ...revoked })
    .where('id', '=', id)
    .execute()
}

// ── audit ───────────────────────────────────────────────────────────────────────────────────────────────────────────

type AuditRow = Selectable<Tables['audit']>

/** Call inside the transaction that makes the change: then there is no change without its entry, nor the reverse. */
export async function appendAudit(source: Source, entry: NewAuditEntry): Promise<void> {
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
    .values({ ...row, previous_hash: previous, hash: chained(previous, linkOf(row)) })
    .execute()
}

type UnchainedAuditRow = Omit<AuditRow, 'hash' | 'previous_hash'>

const auditRow = (entry: NewAuditEntry, last: number): UnchainedAuditRow => ({
  sequence: last + 1,
  at: text(entry.at),
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

/** Every column in a fixed order, so that the same entry always makes the same link. */
const linkOf = (row: UnchainedAuditRow): string =>
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
  at: date(row.at),
  projectId: row.project_id ?? undefined,
  action: row.action as AuditEntry['action'], // written by appendAudit alone, whose type allows nothing else
  subject: row.subject,
  actor: { kind: row.actor_kind as AuditEntry['actor']['kind'], id: row.actor_id, name: row.actor_name }, // likewise
  origin: JSON.parse(row.origin) as Origin, // likewise
  before: row.before === null ? undefined : JSON.parse(row.before),
  after: row.after === null ? undefined : JSON.parse(row.after),
})

export async function findProjectMembers(source: Source, projectId: number): Promise<string[]> {
  const rows = await open(source)
    .selectFrom('memberships')
    .select('member_id')
    .where('project_id', '=', projectId)
    .execute()
  return rows.map((row) => row.member_id)
}

/** What belongs to the project, and what its people did that belongs to none, such as signing in. */
export async function auditOf(
  source: Source,
  projectId: number,
  people: readonly string[],
  page: AuditPage,
): Promise<AuditEntry[]> {
  let query = open(source)
    .selectFrom('audit')
    .selectAll()
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

/** The first entry whose link does not follow from the one before it; undefined while the chain is whole. */
export async function brokenAuditLink(source: Source): Promise<number | undefined> {
  let previous = ''
  const rows = await open(source).selectFrom('audit').selectAll().orderBy('sequence').execute()
  for (const row of rows) {
    if (row.previous_hash !== previous || row.hash !== chained(previous, linkOf(row))) return row.sequence
    previous = row.hash
  }
  return undefined
}

// ── throttles and set-up codes ──────────────────────────────────────────────────────────────────────────────────────

export interface Failures {
  failures: number
  failedAt: Date
}

export async function failuresIn(source: Source, buckets: readonly string[]): Promise<Map<string, Failures>> {
  const rows = await open(source).selectFrom('throttles').selectAll().where('bucket', 'in', buckets).execute()
  return new Map(rows.map((row) => [row.bucket, { failures: row.failures, failedAt: date(row.failed_at) }]))
}

export async function saveFailures(
  source: Source,
  bucket: string,
  { failures, failedAt }: Failures,
): Promise<void> {
  await open(source)
    .insertInto('throttles')
    .values({ bucket, failures, failed_at: text(failedAt) })
    .onConflict((conflict) => conflict.column('bucket').doUpdateSet({ failures, failed_at: text(failedAt) }))
    .execute()
}

export async function forgetFailures(
  source: Source,
  which: { buckets: readonly string[] } | { before: Date },
): Promise<void> {
  const forgetting = open(source).deleteFrom('throttles')
  await (
    'buckets' in which
      ? forgetting.where('bucket', 'in', which.buckets)
      : forgetting.where('failed_at', '<', text(which.before))
  ).execute()
}

export async function replaceSetupCode(source: Source, hash: string, endsAt: Date): Promise<void> {
  await forgetSetupCodes(source)
  await open(source)
    .insertInto('setup_codes')
    .values({ hash, ends_at: text(endsAt) })
    .execute()
}

export async function isSetupCode(source: Source, hash: string, now: Date): Promise<boolean> {
  const row = await open(source)
    .selectFrom('setup_codes')
    .select('hash')
    .where('hash', '=', hash)
    .where('ends_at', '>', text(now))
    .executeTakeFirst()
  return row !== undefined
}

export async function forgetSetupCodes(source: Source): Promise<void> {
  await open(source).deleteFrom('setup_codes').execute()
}
