import type { Selectable } from 'kysely'
import type { Store } from '#store/store'
import type { InsightVersion, SavedInsight } from './saved-insights'
import type { BaseQuestion } from '../scope'

interface SavedInsightTables {
  insights: {
    id: string
    project_id: number
    name: string
    description: string
    question: string
    folder: string
    tags: string
    version: number
    created_by: string
    created_at: string
    changed_by: string
    changed_at: string
    viewed_at: string | null
    archived_at: string | null
  }
  insight_versions: {
    insight_id: string
    version: number
    name: string
    description: string
    question: string
    changed_by: string
    changed_at: string
  }
  insight_favourites: { insight_id: string; member_id: string }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<SavedInsightTables>()

/** Only `saveInsight` writes it, after parsing. */
const questionIn = (text: string) => JSON.parse(text) as BaseQuestion & { kind: string }

const toInsight = (row: Selectable<SavedInsightTables['insights']>): SavedInsight => ({
  id: row.id,
  projectId: row.project_id,
  name: row.name,
  description: row.description,
  question: questionIn(row.question),
  folder: row.folder,
  tags: JSON.parse(row.tags) as string[], // only `saveInsight` writes it
  version: row.version,
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
  changedBy: row.changed_by,
  changedAt: new Date(row.changed_at),
  viewedAt: row.viewed_at === null ? undefined : new Date(row.viewed_at),
  archivedAt: row.archived_at === null ? undefined : new Date(row.archived_at),
})

const toVersion = (row: Selectable<SavedInsightTables['insight_versions']>): InsightVersion => ({
  version: row.version,
  name: row.name,
  description: row.description,
  question: questionIn(row.question),
  changedBy: row.changed_by,
  changedAt: new Date(row.changed_at),
})

export async function insightsOf(store: StoreOrTransaction, projectId: number): Promise<SavedInsight[]> {
  const rows = await open(store)
    .selectFrom('insights')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('changed_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toInsight)
}

export async function insightNumbered(
  store: StoreOrTransaction,
  projectId: number,
  id: string,
): Promise<SavedInsight | undefined> {
  const row = await open(store)
    .selectFrom('insights')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toInsight(row)
}

export async function saveInsight(store: StoreOrTransaction, insight: SavedInsight): Promise<void> {
  const columns = {
    name: insight.name,
    description: insight.description,
    question: JSON.stringify(insight.question),
    folder: insight.folder,
    tags: JSON.stringify(insight.tags),
    version: insight.version,
    changed_by: insight.changedBy,
    changed_at: insight.changedAt.toISOString(),
    archived_at: insight.archivedAt?.toISOString() ?? null,
  }
  await open(store)
    .insertInto('insights')
    .values({
      id: insight.id,
      project_id: insight.projectId,
      created_by: insight.createdBy,
      created_at: insight.createdAt.toISOString(),
      viewed_at: null,
      ...columns,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}

export async function markViewed(store: StoreOrTransaction, id: string, at: Date): Promise<void> {
  await open(store)
    .updateTable('insights')
    .set({ viewed_at: at.toISOString() })
    .where('id', '=', id)
    .execute()
}

export async function addVersion(store: StoreOrTransaction, insight: SavedInsight): Promise<void> {
  await open(store)
    .insertInto('insight_versions')
    .values({
      insight_id: insight.id,
      version: insight.version,
      name: insight.name,
      description: insight.description,
      question: JSON.stringify(insight.question),
      changed_by: insight.changedBy,
      changed_at: insight.changedAt.toISOString(),
    })
    .execute()
}

/** Returns the versions, newest first. */
export async function versionsOf(store: StoreOrTransaction, id: string): Promise<InsightVersion[]> {
  const rows = await open(store)
    .selectFrom('insight_versions')
    .selectAll()
    .where('insight_id', '=', id)
    .orderBy('version', 'desc')
    .execute()
  return rows.map(toVersion)
}

export async function favouritesOf(
  store: StoreOrTransaction,
  memberId: string,
): Promise<ReadonlySet<string>> {
  const rows = await open(store)
    .selectFrom('insight_favourites')
    .select('insight_id')
    .where('member_id', '=', memberId)
    .execute()
  return new Set(rows.map((row) => row.insight_id))
}

export async function setFavourite(
  store: StoreOrTransaction,
  insightId: string,
  memberId: string,
  isFavourite: boolean,
): Promise<void> {
  const its = { insight_id: insightId, member_id: memberId }
  if (isFavourite)
    await open(store)
      .insertInto('insight_favourites')
      .values(its)
      .onConflict((conflict) => conflict.columns(['insight_id', 'member_id']).doNothing())
      .execute()
  else
    await open(store)
      .deleteFrom('insight_favourites')
      .where('insight_id', '=', insightId)
      .where('member_id', '=', memberId)
      .execute()
}
