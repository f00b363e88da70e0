import type { Store } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { Project } from './project'

/** The store, or a transaction in it. */
export type ProjectTableSource = Pick<Store, 'tables'>

const open = openTables<{ projects: RowsOf<Project> }>({ json: ['hosts', 'aliases', 'intake', 'answers'] })
const columns = [
  'slug',
  'name',
  'timeZone',
  'writeKey',
  'hosts',
  'aliases',
  'intake',
  'answers',
  'createdAt',
  'archivedAt',
] as const

export const allProjects = async (source: ProjectTableSource): Promise<Project[]> =>
  await open(source).selectFrom('projects').selectAll().orderBy('id').execute()

/** Project numbers are never reused: an archived project keeps its row and its events. */
export async function addProject(source: ProjectTableSource, project: Omit<Project, 'id'>): Promise<Project> {
  const top = await open(source)
    .selectFrom('projects')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  const id = (top?.id ?? 0) + 1
  await open(source)
    .insertInto('projects')
    .values({ id, ...rowOf(columns, project) })
    .execute()
  return { id, ...project }
}

export async function saveProject(source: ProjectTableSource, project: Project): Promise<void> {
  await open(source)
    .updateTable('projects')
    .set(rowOf(columns, project))
    .where('id', '=', project.id)
    .execute()
}
