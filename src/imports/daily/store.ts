import { type ExpressionBuilder, sql } from 'kysely'
import type { StoreTransaction, TableSource } from '#store/store'
import { openTables } from '#store/tables'
import {
  byMeasure,
  type DailyDimension,
  type DailyFigures,
  type DailyMeasure,
  dailyMeasures,
  type DailySum,
} from './daily-sum'

interface Tables {
  dailySums: DailySum & { projectId: number; importId: string }
}

const open = openTables<Tables>()

/** Days as `2026-01-31`; both are included. */
export interface ImportedSpan {
  from: string
  to: string
}

/** Returns the days and dimensions of which another import has brought sums, as `2026-01-31 page`. */
export async function daysOfOtherImports(
  source: TableSource,
  { projectId, id }: { projectId: number; id: string },
  days: readonly string[],
): Promise<ReadonlySet<string>> {
  if (days.length === 0) return new Set()
  const rows = await open(source)
    .selectFrom('dailySums')
    .select(['day', 'dimension'])
    .distinct()
    .where('projectId', '=', projectId)
    .where('day', 'in', days)
    .where('importId', '!=', id)
    .execute()
  return new Set(rows.map(({ day, dimension }) => `${day} ${dimension}`))
}

/** SQLite takes some 32,000 parameters, of which a row has eleven. */
const rowsAtOnce = 1000

/** Adds sums to those of the same import: an export may have several rows for one value. */
export async function addDailySums(
  transaction: StoreTransaction,
  { projectId, id }: { projectId: number; id: string },
  sums: readonly DailySum[],
): Promise<void> {
  const rows = merged(sums).map((sum) => ({ ...sum, projectId, importId: id }))
  for (let n = 0; n < rows.length; n += rowsAtOnce)
    await open(transaction)
      .insertInto('dailySums')
      .values(rows.slice(n, n + rowsAtOnce))
      .onConflict((conflict) =>
        conflict
          .columns(['projectId', 'day', 'dimension', 'value'])
          .doUpdateSet(
            byMeasure(
              (measure) =>
                sql<number>`${sql.ref(`dailySums.${measure}`)} + ${sql.ref(`excluded.${measure}`)}`,
            ),
          ),
      )
      .execute()
}

/** Postgres changes no row twice in one statement. */
function merged(sums: readonly DailySum[]): DailySum[] {
  const byKey = new Map<string, DailySum>()
  for (const sum of sums) {
    const key = `${sum.day} ${sum.dimension} ${sum.value}`
    const before = byKey.get(key)
    byKey.set(key, before ? { ...sum, ...byMeasure((measure) => before[measure] + sum[measure]) } : sum)
  }
  return [...byKey.values()]
}

export async function removeDailySums(transaction: StoreTransaction, importId: string): Promise<void> {
  await open(transaction).deleteFrom('dailySums').where('importId', '=', importId).execute()
}

/** Returns the first and the last day of all sums of a project. Each is one step in the index. */
export async function spanOfDailySums(
  source: TableSource,
  projectId: number,
): Promise<ImportedSpan | undefined> {
  const ends = open(source).selectFrom('dailySums').select('day').where('projectId', '=', projectId).limit(1)
  const first = await ends.orderBy('day').executeTakeFirst()
  const last = first && (await ends.orderBy('day', 'desc').executeTakeFirst())
  return first && last && { from: first.day, to: last.day }
}

/** Postgres returns the sum of bigints as text. */
const summed = ({ fn }: ExpressionBuilder<Tables, 'dailySums'>) =>
  dailyMeasures.map((measure) => fn.sum<number | string>(measure).as(measure))

const figuresOf = (row: Record<DailyMeasure, number | string>): DailyFigures =>
  byMeasure((measure) => Number(row[measure]))

/** Returns the totals of each day, in order. */
export async function dailyTotals(
  source: TableSource,
  projectId: number,
  { from, to }: ImportedSpan,
): Promise<(DailyFigures & { day: string })[]> {
  return await open(source)
    .selectFrom('dailySums')
    .select(['day', ...dailyMeasures])
    .where('projectId', '=', projectId)
    .where('dimension', '=', 'total')
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute()
}

/** Returns the values of a dimension with their sums over the days, those with the most of a measure first. */
export async function dailyValues(
  source: TableSource,
  projectId: number,
  { from, to, dimension, by, limit }: ImportedSpan & ValuesQuery,
): Promise<(DailyFigures & { value: string })[]> {
  const rows = await open(source)
    .selectFrom('dailySums')
    .select('value')
    .select(summed)
    .where('projectId', '=', projectId)
    .where('dimension', '=', dimension)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy('value')
    .orderBy(({ fn }) => fn.sum(by), 'desc')
    .orderBy('value')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ value: row.value, ...figuresOf(row) }))
}

interface ValuesQuery {
  dimension: DailyDimension
  by: DailyMeasure
  limit: number
}
