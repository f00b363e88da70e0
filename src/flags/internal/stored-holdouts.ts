import type { TableSource } from '#store/store'
import { openTables } from '#store/tables'
import type { ProjectHoldout } from '../holdouts'

const open = openTables<{ flagHoldouts: ProjectHoldout }>()

/** Percentages come from the holdout, so that all its flags hold out the same people. */
export type HoldoutSizes = ReadonlyMap<number, number>

export async function holdoutSizes(
  store: TableSource,
  projectId?: number,
): Promise<Map<number, HoldoutSizes>> {
  const all = open(store).selectFrom('flagHoldouts').select(['projectId', 'id', 'percentage'])
  const rows = await (projectId === undefined ? all : all.where('projectId', '=', projectId)).execute()
  const byProject = Map.groupBy(rows, (row) => row.projectId)
  return new Map(
    Array.from(byProject, ([of, own]) => [of, new Map(own.map(({ id, percentage }) => [id, percentage]))]),
  )
}

export const holdoutsOf = async (store: TableSource, projectId: number): Promise<ProjectHoldout[]> =>
  await open(store)
    .selectFrom('flagHoldouts')
    .selectAll()
    .where('projectId', '=', projectId)
    .orderBy('id')
    .execute()

export async function saveHoldout(store: TableSource, holdout: ProjectHoldout): Promise<void> {
  const { name, percentage } = holdout
  await open(store)
    .insertInto('flagHoldouts')
    .values(holdout)
    .onConflict((conflict) => conflict.columns(['projectId', 'id']).doUpdateSet({ name, percentage }))
    .execute()
}

export async function forgetHoldout(store: TableSource, { projectId, id }: ProjectHoldout): Promise<void> {
  await open(store)
    .deleteFrom('flagHoldouts')
    .where('projectId', '=', projectId)
    .where('id', '=', id)
    .execute()
}
