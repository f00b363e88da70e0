import type { Viewer } from '#projects/access'
import { getProduct } from '#studio/product'
import { tryEngine } from '#studio/parts/refusals'
import type { ReaderNumbers } from './PostsTable'

/** Readers of each published post in the last 30 days; 'unknown' while the engine is unavailable. */
export async function readersByPost(projectId: number, viewer: Viewer): Promise<ReaderNumbers | 'unknown'> {
  const { postNumbers } = getProduct()
  const answer = await tryEngine(() => postNumbers.list(projectId, '30d', viewer))
  return answer.done ? answer.readers : 'unknown'
}
