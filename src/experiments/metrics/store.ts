import type { Selectable } from 'kysely'
import type { Store } from '#store/store'
import type { SavedMetric } from './saved-metric'

interface SavedMetricTables {
  saved_metrics: {
    id: string
    project_id: number
    name: string
    definition: string
    created_by: string
    created_at: string
  }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<SavedMetricTables>()

type SavedMetricDefinition = Pick<SavedMetric, 'description' | 'goal' | 'measured' | 'tags'>

const toSavedMetric = (row: Selectable<SavedMetricTables['saved_metrics']>): SavedMetric => ({
  ...(JSON.parse(row.definition) as SavedMetricDefinition), // only `saveSavedMetric` writes it
  id: row.id,
  projectId: row.project_id,
  name: row.name,
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
})

export async function savedMetricsOf(store: StoreOrTransaction, projectId: number): Promise<SavedMetric[]> {
  const rows = await open(store)
    .selectFrom('saved_metrics')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toSavedMetric)
}

export async function saveSavedMetric(store: StoreOrTransaction, metric: SavedMetric): Promise<void> {
  const { description, goal, measured, tags } = metric
  const definition: SavedMetricDefinition = { description, goal, measured, tags }
  const columns = { name: metric.name, definition: JSON.stringify(definition) }
  await open(store)
    .insertInto('saved_metrics')
    .values({
      id: metric.id,
      project_id: metric.projectId,
      created_by: metric.createdBy,
      created_at: metric.createdAt.toISOString(),
      ...columns,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}

export async function removeSavedMetric(store: StoreOrTransaction, { id }: SavedMetric): Promise<void> {
  await open(store).deleteFrom('saved_metrics').where('id', '=', id).execute()
}
