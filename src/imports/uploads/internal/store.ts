import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { ImportUpload } from '../upload'

interface Tables {
  importUploads: RowsOf<Omit<ImportUpload, 'rows'> & { rowsRead: number }>
}

const open = openTables<Tables>({ json: ['files', 'preview'] })
const columns = [
  'id',
  'projectId',
  'source',
  'files',
  'fingerprint',
  'state',
  'until',
  'preview',
  'problem',
  'importId',
  'createdBy',
  'createdAt',
  'changedAt',
] as const

const toRow = (upload: ImportUpload) => ({ ...rowOf(columns, upload), rowsRead: upload.rows })

const uploads = (source: TableSource) =>
  open(source)
    .selectFrom('importUploads')
    .select([...columns, 'rowsRead as rows'])

/** Returns the uploads of a project, or of all, the latest first. */
export async function uploadsOf(source: TableSource, projectId?: number): Promise<ImportUpload[]> {
  const all = uploads(source).orderBy('createdAt', 'desc').orderBy('id')
  return await (projectId === undefined ? all : all.where('projectId', '=', projectId)).execute()
}

export const findUpload = async (
  source: TableSource,
  projectId: number,
  id: string,
): Promise<ImportUpload | undefined> =>
  await uploads(source).where('projectId', '=', projectId).where('id', '=', id).executeTakeFirst()

export async function addUpload(source: TableSource, added: ImportUpload): Promise<void> {
  await open(source).insertInto('importUploads').values(toRow(added)).execute()
}

/** Saves an upload unless its state was changed meanwhile. Returns whether it was saved. */
export async function saveUpload(
  source: TableSource,
  before: ImportUpload,
  after: ImportUpload,
): Promise<boolean> {
  const result = await open(source)
    .updateTable('importUploads')
    .set(toRow(after))
    .where('id', '=', before.id)
    .where('state', '=', before.state)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) > 0
}

export async function removeUpload(source: TableSource, { id }: Pick<ImportUpload, 'id'>): Promise<void> {
  await open(source).deleteFrom('importUploads').where('id', '=', id).execute()
}
