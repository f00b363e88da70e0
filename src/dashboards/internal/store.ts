import { entryTable } from '#collection/entry-table'
import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import { type Dashboard, dashboardSchema, dashboardVersion, type DashboardVersion } from '../dashboard'

interface DashboardTables {
  dashboardVersions: RowsOf<DashboardVersion & { dashboardId: string }>
  projectHomes: { projectId: number; dashboardId: string }
}

const open = openTables<DashboardTables>({ json: ['cards'] })
const versionColumns = dashboardVersion.keyof().options

/** Archived ones are listed too. */
export const dashboardTable = entryTable('dashboards', dashboardSchema, { orderBy: ['name'] })

export async function addVersion(store: TableSource, dashboard: Dashboard): Promise<void> {
  await open(store)
    .insertInto('dashboardVersions')
    .values({ dashboardId: dashboard.id, ...rowOf(versionColumns, dashboard) })
    .execute()
}

/** Returns the last hundred versions, newest first. */
export const versionsOf = async (store: TableSource, id: string): Promise<DashboardVersion[]> =>
  await open(store)
    .selectFrom('dashboardVersions')
    .select(versionColumns)
    .where('dashboardId', '=', id)
    .orderBy('version', 'desc')
    .limit(100)
    .execute()

export async function forgetVersions(store: TableSource, { id, version }: Dashboard): Promise<void> {
  await open(store)
    .deleteFrom('dashboardVersions')
    .where('dashboardId', '=', id)
    .where('version', '<=', version - 100)
    .execute()
}

export async function homeOf(store: TableSource, projectId: number): Promise<string | undefined> {
  const row = await open(store)
    .selectFrom('projectHomes')
    .select('dashboardId')
    .where('projectId', '=', projectId)
    .executeTakeFirst()
  return row?.dashboardId
}

export async function saveHome(
  store: TableSource,
  projectId: number,
  dashboardId: string | undefined,
): Promise<void> {
  await open(store).deleteFrom('projectHomes').where('projectId', '=', projectId).execute()
  if (dashboardId === undefined) return
  await open(store).insertInto('projectHomes').values({ projectId, dashboardId }).execute()
}
