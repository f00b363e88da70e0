import type { Store } from '#store/store'
import { openTables } from '#store/tables'
import type { FlagLayer } from './layers'

type StoreOrTransaction = Pick<Store, 'tables'>

const open = openTables<{ flagLayers: FlagLayer }>()

export const layersOf = async (store: StoreOrTransaction, projectId: number): Promise<FlagLayer[]> =>
  await open(store)
    .selectFrom('flagLayers')
    .selectAll()
    .where('projectId', '=', projectId)
    .orderBy('id')
    .execute()

export async function saveLayer(store: StoreOrTransaction, layer: FlagLayer): Promise<void> {
  await open(store)
    .insertInto('flagLayers')
    .values(layer)
    .onConflict((conflict) => conflict.columns(['projectId', 'id']).doUpdateSet({ name: layer.name }))
    .execute()
}

export async function forgetLayer(
  store: StoreOrTransaction,
  { projectId, id }: Pick<FlagLayer, 'projectId' | 'id'>,
): Promise<void> {
  await open(store).deleteFrom('flagLayers').where('projectId', '=', projectId).where('id', '=', id).execute()
}
