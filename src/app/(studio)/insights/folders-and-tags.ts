import type { MemberViewer } from '#projects/access'
import { getProduct } from '../../product'

/** Lists the existing folders and tags for the form that saves an insight. */
export async function foldersAndTagsOf(projectId: number, viewer: MemberViewer) {
  const listed = await getProduct().savedInsights.list(projectId, {}, viewer)
  return foldersAndTagsIn(listed.done ? listed.insights : [])
}

export function foldersAndTagsIn(insights: readonly { folder: string; tags: string[] }[]) {
  const inOrder = (words: readonly string[]) => [...new Set(words)].filter(Boolean).toSorted()
  return {
    folders: inOrder(insights.map(({ folder }) => folder)),
    tags: inOrder(insights.flatMap(({ tags }) => tags)),
  }
}
