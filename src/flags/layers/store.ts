import type { Store } from '#store/store'
import type { FlagLayer } from './layers'

interface LayerTables {
  flag_layers: { project_id: number; id: number; name: string; created_by: string; created_at: string }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<LayerTables>()

export async function layersOf(store: StoreOrTransaction, projectId: number): Promise<FlagLayer[]> {
  const rows = await open(store)
    .selectFrom('flag_layers')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    createdBy: row.created_by,
    createdAt: new Date(row.created_at),
  }))
}

export async function saveLayer(store: StoreOrTransaction, layer: FlagLayer): Promise<void> {
  const { id, projectId, name, createdBy, createdAt } = layer
  await open(store)
    .insertInto('flag_layers')
    .values({ project_id: projectId, id, name, created_by: createdBy, created_at: createdAt.toISOString() })
    .onConflict((conflict) => conflict.columns(['project_id', 'id']).doUpdateSet({ name }))
    .execute()
}

export async function forgetLayer(
  store: StoreOrTransaction,
  { projectId, id }: Pick<FlagLayer, 'projectId' | 'id'>,
): Promise<void> {
  await open(store)
    .deleteFrom('flag_layers')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute()
}
