import type { Selectable } from 'kysely'
import type { Store } from '../../store/store'
import type { KeptImage } from '../images'

interface Tables {
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

type Source = Pick<Store, 'tables'>
const open = (source: Source) => source.tables<Tables>()

/** The latest first. */
export async function imagesOf(source: Source, projectId: number): Promise<KeptImage[]> {
  const rows = await open(source)
    .selectFrom('post_images')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(imageIn)
}

/** The same file given twice is one picture. */
export async function addImage(source: Source, projectId: number, image: KeptImage): Promise<void> {
  const { createdBy, createdAt, file, ...said } = image
  const [id = '', type = ''] = file.split('.')
  await open(source)
    .insertInto('post_images')
    .values({
      ...said,
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
}: Selectable<Tables['post_images']>): KeptImage => ({
  file: `${id}.${type}`,
  name,
  width,
  height,
  bytes,
  createdBy: created_by,
  createdAt: new Date(created_at),
})
