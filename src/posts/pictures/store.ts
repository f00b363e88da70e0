import type { Selectable } from 'kysely'
import type { Store } from '#store/store'
import type { StoredImage } from '../images'

interface ImageTables {
  post_images: {
    project_id: number
    id: string
    type: string
    name: string
    width: number
    height: number
    bytes: number
    created_by: string
    created_at: string
  }
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

const imageIn = ({
  id,
  type,
  name,
  width,
  height,
  bytes,
  created_by,
  created_at,
}: Selectable<ImageTables['post_images']>): StoredImage => ({
  file: `${id}.${type}`,
  name,
  width,
  height,
  bytes,
  createdBy: created_by,
  createdAt: new Date(created_at),
})
