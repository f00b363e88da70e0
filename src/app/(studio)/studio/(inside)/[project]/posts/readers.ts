import type { Viewer } from '../../../../../../projects/access'
import { getProduct } from '../../../../../product'
import { asking } from '../flags/asking'
import type { Readers } from './PostsTable'

/** Of all that is published, in the last 30 days; a list is there also where nobody can be asked. */
export async function readersOfAll(projectId: number, viewer: Viewer): Promise<Readers | 'unknown'> {
  const { postNumbers } = getProduct()
  const answer = await asking(() => postNumbers.list(projectId, '30d', viewer))
  return answer.done ? answer.readers : 'unknown'
}
