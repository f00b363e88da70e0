import type { Selectable } from 'kysely'
import type { Store } from '../../store/store'
import type { Share, ShareSubject } from '../shares'

interface Tables {
  shares: {
    id: string
    project_id: number
    token_hash: string
    kind: string
    subject_id: string | null
    subject_name: string
    password_hash: string | null
    may_change_period: number
    frame_hosts: string
    ends_at: string | null
    created_by: string
    created_at: string
    revoked_at: string | null
  }
}

type Source = Pick<Store, 'tables'>

/** With what opens it, which goes no further than the room. */
export interface KeptShare {
  share: Share
  tokenHash: string
  passwordHash: string | undefined
}

const open = (source: Source) => source.tables<Tables>()

const toShare = (row: Selectable<Tables['shares']>): KeptShare => ({
  share: {
    id: row.id,
    projectId: row.project_id,
    subject: subjectOf(row),
    name: row.subject_name,
    hasPassword: row.password_hash !== null,
    mayChangePeriod: row.may_change_period === 1,
    frameHosts: JSON.parse(row.frame_hosts) as string[], // written by saveShare alone
    endsAt: row.ends_at === null ? undefined : new Date(row.ends_at),
    createdBy: row.created_by,
    createdAt: new Date(row.created_at),
    revokedAt: row.revoked_at === null ? undefined : new Date(row.revoked_at),
  },
  tokenHash: row.token_hash,
  passwordHash: row.password_hash ?? undefined,
})

function subjectOf({ kind, subject_id: id }: Selectable<Tables['shares']>): ShareSubject {
  if (id === null) return { kind: 'web' }
  return { kind: kind === 'insight' ? 'insight' : 'dashboard', id }
}

/** The newest first. */
export async function sharesOf(source: Source, projectId: number): Promise<Share[]> {
  const rows = await open(source)
    .selectFrom('shares')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => toShare(row).share)
}

export async function findShare(
  source: Source,
  by: { id: string } | { tokenHash: string },
): Promise<KeptShare | undefined> {
  const all = open(source).selectFrom('shares').selectAll()
  const row = await (
    'id' in by ? all.where('id', '=', by.id) : all.where('token_hash', '=', by.tokenHash)
  ).executeTakeFirst()
  return row && toShare(row)
}

export async function saveShare(
  source: Source,
  { share, tokenHash, passwordHash }: KeptShare,
): Promise<void> {
  const told = {
    token_hash: tokenHash,
    password_hash: passwordHash ?? null,
    may_change_period: share.mayChangePeriod ? 1 : 0,
    frame_hosts: JSON.stringify(share.frameHosts),
    ends_at: share.endsAt?.toISOString() ?? null,
    revoked_at: share.revokedAt?.toISOString() ?? null,
  }
  await open(source)
    .insertInto('shares')
    .values({
      id: share.id,
      project_id: share.projectId,
      kind: share.subject.kind,
      subject_id: share.subject.kind === 'web' ? null : share.subject.id,
      subject_name: share.name,
      created_by: share.createdBy,
      created_at: share.createdAt.toISOString(),
      ...told,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(told))
    .execute()
}
