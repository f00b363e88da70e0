import { dateTime, type Sql, sql } from '#engine/sql'
import type { QueryScope } from '../../scope'
import { limitsOf, rangeOf } from './experiment'
import { columnsOf, type ExperimentRange, type MetricLimits, unitValues } from './query'
import type { ExperimentQuery } from './schema'

/**
 * The values of single units, for each metric of a query a column for each value: first those after the exposure,
 * then those before it. Null where the unit’s window is not over. A quantile has no value of a unit, and no columns.
 */
export type UnitSample = readonly (readonly (readonly (number | null)[])[])[]

/** Reads the values of at most so many units. */
export async function unitSample(
  query: ExperimentQuery,
  scope: QueryScope,
  most: number,
): Promise<UnitSample> {
  const range = rangeOf(query, scope)
  const limits = await limitsOf(query, scope, range)
  const lists = columnLists(query, range, limits)
  if (lists.every((columns) => columns.length === 0)) return lists.map(() => [])
  const [row] = await scope.run<{ columns: (number | null)[][] }>(
    sampleStatement(lists.flat(), unitValues(query, scope, { ...range, mostUnits: most })),
  )
  let from = 0
  return lists.map((columns) => columns.map(() => row?.columns[from++] ?? []))
}

const sampleStatement = (columns: readonly Sql[], units: Sql): Sql => sql`
  select [${sql.join(columns.map((column) => sql`groupArray(${column})`))}] as columns
  from (${units})`

const columnLists = (
  query: ExperimentQuery,
  range: ExperimentRange,
  limits: readonly MetricLimits[],
): Sql[][] =>
  query.metrics.map((metric, m) => {
    const { after, before, isCounted } = columnsOf(metric, m, {
      query,
      until: dateTime(range.events.until),
      limits: limits[m],
    })
    // an array skips null; JSON has null for what is no number
    return [...after, ...before].map((value) => sql`if(${isCounted}, ${value}, nan)`)
  })
