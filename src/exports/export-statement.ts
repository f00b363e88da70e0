import type { FileFormat } from '#engine/engine'
import { projectViews } from '#engine/project-views'
import { dateTime, identifier, type Sql, sql, strings, uint } from '#engine/sql'

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

/** A distinct id that belongs to a person although no event has it. */
export interface UnusedId {
  distinctId: string
  personId: string
}

/** The rows of a project's view, with the columns that docs/sql.md describes; persons with their distinct ids. */
export function exportStatement(
  projectId: number,
  table: ExportTable,
  {
    period,
    format,
    unusedIds = [],
  }: { period?: ExportPeriod | undefined; format: TableFormat; unusedIds?: readonly UnusedId[] },
): Sql {
  const columns: Record<string, { type: string }> = {
    ...projectViews[table].columns,
    ...(table === 'persons' && { distinct_ids: { type: 'Array(String)' } }),
  }
  const names = Object.keys(columns)
  const shown = Object.entries(columns).map(([name, { type }]) => {
    const column = identifier(name, names)
    return sql`${shownValue(column, type, format)} as ${column}`
  })
  const rows = table === 'persons' ? personsWithIds(projectId, unusedIds) : rowsOf(projectId, table)
  return sql`select ${sql.join(shown)} from (${rows}) ${withinPeriod(table, period)}`
}

/** Persons with the ids that their events have, and those that they claimed without an event. */
const personsWithIds = (projectId: number, unusedIds: readonly UnusedId[]): Sql => sql`
  select known.*, named.distinct_ids as distinct_ids
  from (${rowsOf(projectId, 'persons')}) as known
  left any join (
    select person_id, arraySort(groupUniqArray(distinct_id)) as distinct_ids
    from (
      select person_id, distinct_id from (${rowsOf(projectId, 'events')})
      union all
      select toUUIDOrZero(claim.1) as person_id, claim.2 as distinct_id
      from (
        select arrayJoin(arrayZip(
          ${strings(unusedIds.map(({ personId }) => personId))},
          ${strings(unusedIds.map(({ distinctId }) => distinctId))}
        )) as claim
      )
    )
    where person_id in (select person_id from (${rowsOf(projectId, 'persons')}))
    group by person_id
  ) as named on named.person_id = known.person_id`

/** Those of some distinct ids that an event has. */
export const usedIdsStatement = (projectId: number, distinctIds: readonly string[]): Sql => sql`
  select distinct distinct_id
  from events
  where project_id = ${uint(projectId)} and distinct_id in ${strings(distinctIds)}`

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
  if (format === 'csv' && /^(?:Map|Array)/.test(type)) return sql`toJSONString(${column})`
  return column
}
