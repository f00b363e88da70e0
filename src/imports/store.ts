import type { ColumnType, Selectable } from 'kysely'
import { dateOrUndefined, isoOrNull } from '#store/rows'
import type { Store } from '#store/store'
import type { Import } from './import'

/** Postgres returns a bigint as text. */
type BigNumber = ColumnType<number | string, number, number>

interface Tables {
  imports: {
    id: string
    project_id: number
    source: string
    name: string
    fingerprint: string
    state: Import['state']
    until: string | null
    counts: string
    rows_read: BigNumber
    kept: BigNumber
    sums: BigNumber
    cursor: string | null
    stored: ColumnType<number | string | null, number | null, number | null>
    first_at: string | null
    last_at: string | null
    created_by: string
    created_at: string
    changed_at: string
  }
}

type TableSource = Pick<Store, 'tables'>

const open = (source: TableSource) => source.tables<Tables>()

const toImport = (row: Selectable<Tables['imports']>): Import => ({
  id: row.id,
  projectId: row.project_id,
  source: row.source,
  name: row.name,
  fingerprint: row.fingerprint,
  state: row.state,
  until: dateOrUndefined(row.until),
  rows: Number(row.rows_read),
  cursor: row.cursor ?? undefined,
  kept: Number(row.kept),
  sums: Number(row.sums),
  dropped: JSON.parse(row.counts) as Record<string, number>, // only `toRow` writes it
  stored: row.stored === null ? undefined : Number(row.stored),
  firstAt: dateOrUndefined(row.first_at),
  lastAt: dateOrUndefined(row.last_at),
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
  changedAt: new Date(row.changed_at),
})

const toRow = (one: Import) => ({
  id: one.id,
  project_id: one.projectId,
  source: one.source,
  name: one.name,
  fingerprint: one.fingerprint,
  state: one.state,
  until: isoOrNull(one.until),
  counts: JSON.stringify(one.dropped),
  rows_read: one.rows,
  cursor: one.cursor ?? null,
  kept: one.kept,
  sums: one.sums,
  stored: one.stored ?? null,
  first_at: isoOrNull(one.firstAt),
  last_at: isoOrNull(one.lastAt),
  created_by: one.createdBy,
  created_at: one.createdAt.toISOString(),
  changed_at: one.changedAt.toISOString(),
})

/** Returns the imports of a project, the latest first. */
export async function importsOf(source: TableSource, projectId: number): Promise<Import[]> {
  const rows = await open(source)
    .selectFrom('imports')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toImport)
}

export async function findImport(
  source: TableSource,
  projectId: number,
  id: string,
): Promise<Import | undefined> {
  const row = await open(source)
    .selectFrom('imports')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toImport(row)
}

/** Returns the imports of all projects that wait for the front. */
export async function waitingImports(source: TableSource): Promise<Import[]> {
  const rows = await open(source)
    .selectFrom('imports')
    .selectAll()
    .where('state', 'in', ['storing', 'undoing'])
    .orderBy('created_at')
    .execute()
  return rows.map(toImport)
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
    .where('rows_read', '=', before.rows)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) > 0
}

/** Returns how many events imports have brought to each project since then. */
export async function importedSince(source: TableSource, since: Date): Promise<ReadonlyMap<number, number>> {
  const rows = await open(source)
    .selectFrom('imports')
    .select(['project_id', 'kept', 'stored'])
    .where('created_at', '>=', since.toISOString())
    .where('state', '!=', 'undone')
    .execute()
  const counts = new Map<number, number>()
  for (const { project_id, kept, stored } of rows)
    counts.set(project_id, (counts.get(project_id) ?? 0) + Number(stored ?? kept))
  return counts
}
