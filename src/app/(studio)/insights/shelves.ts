import type { MemberViewer } from '../../../projects/access'
import { getProduct } from '../../product'

/** The folders and tags there are, for whoever puts an insight into one. */
export async function shelvesOf(projectId: number, viewer: MemberViewer) {
  const listed = await getProduct().savedInsights.list(projectId, {}, viewer)
  return shelvesIn(listed.done ? listed.insights : [])
}

export function shelvesIn(insights: readonly { folder: string; tags: string[] }[]) {
  const inOrder = (words: readonly string[]) => [...new Set(words)].filter(Boolean).toSorted()
  return {
    folders: inOrder(insights.map(({ folder }) => folder)),
    tags: inOrder(insights.flatMap(({ tags }) => tags)),
  }
}
