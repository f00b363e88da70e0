import { trendLabels } from '#insights/measures/trend-lines'
import type { MemberViewer } from '#projects/access'
import { getProduct } from '#studio/product'
import type { TrendChoice } from './WatchedFields'

/** The saved trends that an alert can watch besides events. */
export async function trendsOf(projectId: number, viewer: MemberViewer): Promise<TrendChoice[]> {
  const listed = await getProduct().insights.saved.list(projectId, { kind: 'trend' }, viewer)
  if (!listed.done) return []
  return listed.insights.map(({ id, name, question }) => ({
    id,
    name,
    lines: trendLabels(question) ?? [],
  }))
}

/** The dashboards that a report can be about besides web analytics. */
export async function dashboardsOf(
  projectId: number,
  viewer: MemberViewer,
): Promise<{ id: string; name: string }[]> {
  const all = await getProduct().dashboards.list(projectId, viewer)
  return all.filter(({ archivedAt }) => !archivedAt).map(({ id, name }) => ({ id, name }))
}
