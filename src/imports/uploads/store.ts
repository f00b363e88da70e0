import type { ColumnType, Selectable } from 'kysely'
import { dateOrUndefined, isoOrNull } from '#store/rows'
import type { Store } from '#store/store'
import type { ImportUpload } from './upload'

interface Tables {
  import_uploads: {
    id: string
    project_id: number
    source: string
    files: string
    fingerprint: string
    state: ImportUpload['state']
    until: string | null
    /** Postgres returns a bigint as text. */
    rows_read: ColumnType<number | string, number, number>
    preview: string | null
    problem: string | null
    import_id: string | null
    created_by: string
    created_at: string
    changed_at: string
  }
}

type TableSource = Pick<Store, 'tables'>

const open = (source: TableSource) => source.tables<Tables>()

const toUpload = (row: Selectable<Tables['import_uploads']>): ImportUpload => ({
  id: row.id,
  projectId: row.project_id,
  source: row.source,
  // only `toRow` writes these two
  files: JSON.parse(row.files) as ImportUpload['files'],
  preview: row.preview === null ? undefined : (JSON.parse(row.preview) as ImportUpload['preview']),
  fingerprint: row.fingerprint,
  state: row.state,
  until: dateOrUndefined(row.until),
  rows: Number(row.rows_read),
  problem: row.problem ?? undefined,
  importId: row.import_id ?? undefined,
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
  changedAt: new Date(row.changed_at),
})

const toRow = (one: ImportUpload) => ({
  id: one.id,
  project_id: one.projectId,
  source: one.source,
  files: JSON.stringify(one.files),
  fingerprint: one.fingerprint,
  state: one.state,
  until: isoOrNull(one.until),
  rows_read: one.rows,
  preview: one.preview ? JSON.stringify(one.preview) : null,
  problem: one.problem ?? null,
  import_id: one.importId ?? null,
  created_by: one.createdBy,
  created_at: one.createdAt.toISOString(),
  changed_at: one.changedAt.toISOString(),
})

/** Returns the uploads of a project, or of all, the latest first. */
export async function uploadsOf(source: TableSource, projectId?: number): Promise<ImportUpload[]> {
  let query = open(source).selectFrom('import_uploads').selectAll()
  if (projectId !== undefined) query = query.where('project_id', '=', projectId)
  const rows = await query.orderBy('created_at', 'desc').orderBy('id').execute()
  return rows.map(toUpload)
}

export async function findUpload(
  source: TableSource,
  projectId: number,
  id: string,
): Promise<ImportUpload | undefined> {
  const row = await open(source)
    .selectFrom('import_uploads')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toUpload(row)
}

export async function addUpload(source: TableSource, added: ImportUpload): Promise<void> {
  await open(source).insertInto('import_uploads').values(toRow(added)).execute()
}

/** Saves an upload unless its state was changed meanwhile. Returns whether it was saved. */
export async function saveUpload(
  source: TableSource,
  before: ImportUpload,
  after: ImportUpload,
): Promise<boolean> {
  const result = await open(source)
    .updateTable('import_uploads')
    .set(toRow(after))
    .where('id', '=', before.id)
    .where('state', '=', before.state)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) > 0
}

export async function removeUpload(source: TableSource, { id }: Pick<ImportUpload, 'id'>): Promise<void> {
  await open(source).deleteFrom('import_uploads').where('id', '=', id).execute()
}
