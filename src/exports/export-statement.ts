import type { FileFormat } from '#engine/engine'
import { projectViews } from '#engine/project-views'
import { dateTime, identifier, type Sql, sql, uint } from '#engine/sql'

/** Formats of exported files, with what the engine calls them. */
export const exportFormats = {
  jsonl: { contentType: 'application/x-ndjson', first: 'JSONEachRow', next: 'JSONEachRow' },
  csv: { contentType: 'text/csv; charset=utf-8', first: 'CSVWithNames', next: 'CSV' },
  // the footer of a file describes all of it, so that it is one statement
  parquet: { contentType: 'application/vnd.apache.parquet', first: 'Parquet', next: undefined },
} as const satisfies Record<string, { contentType: string; first: FileFormat; next: FileFormat | undefined }>
export type TableFormat = keyof typeof exportFormats
export const formatNames = ['jsonl', 'csv', 'parquet'] as const satisfies readonly TableFormat[]

/** The tables that can be exported. Events and sessions have a time, so that a period of them can be chosen. */
export const exportTables = {
  events: { timeColumn: 'timestamp' },
  sessions: { timeColumn: 'started_at' },
  persons: { timeColumn: undefined },
  groups: { timeColumn: undefined },
} as const
export type ExportTable = keyof typeof exportTables

/** A period from an instant until before another. */
export interface ExportPeriod {
  from: Date
  until: Date
}

/** A month in UTC, such as 2026-11. */
export function periodOfMonth(month: string): ExportPeriod {
  const from = new Date(`${month}-01T00:00:00Z`)
  return { from, until: new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1)) }
}

/** The rows of a project's view, with the columns that docs/sql.md describes. */
export function exportStatement(
  projectId: number,
  table: ExportTable,
  { period, format }: { period?: ExportPeriod | undefined; format: TableFormat },
): Sql {
  const { columns } = projectViews[table]
  const names = Object.keys(columns)
  const shown = Object.entries(columns).map(([name, { type }]) => {
    const column = identifier(name, names)
    return sql`${shownValue(column, type, format)} as ${column}`
  })
  return sql`select ${sql.join(shown)} from (${rowsOf(projectId, table)}) ${withinPeriod(table, period)}`
}

/** The number of rows of each month, in UTC, or of all months in one row where rows have no time. */
export function countStatement(projectId: number, table: ExportTable, period?: ExportPeriod): Sql {
  const { timeColumn } = exportTables[table]
  if (!timeColumn) return sql`select count() as rows from (${rowsOf(projectId, table)}) having rows > 0`
  const time = identifier(timeColumn, [timeColumn])
  return sql`
    select toString(toStartOfMonth(${time})) as month, count() as rows
    from (${rowsOf(projectId, table)}) ${withinPeriod(table, period)}
    group by month
    order by month`
}

const rowsOf = (projectId: number, table: ExportTable): Sql =>
  projectViews[table].select({
    table: (base) => identifier(base, [base]),
    projectFilter: sql`project_id = ${uint(projectId)}`,
    hasMerged: true,
  })

function withinPeriod(table: ExportTable, period: ExportPeriod | undefined): Sql {
  const { timeColumn } = exportTables[table]
  if (!timeColumn || !period) return sql``
  const time = identifier(timeColumn, [timeColumn])
  return sql`where ${time} >= ${dateTime(period.from)} and ${time} < ${dateTime(period.until)}`
}

/** Ids as text, none as an empty one: Parquet would keep their bytes. CSV has no objects, so they are JSON in it. */
function shownValue(column: Sql, type: string, format: TableFormat): Sql {
  if (type === 'UUID') return sql`if(empty(${column}), '', toString(${column}))`
  if (format === 'csv' && type.startsWith('Map')) return sql`toJSONString(${column})`
  return column
}
