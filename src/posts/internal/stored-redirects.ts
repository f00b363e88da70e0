import type { TableSource } from '#store/store'
import { openTables, type RowsOf } from '#store/tables'
import type { StoredRedirect } from '../redirects'

interface RedirectRow {
  projectId: number
  fromPath: string
  toAddress: string | undefined
  postId: number | undefined
  createdAt: Date
}

const open = openTables<{ postRedirects: RowsOf<RedirectRow> }>()

const toRedirect = (row: RedirectRow): StoredRedirect => ({
  from: row.fromPath,
  leadsTo: row.postId === undefined ? { address: row.toAddress ?? '' } : { post: String(row.postId) },
})

export async function allRedirects(source: TableSource): Promise<Map<number, StoredRedirect[]>> {
  const rows = await open(source).selectFrom('postRedirects').selectAll().orderBy('fromPath').execute()
  const byProject = Map.groupBy(rows, (row) => row.projectId)
  return new Map(Array.from(byProject, ([projectId, own]) => [projectId, own.map(toRedirect)]))
}

export async function redirectsOf(source: TableSource, projectId: number): Promise<StoredRedirect[]> {
  const rows = await open(source)
    .selectFrom('postRedirects')
    .selectAll()
    .where('projectId', '=', projectId)
    .orderBy('fromPath')
    .execute()
  return rows.map(toRedirect)
}

/** Saves a redirect. Redirects to its old address get the new destination. */
export async function saveRedirect(
  source: TableSource,
  projectId: number,
  { from, leadsTo }: StoredRedirect,
  at: Date,
): Promise<void> {
  const destination = {
    toAddress: 'address' in leadsTo ? leadsTo.address : null,
    postId: 'post' in leadsTo ? Number(leadsTo.post) : null,
  }
  await open(source)
    .insertInto('postRedirects')
    .values({ projectId, fromPath: from, createdAt: at, ...destination })
    .onConflict((conflict) => conflict.columns(['projectId', 'fromPath']).doUpdateSet(destination))
    .execute()
}

export async function removeRedirect(source: TableSource, projectId: number, from: string): Promise<void> {
  await open(source)
    .deleteFrom('postRedirects')
    .where('projectId', '=', projectId)
    .where('fromPath', '=', from)
    .execute()
}
