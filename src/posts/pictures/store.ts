import type { Selectable } from 'kysely'
import type { Store } from '#store/store'
import type { StoredImage } from '../images'

interface ImageTables {
  post_images: {
    project_id: number
    id: string
    type: string
    name: string
    alt: string
    width: number
    height: number
    bytes: number
    created_by: string
    created_at: string
  }
  removed_images: { file: string }
}

type ImageTableSource = Pick<Store, 'tables'>
const open = (source: ImageTableSource) => source.tables<ImageTables>()

/** Returns pictures, the latest first. */
export async function imagesOf(source: ImageTableSource, projectId: number): Promise<StoredImage[]> {
  const rows = await open(source)
    .selectFrom('post_images')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(imageIn)
}

/** Adds a picture; the same file again is the same picture. */
export async function addImage(
  source: ImageTableSource,
  projectId: number,
  image: StoredImage,
): Promise<void> {
  const { createdBy, createdAt, file, ...details } = image
  const [id = '', type = ''] = file.split('.')
  await open(source)
    .insertInto('post_images')
    .values({
      ...details,
      id,
      type,
      project_id: projectId,
      created_by: createdBy,
      created_at: createdAt.toISOString(),
    })
    .onConflict((conflict) => conflict.columns(['project_id', 'id']).doNothing())
    .execute()
}

export async function findImage(
  source: ImageTableSource,
  projectId: number,
  file: string,
): Promise<StoredImage | undefined> {
  const [id = '', type = ''] = file.split('.')
  const row = await open(source)
    .selectFrom('post_images')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('type', '=', type)
    .executeTakeFirst()
  return row && imageIn(row)
}

export async function changeImage(
  source: ImageTableSource,
  projectId: number,
  { file, name, alt }: Pick<StoredImage, 'file' | 'name' | 'alt'>,
): Promise<void> {
  const [id = ''] = file.split('.')
  await open(source)
    .updateTable('post_images')
    .set({ name, alt })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute()
}

/** Removes a picture of one project. Another project may have the same file. */
export async function removeImage(source: ImageTableSource, projectId: number, file: string): Promise<void> {
  const [id = ''] = file.split('.')
  await open(source)
    .deleteFrom('post_images')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute()
}

/** Whether any project has the file. */
export async function isStored(source: ImageTableSource, file: string): Promise<boolean> {
  const [id = ''] = file.split('.')
  const row = await open(source)
    .selectFrom('post_images')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** Marks a file as removed for every front, until it is uploaded again. */
export async function markRemoved(source: ImageTableSource, file: string): Promise<void> {
  await open(source)
    .insertInto('removed_images')
    .values({ file })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function unmarkRemoved(source: ImageTableSource, file: string): Promise<void> {
  await open(source).deleteFrom('removed_images').where('file', '=', file).execute()
}

export async function removedFiles(source: ImageTableSource): Promise<string[]> {
  const rows = await open(source).selectFrom('removed_images').select('file').execute()
  return rows.map(({ file }) => file)
}

const imageIn = ({
  id,
  type,
  name,
  alt,
  width,
  height,
  bytes,
  created_by,
  created_at,
}: Selectable<ImageTables['post_images']>): StoredImage => ({
  file: `${id}.${type}`,
  name,
  alt,
  width,
  height,
  bytes,
  createdBy: created_by,
  createdAt: new Date(created_at),
})
