import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { InsightVersion, SavedInsight } from './saved-insights'
import { insightVersion, savedInsight } from './insight-schema'

interface SavedInsightTables {
  insights: RowsOf<SavedInsight>
  insightVersions: RowsOf<InsightVersion & { insightId: string }>
  insightFavourites: { insightId: string; memberId: string }
}

const open = openTables<SavedInsightTables>({ json: ['question', 'tags'] })
const versionColumns = insightVersion.keyof().options
/** All but `viewedAt`, which changes without the insight. */
const savedColumns = savedInsight.omit({ viewedAt: true }).keyof().options

export const insightsOf = async (store: TableSource, projectId: number): Promise<SavedInsight[]> =>
  await open(store)
    .selectFrom('insights')
    .selectAll()
    .where('projectId', '=', projectId)
    .orderBy('changedAt', 'desc')
    .orderBy('id')
    .execute()

export const insightNumbered = async (
  store: TableSource,
  projectId: number,
  id: string,
): Promise<SavedInsight | undefined> =>
  await open(store)
    .selectFrom('insights')
    .selectAll()
    .where('projectId', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()

export async function saveInsight(store: TableSource, insight: SavedInsight): Promise<void> {
  const row = rowOf(savedColumns, insight)
  await open(store)
    .insertInto('insights')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

export async function markViewed(store: TableSource, id: string, viewedAt: Date): Promise<void> {
  await open(store).updateTable('insights').set({ viewedAt }).where('id', '=', id).execute()
}

export async function addVersion(store: TableSource, insight: SavedInsight): Promise<void> {
  await open(store)
    .insertInto('insightVersions')
    .values({ insightId: insight.id, ...rowOf(versionColumns, insight) })
    .execute()
}

/** Returns the versions, newest first. */
export const versionsOf = async (store: TableSource, id: string): Promise<InsightVersion[]> =>
  await open(store)
    .selectFrom('insightVersions')
    .select(versionColumns)
    .where('insightId', '=', id)
    .orderBy('version', 'desc')
    .execute()

export async function favouritesOf(store: TableSource, memberId: string): Promise<ReadonlySet<string>> {
  const rows = await open(store)
    .selectFrom('insightFavourites')
    .select('insightId')
    .where('memberId', '=', memberId)
    .execute()
  return new Set(rows.map(({ insightId }) => insightId))
}

export async function setFavourite(
  store: TableSource,
  insightId: string,
  memberId: string,
  isFavourite: boolean,
): Promise<void> {
  if (isFavourite)
    await open(store)
      .insertInto('insightFavourites')
      .values({ insightId, memberId })
      .onConflict((conflict) => conflict.columns(['insightId', 'memberId']).doNothing())
      .execute()
  else
    await open(store)
      .deleteFrom('insightFavourites')
      .where('insightId', '=', insightId)
      .where('memberId', '=', memberId)
      .execute()
}
