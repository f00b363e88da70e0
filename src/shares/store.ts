import type { Selectable } from 'kysely'
import type { Store } from '#store/store'
import type { Share, ShareSubject } from './shares'

interface ShareTables {
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
    sealed_token: string | null
    link_member: string | null
  }
}

type StoreOrTransaction = Pick<Store, 'tables'>

/** The link of a share, encrypted, and the member who made it and may copy it again. */
export interface KeptLink {
  memberId: string
  sealedToken: string
}

/** A share with its secrets, which do not leave this module. */
export interface StoredShare {
  share: Share
  tokenHash: string
  /** Undefined for links that no member made in the studio, and for those of earlier versions. */
  keptLink: KeptLink | undefined
  passwordHash: string | undefined
}

const open = (store: StoreOrTransaction) => store.tables<ShareTables>()

const toShare = (row: Selectable<ShareTables['shares']>): StoredShare => ({
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
  keptLink: keptLinkOf(row),
  passwordHash: row.password_hash ?? undefined,
})

const keptLinkOf = ({
  sealed_token: sealedToken,
  link_member: memberId,
}: Selectable<ShareTables['shares']>): KeptLink | undefined =>
  sealedToken === null || memberId === null ? undefined : { memberId, sealedToken }

function subjectOf({ kind, subject_id: id }: Selectable<ShareTables['shares']>): ShareSubject {
  if (id === null) return { kind: 'web' }
  return { kind: kind === 'insight' || kind === 'experiment' ? kind : 'dashboard', id }
}

/** The newest first. */
export async function sharesOf(store: StoreOrTransaction, projectId: number): Promise<StoredShare[]> {
  const rows = await open(store)
    .selectFrom('shares')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toShare)
}

export async function findShare(
  store: StoreOrTransaction,
  by: { id: string } | { tokenHash: string },
): Promise<StoredShare | undefined> {
  const all = open(store).selectFrom('shares').selectAll()
  const row = await (
    'id' in by ? all.where('id', '=', by.id) : all.where('token_hash', '=', by.tokenHash)
  ).executeTakeFirst()
  return row && toShare(row)
}

export async function saveShare(
  store: StoreOrTransaction,
  { share, tokenHash, keptLink, passwordHash }: StoredShare,
): Promise<void> {
  const columns = {
    token_hash: tokenHash,
    sealed_token: keptLink?.sealedToken ?? null,
    link_member: keptLink?.memberId ?? null,
    password_hash: passwordHash ?? null,
    may_change_period: share.mayChangePeriod ? 1 : 0,
    frame_hosts: JSON.stringify(share.frameHosts),
    ends_at: share.endsAt?.toISOString() ?? null,
    revoked_at: share.revokedAt?.toISOString() ?? null,
  }
  await open(store)
    .insertInto('shares')
    .values({
      id: share.id,
      project_id: share.projectId,
      kind: share.subject.kind,
      subject_id: share.subject.kind === 'web' ? null : share.subject.id,
      subject_name: share.name,
      created_by: share.createdBy,
      created_at: share.createdAt.toISOString(),
      ...columns,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}
