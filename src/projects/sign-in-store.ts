import type { Store } from '#store/store'
import { isRole, type Role } from './access'
import type { Passkey } from './passkeys'

interface SignInTables {
  members: { id: string; email: string }
  known_devices: { token_hash: string; member_id: string; created_at: string; ends_at: string }
  sessions: { id: string; has_second_factor: number }
  totp_factors: {
    member_id: string
    secret: string
    created_at: string
    confirmed_at: string | null
    last_step: number
  }
  recovery_codes: { hash: string; member_id: string; created_at: string; used_at: string | null }
  passkeys: {
    id: string
    member_id: string
    name: string
    public_key: string
    counter: string
    transports: string
    created_at: string
    used_at: string | null
  }
  sign_in_steps: {
    token_hash: string
    kind: string
    member_id: string | null
    body: string
    created_at: string
    ends_at: string
  }
  password_resets: {
    token_hash: string
    member_id: string | null
    letter: string | null
    created_at: string
    ends_at: string
  }
  identities: {
    issuer: string
    subject: string
    member_id: string
    email: string
    created_at: string
    seen_at: string
  }
  invitations: {
    id: string
    project_id: number
    role: string
    email: string | null
    ends_at: string
    accepted_at: string | null
    revoked_at: string | null
  }
  group_memberships: { member_id: string; project_id: number }
  sign_in_rules: { scope: string; rules: string }
}

type SignInTableSource = Pick<Store, 'tables'>

const open = (source: SignInTableSource) => source.tables<SignInTables>()
const text = (at: Date): string => at.toISOString()
const maybeDate = (at: string | null): Date | undefined => (at === null ? undefined : new Date(at))

interface KnownDevice {
  tokenHash: string
  memberId: string
  createdAt: Date
  endsAt: Date
}

/** One statement in either case, so that timing does not reveal members. */
export async function isKnownDevice(
  source: SignInTableSource,
  { tokenHash, email, now }: { tokenHash: string; email: string; now: Date },
): Promise<boolean> {
  const row = await open(source)
    .selectFrom('known_devices')
    .innerJoin('members', 'members.id', 'known_devices.member_id')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .where('email', '=', email)
    .where('ends_at', '>', text(now))
    .executeTakeFirst()
  return row !== undefined
}

export async function addKnownDevice(source: SignInTableSource, device: KnownDevice): Promise<void> {
  const times = { created_at: text(device.createdAt), ends_at: text(device.endsAt) }
  await open(source)
    .insertInto('known_devices')
    .values({ token_hash: device.tokenHash, member_id: device.memberId, ...times })
    .onConflict((conflict) => conflict.columns(['token_hash', 'member_id']).doUpdateSet(times))
    .execute()
}

/** Removes expired devices, or all but the newest `beyond` of a member. */
export async function removeKnownDevices(
  source: SignInTableSource,
  which: { endedBefore: Date } | { memberId: string; beyond: number },
): Promise<void> {
  const forgetting = open(source).deleteFrom('known_devices')
  if ('endedBefore' in which) {
    await forgetting.where('ends_at', '<=', text(which.endedBefore)).execute()
    return
  }
  const newest = await open(source)
    .selectFrom('known_devices')
    .select('token_hash')
    .where('member_id', '=', which.memberId)
    .orderBy('created_at', 'desc')
    .limit(which.beyond)
    .execute()
  const hashes = newest.map(({ token_hash }) => token_hash)
  await forgetting
    .where('member_id', '=', which.memberId)
    .where('token_hash', 'not in', hashes.length > 0 ? hashes : [''])
    .execute()
}

/** A member's shared secret with an authenticator app. */
interface TotpFactor {
  memberId: string
  /** Encrypted. */
  secret: string
  createdAt: Date
  /** Undefined until the first code was entered. */
  confirmedAt: Date | undefined
  /** The time step of the last accepted code. */
  lastStep: number
}

export async function findTotp(source: SignInTableSource, memberId: string): Promise<TotpFactor | undefined> {
  const row = await open(source)
    .selectFrom('totp_factors')
    .selectAll()
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  if (!row) return undefined
  const { member_id, secret, created_at, confirmed_at, last_step } = row
  return {
    memberId: member_id,
    secret,
    createdAt: new Date(created_at),
    confirmedAt: maybeDate(confirmed_at),
    lastStep: last_step,
  }
}

export async function saveTotp(source: SignInTableSource, factor: TotpFactor): Promise<void> {
  const columns = {
    secret: factor.secret,
    created_at: text(factor.createdAt),
    confirmed_at: factor.confirmedAt ? text(factor.confirmedAt) : null,
    last_step: factor.lastStep,
  }
  await open(source)
    .insertInto('totp_factors')
    .values({ member_id: factor.memberId, ...columns })
    .onConflict((conflict) => conflict.column('member_id').doUpdateSet(columns))
    .execute()
}

/** Whether this step was unused. */
export async function useTotpStep(
  source: SignInTableSource,
  memberId: string,
  step: number,
): Promise<boolean> {
  const { numUpdatedRows } = await open(source)
    .updateTable('totp_factors')
    .set({ last_step: step })
    .where('member_id', '=', memberId)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function removeTotp(source: SignInTableSource, memberId: string): Promise<void> {
  await open(source).deleteFrom('totp_factors').where('member_id', '=', memberId).execute()
}

export async function replaceRecoveryCodes(
  source: SignInTableSource,
  memberId: string,
  hashes: readonly string[],
  at: Date,
): Promise<void> {
  await open(source).deleteFrom('recovery_codes').where('member_id', '=', memberId).execute()
  if (hashes.length === 0) return
  const rows = hashes.map((hash) => ({ hash, member_id: memberId, created_at: text(at), used_at: null }))
  await open(source).insertInto('recovery_codes').values(rows).execute()
}

/** Whether the code existed and was unused. */
export async function useRecoveryCode(
  source: SignInTableSource,
  memberId: string,
  hash: string,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await open(source)
    .updateTable('recovery_codes')
    .set({ used_at: text(at) })
    .where('member_id', '=', memberId)
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function countRecoveryCodes(source: SignInTableSource, memberId: string): Promise<number> {
  const rows = await open(source)
    .selectFrom('recovery_codes')
    .select('hash')
    .where('member_id', '=', memberId)
    .where('used_at', 'is', null)
    .execute()
  return rows.length
}

const toPasskey = (row: SignInTables['passkeys']): Passkey => ({
  id: row.id,
  memberId: row.member_id,
  name: row.name,
  publicKey: row.public_key,
  counter: Number(row.counter),
  transports: row.transports.split(' ').filter(Boolean),
  createdAt: new Date(row.created_at),
  usedAt: maybeDate(row.used_at),
})

export async function passkeysOf(source: SignInTableSource, memberId: string): Promise<Passkey[]> {
  const rows = await open(source)
    .selectFrom('passkeys')
    .selectAll()
    .where('member_id', '=', memberId)
    .orderBy('created_at')
    .execute()
  return rows.map(toPasskey)
}

export async function findPasskey(source: SignInTableSource, id: string): Promise<Passkey | undefined> {
  const row = await open(source).selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toPasskey(row)
}

export async function addPasskey(source: SignInTableSource, passkey: Passkey): Promise<void> {
  await open(source)
    .insertInto('passkeys')
    .values({
      id: passkey.id,
      member_id: passkey.memberId,
      name: passkey.name,
      public_key: passkey.publicKey,
      counter: String(passkey.counter),
      transports: passkey.transports.join(' '),
      created_at: text(passkey.createdAt),
      used_at: null,
    })
    .execute()
}

export async function usePasskey(
  source: SignInTableSource,
  id: string,
  counter: number,
  at: Date,
): Promise<void> {
  await open(source)
    .updateTable('passkeys')
    .set({ counter: String(counter), used_at: text(at) })
    .where('id', '=', id)
    .execute()
}

/** Removes one of a member's passkeys, or all. */
export async function removePasskeys(
  source: SignInTableSource,
  memberId: string,
  id?: string,
): Promise<void> {
  let removing = open(source).deleteFrom('passkeys').where('member_id', '=', memberId)
  if (id !== undefined) removing = removing.where('id', '=', id)
  await removing.execute()
}

/** Whether the member has a second factor. */
export async function hasFactor(source: SignInTableSource, memberId: string): Promise<boolean> {
  const totp = await findTotp(source, memberId)
  return totp?.confirmedAt !== undefined || (await passkeysOf(source, memberId)).length > 0
}

export async function markSecondFactor(source: SignInTableSource, sessionId: string): Promise<void> {
  await open(source)
    .updateTable('sessions')
    .set({ has_second_factor: 1 })
    .where('id', '=', sessionId)
    .execute()
}

/** The state between two requests of one sign-in. */
interface SignInStep {
  kind: 'second-factor' | 'used-challenge' | 'oidc'
  memberId: string | undefined
  body: unknown
}

export async function addStep(
  source: SignInTableSource,
  tokenHash: string,
  { kind, memberId, body }: SignInStep,
  times: { now: Date; endsAt: Date },
): Promise<void> {
  await open(source).deleteFrom('sign_in_steps').where('ends_at', '<=', text(times.now)).execute()
  await open(source)
    .insertInto('sign_in_steps')
    .values({
      token_hash: tokenHash,
      kind,
      member_id: memberId ?? null,
      body: JSON.stringify(body),
      created_at: text(times.now),
      ends_at: text(times.endsAt),
    })
    .execute()
}

export async function findStep(
  source: SignInTableSource,
  tokenHash: string,
  kind: SignInStep['kind'],
  now: Date,
): Promise<SignInStep | undefined> {
  const row = await open(source)
    .selectFrom('sign_in_steps')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('kind', '=', kind)
    .where('ends_at', '>', text(now))
    .executeTakeFirst()
  return row && { kind, memberId: row.member_id ?? undefined, body: JSON.parse(row.body) }
}

/** Removes a pending step. Returns whether it was still there: of two concurrent calls, one gets true. */
export async function takeStep(source: SignInTableSource, tokenHash: string): Promise<boolean> {
  const { numDeletedRows } = await open(source)
    .deleteFrom('sign_in_steps')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function removeStepsOf(source: SignInTableSource, memberId: string): Promise<void> {
  await open(source).deleteFrom('sign_in_steps').where('member_id', '=', memberId).execute()
}

interface PasswordReset {
  tokenHash: string
  memberId: string | undefined
  /** Encrypted; undefined if no mail is to be sent. */
  letter: string | undefined
  createdAt: Date
  endsAt: Date
}

export async function addReset(source: SignInTableSource, reset: PasswordReset): Promise<void> {
  await open(source).deleteFrom('password_resets').where('ends_at', '<=', text(reset.createdAt)).execute()
  await open(source)
    .insertInto('password_resets')
    .values({
      token_hash: reset.tokenHash,
      member_id: reset.memberId ?? null,
      letter: reset.letter ?? null,
      created_at: text(reset.createdAt),
      ends_at: text(reset.endsAt),
    })
    .execute()
}

export async function findReset(
  source: SignInTableSource,
  tokenHash: string,
  now: Date,
): Promise<{ memberId: string } | undefined> {
  const row = await open(source)
    .selectFrom('password_resets')
    .select('member_id')
    .where('token_hash', '=', tokenHash)
    .where('ends_at', '>', text(now))
    .executeTakeFirst()
  return row?.member_id ? { memberId: row.member_id } : undefined
}

export async function removeResets(
  source: SignInTableSource,
  which: { memberId: string } | { tokenHash: string },
): Promise<void> {
  const forgetting = open(source).deleteFrom('password_resets')
  await (
    'memberId' in which
      ? forgetting.where('member_id', '=', which.memberId)
      : forgetting.where('token_hash', '=', which.tokenHash)
  ).execute()
}

export async function unsentResets(source: SignInTableSource, now: Date): Promise<PasswordReset[]> {
  const rows = await open(source)
    .selectFrom('password_resets')
    .selectAll()
    .where('letter', 'is not', null)
    .where('ends_at', '>', text(now))
    .execute()
  return rows.map((row) => ({
    tokenHash: row.token_hash,
    memberId: row.member_id ?? undefined,
    letter: row.letter ?? undefined,
    createdAt: new Date(row.created_at),
    endsAt: new Date(row.ends_at),
  }))
}

export async function markResetSent(source: SignInTableSource, tokenHash: string): Promise<void> {
  await open(source)
    .updateTable('password_resets')
    .set({ letter: null })
    .where('token_hash', '=', tokenHash)
    .execute()
}

export async function memberOfIdentity(
  source: SignInTableSource,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<string | undefined> {
  const row = await open(source)
    .selectFrom('identities')
    .select('member_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.member_id
}

export async function hasIdentity(
  source: SignInTableSource,
  issuer: string,
  memberId: string,
): Promise<boolean> {
  const row = await open(source)
    .selectFrom('identities')
    .select('subject')
    .where('issuer', '=', issuer)
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return row !== undefined
}

export async function saveIdentity(
  source: SignInTableSource,
  identity: { issuer: string; subject: string; memberId: string; email: string; at: Date },
): Promise<void> {
  const { issuer, subject, memberId, email } = identity
  const changes = { email, seen_at: text(identity.at) }
  await open(source)
    .insertInto('identities')
    .values({ issuer, subject, member_id: memberId, created_at: text(identity.at), ...changes })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doUpdateSet(changes))
    .execute()
}

/** Invitations that only this address may accept. */
export async function openInvitationsFor(
  source: SignInTableSource,
  email: string,
  now: Date,
): Promise<{ id: string; projectId: number; role: Role }[]> {
  const rows = await open(source)
    .selectFrom('invitations')
    .select(['id', 'project_id', 'role'])
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('ends_at', '>', text(now))
    .execute()
  return rows.flatMap(({ id, project_id, role }) =>
    isRole(role) ? [{ id, projectId: project_id, role }] : [],
  )
}

export async function groupProjectsOf(source: SignInTableSource, memberId: string): Promise<number[]> {
  const rows = await open(source)
    .selectFrom('group_memberships')
    .select('project_id')
    .where('member_id', '=', memberId)
    .execute()
  return rows.map(({ project_id }) => project_id)
}

export async function replaceGroupProjects(
  source: SignInTableSource,
  memberId: string,
  projectIds: readonly number[],
): Promise<void> {
  await open(source).deleteFrom('group_memberships').where('member_id', '=', memberId).execute()
  if (projectIds.length === 0) return
  const rows = projectIds.map((projectId) => ({ member_id: memberId, project_id: projectId }))
  await open(source).insertInto('group_memberships').values(rows).execute()
}

export async function allRules(source: SignInTableSource): Promise<{ scope: string; rules: unknown }[]> {
  const rows = await open(source).selectFrom('sign_in_rules').selectAll().execute()
  return rows.map(({ scope, rules }) => ({ scope, rules: JSON.parse(rules) as unknown }))
}

export async function saveRule(source: SignInTableSource, scope: string, rules: unknown): Promise<void> {
  const columns = { rules: JSON.stringify(rules) }
  await open(source)
    .insertInto('sign_in_rules')
    .values({ scope, ...columns })
    .onConflict((conflict) => conflict.column('scope').doUpdateSet(columns))
    .execute()
}
