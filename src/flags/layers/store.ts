import type { TableSource } from '#store/store'
import { openTables } from '#store/tables'
import type { FlagLayer } from './layers'

const open = openTables<{ flagLayers: FlagLayer }>()

export const layersOf = async (store: TableSource, projectId: number): Promise<FlagLayer[]> =>
  await open(store)
    .selectFrom('flagLayers')
    .selectAll()
    .where('projectId', '=', projectId)
    .orderBy('id')
    .execute()

export async function saveLayer(store: TableSource, layer: FlagLayer): Promise<void> {
  await open(store)
    .insertInto('flagLayers')
    .values(layer)
    .onConflict((conflict) => conflict.columns(['projectId', 'id']).doUpdateSet({ name: layer.name }))
    .execute()
}

export async function forgetLayer(
  store: TableSource,
  { projectId, id }: Pick<FlagLayer, 'projectId' | 'id'>,
): Promise<void> {
  await open(store).deleteFrom('flagLayers').where('projectId', '=', projectId).where('id', '=', id).execute()
}
