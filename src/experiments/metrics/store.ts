import type { TableSource } from '#store/store'
import { openTables, rowOf } from '#store/tables'
import type { SavedMetric } from './saved-metric'

interface SavedMetricTables {
  savedMetrics: Omit<SavedMetric, keyof SavedMetricDefinition> & { definition: SavedMetricDefinition }
}

const open = openTables<SavedMetricTables>({ json: ['definition'] })

type SavedMetricDefinition = Pick<SavedMetric, 'description' | 'goal' | 'measured' | 'tags'>

export async function savedMetricsOf(store: TableSource, projectId: number): Promise<SavedMetric[]> {
  const rows = await open(store)
    .selectFrom('savedMetrics')
    .selectAll()
    .where('projectId', '=', projectId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows.map(({ definition, ...row }) => ({ ...definition, ...row }))
}

export async function saveSavedMetric(store: TableSource, metric: SavedMetric): Promise<void> {
  const { description, goal, measured, tags } = metric
  const row = {
    ...rowOf(['id', 'projectId', 'name', 'createdBy', 'createdAt'], metric),
    definition: { description, goal, measured, tags },
  }
  await open(store)
    .insertInto('savedMetrics')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

export async function removeSavedMetric(store: TableSource, { id }: SavedMetric): Promise<void> {
  await open(store).deleteFrom('savedMetrics').where('id', '=', id).execute()
}
