import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import { type ReportParts, usualParts } from '../report-parts'
import type { Share, ShareSubject } from '../shares'

interface ShareRow extends Omit<Share, 'subject' | 'name' | 'hasPassword' | 'parts'> {
  parts: Partial<ReportParts> | undefined
  kind: string
  subjectId: string | undefined
  subjectName: string
  tokenHash: string
  passwordHash: string | undefined
  sealedToken: string | undefined
  linkMember: string | undefined
}

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

const open = openTables<{ shares: RowsOf<ShareRow> }>({ json: ['frameHosts', 'parts'] })
const changing = ['mayChangePeriod', 'frameHosts', 'parts', 'endsAt', 'revokedAt'] as const

const toShare = ({
  kind,
  subjectId,
  subjectName,
  tokenHash,
  passwordHash,
  sealedToken,
  linkMember,
  ...row
}: ShareRow): StoredShare => ({
  share: {
    ...row,
    subject: subjectOf(kind, subjectId),
    name: subjectName,
    hasPassword: passwordHash !== undefined,
    parts: kind === 'experiment' ? { ...usualParts, ...row.parts } : undefined,
  },
  tokenHash,
  keptLink: sealedToken && linkMember ? { memberId: linkMember, sealedToken } : undefined,
  passwordHash,
})

function subjectOf(kind: string, id: string | undefined): ShareSubject {
  if (id === undefined) return { kind: 'web' }
  return { kind: kind === 'insight' || kind === 'experiment' ? kind : 'dashboard', id }
}

/** The newest first. */
export async function sharesOf(store: TableSource, projectId: number): Promise<StoredShare[]> {
  const rows = await open(store)
    .selectFrom('shares')
    .selectAll()
    .where('projectId', '=', projectId)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toShare)
}

export async function findShare(
  store: TableSource,
  by: { id: string } | { tokenHash: string },
): Promise<StoredShare | undefined> {
  const all = open(store).selectFrom('shares').selectAll()
  const row = await (
    'id' in by ? all.where('id', '=', by.id) : all.where('tokenHash', '=', by.tokenHash)
  ).executeTakeFirst()
  return row && toShare(row)
}

export async function saveShare(
  store: TableSource,
  { share, tokenHash, keptLink, passwordHash }: StoredShare,
): Promise<void> {
  const changes = {
    ...rowOf(changing, share),
    tokenHash,
    sealedToken: keptLink?.sealedToken ?? null,
    linkMember: keptLink?.memberId ?? null,
    passwordHash: passwordHash ?? null,
  }
  await open(store)
    .insertInto('shares')
    .values({
      ...rowOf(['id', 'projectId', 'createdBy', 'createdAt'], share),
      ...changes,
      kind: share.subject.kind,
      subjectId: share.subject.kind === 'web' ? null : share.subject.id,
      subjectName: share.name,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changes))
    .execute()
}
