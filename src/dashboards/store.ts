import type { Selectable } from 'kysely'
import type { Store } from '#store/store'
import type { SavedCard, Dashboard, DashboardVersion, ViewOverrides } from './dashboard'

interface DashboardTables {
  dashboards: {
    id: string
    project_id: number
    name: string
    description: string
    cards: string
    look: string
    version: number
    created_by: string
    created_at: string
    changed_by: string
    changed_at: string
    archived_at: string | null
  }
  dashboard_versions: {
    dashboard_id: string
    version: number
    cards: string
    changed_by: string
    changed_at: string
  }
  project_homes: { project_id: number; dashboard_id: string }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<DashboardTables>()

/** Written by saveDashboard and addVersion alone. */
const cardsIn = (text: string) => JSON.parse(text) as SavedCard[]

const toDashboard = (row: Selectable<DashboardTables['dashboards']>): Dashboard => ({
  id: row.id,
  projectId: row.project_id,
  name: row.name,
  description: row.description,
  cards: cardsIn(row.cards),
  look: JSON.parse(row.look) as ViewOverrides, // written by saveDashboard alone
  version: row.version,
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
  changedBy: row.changed_by,
  changedAt: new Date(row.changed_at),
  archivedAt: row.archived_at === null ? undefined : new Date(row.archived_at),
})

/** Returns all dashboards, archived ones included, by name. */
export async function dashboardsOf(store: StoreOrTransaction, projectId: number): Promise<Dashboard[]> {
  const rows = await open(store)
    .selectFrom('dashboards')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('name')
    .orderBy('id')
    .execute()
  return rows.map(toDashboard)
}

export async function dashboardNumbered(
  store: StoreOrTransaction,
  projectId: number,
  id: string,
): Promise<Dashboard | undefined> {
  const row = await open(store)
    .selectFrom('dashboards')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toDashboard(row)
}

export async function saveDashboard(store: StoreOrTransaction, dashboard: Dashboard): Promise<void> {
  const columns = {
    name: dashboard.name,
    description: dashboard.description,
    cards: JSON.stringify(dashboard.cards),
    look: JSON.stringify(dashboard.look),
    version: dashboard.version,
    changed_by: dashboard.changedBy,
    changed_at: dashboard.changedAt.toISOString(),
    archived_at: dashboard.archivedAt?.toISOString() ?? null,
  }
  await open(store)
    .insertInto('dashboards')
    .values({
      id: dashboard.id,
      project_id: dashboard.projectId,
      created_by: dashboard.createdBy,
      created_at: dashboard.createdAt.toISOString(),
      ...columns,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}

export async function addVersion(store: StoreOrTransaction, dashboard: Dashboard): Promise<void> {
  await open(store)
    .insertInto('dashboard_versions')
    .values({
      dashboard_id: dashboard.id,
      version: dashboard.version,
      cards: JSON.stringify(dashboard.cards),
      changed_by: dashboard.changedBy,
      changed_at: dashboard.changedAt.toISOString(),
    })
    .execute()
}

/** Returns the last hundred versions, newest first. */
export async function versionsOf(store: StoreOrTransaction, id: string): Promise<DashboardVersion[]> {
  const rows = await open(store)
    .selectFrom('dashboard_versions')
    .selectAll()
    .where('dashboard_id', '=', id)
    .orderBy('version', 'desc')
    .limit(100)
    .execute()
  return rows.map((row) => ({
    version: row.version,
    cards: cardsIn(row.cards),
    changedBy: row.changed_by,
    changedAt: new Date(row.changed_at),
  }))
}

export async function forgetVersions(store: StoreOrTransaction, { id, version }: Dashboard): Promise<void> {
  await open(store)
    .deleteFrom('dashboard_versions')
    .where('dashboard_id', '=', id)
    .where('version', '<=', version - 100)
    .execute()
}

export async function homeOf(store: StoreOrTransaction, projectId: number): Promise<string | undefined> {
  const row = await open(store)
    .selectFrom('project_homes')
    .select('dashboard_id')
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return row?.dashboard_id
}

export async function saveHome(
  store: StoreOrTransaction,
  projectId: number,
  id: string | undefined,
): Promise<void> {
  await open(store).deleteFrom('project_homes').where('project_id', '=', projectId).execute()
  if (id === undefined) return
  await open(store).insertInto('project_homes').values({ project_id: projectId, dashboard_id: id }).execute()
}
