import type { TableSource } from '#store/store'
import { openTables, rowOf } from '#store/tables'
import type { StoredImage } from '../../images'

const columns = ['name', 'alt', 'width', 'height', 'bytes', 'createdBy', 'createdAt'] as const
type ImageRow = Omit<StoredImage, 'file'> & { id: string; type: string }

interface ImageTables {
  postImages: ImageRow & { projectId: number }
  removedImages: { file: string }
}

const open = openTables<ImageTables>()

/** Returns pictures, the latest first. */
export async function imagesOf(source: TableSource, projectId: number): Promise<StoredImage[]> {
  const rows = await open(source)
    .selectFrom('postImages')
    .select(['id', 'type', ...columns])
    .where('projectId', '=', projectId)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(imageIn)
}

/** Adds a picture; the same file again is the same picture. */
export async function addImage(source: TableSource, projectId: number, image: StoredImage): Promise<void> {
  const [id = '', type = ''] = image.file.split('.')
  await open(source)
    .insertInto('postImages')
    .values({ id, type, projectId, ...rowOf(columns, image) })
    .onConflict((conflict) => conflict.columns(['projectId', 'id']).doNothing())
    .execute()
}

export async function findImage(
  source: TableSource,
  projectId: number,
  file: string,
): Promise<StoredImage | undefined> {
  const [id = '', type = ''] = file.split('.')
  const row = await open(source)
    .selectFrom('postImages')
    .select(['id', 'type', ...columns])
    .where('projectId', '=', projectId)
    .where('id', '=', id)
    .where('type', '=', type)
    .executeTakeFirst()
  return row && imageIn(row)
}

export async function changeImage(
  source: TableSource,
  projectId: number,
  { file, name, alt }: Pick<StoredImage, 'file' | 'name' | 'alt'>,
): Promise<void> {
  const [id = ''] = file.split('.')
  await open(source)
    .updateTable('postImages')
    .set({ name, alt })
    .where('projectId', '=', projectId)
    .where('id', '=', id)
    .execute()
}

/** Removes a picture of one project. Another project may have the same file. */
export async function removeImage(source: TableSource, projectId: number, file: string): Promise<void> {
  const [id = ''] = file.split('.')
  await open(source)
    .deleteFrom('postImages')
    .where('projectId', '=', projectId)
    .where('id', '=', id)
    .execute()
}

/** Whether any project has the file. */
export async function isStored(source: TableSource, file: string): Promise<boolean> {
  const [id = ''] = file.split('.')
  const row = await open(source).selectFrom('postImages').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/** Marks a file as removed for every front, until it is uploaded again. */
export async function markRemoved(source: TableSource, file: string): Promise<void> {
  await open(source)
    .insertInto('removedImages')
    .values({ file })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function unmarkRemoved(source: TableSource, file: string): Promise<void> {
  await open(source).deleteFrom('removedImages').where('file', '=', file).execute()
}

export async function removedFiles(source: TableSource): Promise<string[]> {
  const rows = await open(source).selectFrom('removedImages').select('file').execute()
  return rows.map(({ file }) => file)
}

const imageIn = ({ id, type, ...image }: ImageRow): StoredImage => ({ file: `${id}.${type}`, ...image })
