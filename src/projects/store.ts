import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { Project } from './project'

const open = openTables<{ projects: RowsOf<Project> }>({ json: ['hosts', 'aliases', 'intake', 'answers'] })
const columns = [
  'slug',
  'name',
  'timeZone',
  'writeKey',
  'hosts',
  'siteAddress',
  'aliases',
  'intake',
  'answers',
  'createdAt',
  'archivedAt',
] as const

export const allProjects = async (source: TableSource): Promise<Project[]> =>
  await open(source).selectFrom('projects').selectAll().orderBy('id').execute()

/** Project numbers are never reused: an archived project keeps its row and its events. */
export async function addProject(source: TableSource, project: Omit<Project, 'id'>): Promise<Project> {
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

export async function saveProject(source: TableSource, project: Project): Promise<void> {
  await open(source)
    .updateTable('projects')
    .set(rowOf(columns, project))
    .where('id', '=', project.id)
    .execute()
}
