import type { Selectable } from 'kysely'
import type { Store } from '#store/store'
import type { Goal } from '../compile/goal'
import type { SavedGoal } from './goals'

interface GoalTables {
  goals: {
    id: string
    project_id: number
    name: string
    goal: string
    created_by: string
    created_at: string
  }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<GoalTables>()

const toGoal = (row: Selectable<GoalTables['goals']>): SavedGoal => ({
  id: row.id,
  projectId: row.project_id,
  name: row.name,
  goal: JSON.parse(row.goal) as Goal, // only `saveGoal` writes it
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
})

export async function goalsOf(store: StoreOrTransaction, projectId: number): Promise<SavedGoal[]> {
  const rows = await open(store)
    .selectFrom('goals')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toGoal)
}

export async function saveGoal(store: StoreOrTransaction, saved: SavedGoal): Promise<void> {
  const columns = { name: saved.name, goal: JSON.stringify(saved.goal) }
  await open(store)
    .insertInto('goals')
    .values({
      id: saved.id,
      project_id: saved.projectId,
      created_by: saved.createdBy,
      created_at: saved.createdAt.toISOString(),
      ...columns,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}

export async function forgetGoal(store: StoreOrTransaction, { id }: SavedGoal): Promise<void> {
  await open(store).deleteFrom('goals').where('id', '=', id).execute()
}
