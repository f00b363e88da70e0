import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { Import } from './import'

interface Tables {
  imports: RowsOf<Omit<Import, 'rows' | 'dropped'> & { rowsRead: number; counts: Import['dropped'] }>
}

const open = openTables<Tables>({ json: ['counts'] })
const columns = [
  'id',
  'projectId',
  'source',
  'name',
  'fingerprint',
  'state',
  'until',
  'cursor',
  'kept',
  'sums',
  'profiles',
  'stored',
  'firstAt',
  'lastAt',
  'createdBy',
  'createdAt',
  'changedAt',
] as const

const toRow = (one: Import) => ({ ...rowOf(columns, one), rowsRead: one.rows, counts: one.dropped })

const imports = (source: TableSource) => open(source).selectFrom('imports').selectAll()

type StoredImport = Awaited<ReturnType<ReturnType<typeof imports>['execute']>>[number]

const toImport = ({ rowsRead, counts, ...row }: StoredImport): Import => ({
  ...row,
  rows: rowsRead,
  dropped: counts,
})

/** Returns the imports of a project, the latest first. */
export async function importsOf(source: TableSource, projectId: number): Promise<Import[]> {
  const ofProject = imports(source).where('projectId', '=', projectId)
  return (await ofProject.orderBy('createdAt', 'desc').orderBy('id').execute()).map(toImport)
}

export async function findImport(
  source: TableSource,
  projectId: number,
  id: string,
): Promise<Import | undefined> {
  const row = await imports(source).where('projectId', '=', projectId).where('id', '=', id).executeTakeFirst()
  return row && toImport(row)
}

/** Returns the imports of all projects that wait for the front. */
export async function waitingImports(source: TableSource): Promise<Import[]> {
  const waiting = imports(source).where('state', 'in', ['storing', 'undoing'])
  return (await waiting.orderBy('createdAt').execute()).map(toImport)
}

export async function addImport(source: TableSource, added: Import): Promise<void> {
  await open(source).insertInto('imports').values(toRow(added)).execute()
}

/** Saves an import unless it was changed meanwhile. Returns whether it was saved. */
export async function saveImport(source: TableSource, before: Import, after: Import): Promise<boolean> {
  const result = await open(source)
    .updateTable('imports')
    .set(toRow(after))
    .where('id', '=', before.id)
    .where('state', '=', before.state)
    .where('rowsRead', '=', before.rows)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) > 0
}

/** Returns how many events imports have brought to each project since then. */
export async function importedSince(source: TableSource, since: Date): Promise<ReadonlyMap<number, number>> {
  const rows = await open(source)
    .selectFrom('imports')
    .select(['projectId', 'kept', 'stored'])
    .where('createdAt', '>=', since)
    .where('state', '!=', 'undone')
    .execute()
  const counts = new Map<number, number>()
  for (const { projectId, kept, stored } of rows)
    counts.set(projectId, (counts.get(projectId) ?? 0) + (stored ?? kept))
  return counts
}
