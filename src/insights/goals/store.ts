import type { Selectable } from 'kysely'
import type { Store } from '../../store/store'
import type { Goal } from '../goal'
import type { SavedGoal } from '../goals'

interface Tables {
  goals: {
    id: string
    project_id: number
    name: string
    goal: string
    created_by: string
    created_at: string
  }
}

type Source = Pick<Store, 'tables'>

const open = (source: Source) => source.tables<Tables>()

const toGoal = (row: Selectable<Tables['goals']>): SavedGoal => ({
  id: row.id,
  projectId: row.project_id,
  name: row.name,
  goal: JSON.parse(row.goal) as Goal, // written by saveGoal alone
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
})

export async function goalsOf(source: Source, projectId: number): Promise<SavedGoal[]> {
  const rows = await open(source)
    .selectFrom('goals')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toGoal)
}

export async function saveGoal(source: Source, saved: SavedGoal): Promise<void> {
  const told = { name: saved.name, goal: JSON.stringify(saved.goal) }
  await open(source)
    .insertInto('goals')
    .values({
      id: saved.id,
      project_id: saved.projectId,
      created_by: saved.createdBy,
      created_at: saved.createdAt.toISOString(),
      ...told,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(told))
    .execute()
}

export async function forgetGoal(source: Source, { id }: SavedGoal): Promise<void> {
  await open(source).deleteFrom('goals').where('id', '=', id).execute()
}
