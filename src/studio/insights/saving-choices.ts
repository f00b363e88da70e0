import type { MemberViewer } from '#projects/access'
import { getProduct } from '#studio/product'

/** The existing folders, tags and dashboards, for the forms that save and place an insight. */
export interface SavingChoices {
  folders: readonly string[]
  tags: readonly string[]
  dashboards: readonly { id: string; name: string }[]
}

export async function savingChoicesOf(projectId: number, viewer: MemberViewer): Promise<SavingChoices> {
  const { dashboards } = getProduct()
  const { saved: savedInsights } = getProduct().insights
  const [listed, boards] = await Promise.all([
    savedInsights.list(projectId, {}, viewer),
    dashboards.list(projectId, viewer),
  ])
  const insights = listed.done ? listed.insights : []
  const inOrder = (words: readonly string[]) => [...new Set(words)].filter(Boolean).toSorted()
  return {
    folders: inOrder(insights.map(({ folder }) => folder)),
    tags: inOrder(insights.flatMap(({ tags }) => tags)),
    dashboards: boards
      .filter(({ archivedAt }) => archivedAt === undefined)
      .map(({ id, name }) => ({ id, name })),
  }
}
