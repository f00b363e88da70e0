import { type ColumnType, type ExpressionBuilder, sql } from 'kysely'
import type { Store, StoreTransaction } from '#store/store'
import {
  byMeasure,
  type DailyDimension,
  type DailyFigures,
  type DailyMeasure,
  dailyMeasures,
  type DailySum,
} from './daily-sum'

/** Postgres returns a bigint as text. */
type BigNumber = ColumnType<number | string, number, number>

interface DailySumRow extends Record<DailyMeasure, BigNumber> {
  project_id: number
  day: string
  dimension: DailyDimension
  value: string
  import_id: string
}

interface Tables {
  daily_sums: DailySumRow
}

type TableSource = Pick<Store, 'tables'>

const open = (source: TableSource) => source.tables<Tables>()

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
    .selectFrom('daily_sums')
    .select(['day', 'dimension'])
    .distinct()
    .where('project_id', '=', projectId)
    .where('day', 'in', days)
    .where('import_id', '!=', id)
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
  const rows = merged(sums).map((sum) => ({ ...sum, project_id: projectId, import_id: id }))
  for (let n = 0; n < rows.length; n += rowsAtOnce)
    await open(transaction)
      .insertInto('daily_sums')
      .values(rows.slice(n, n + rowsAtOnce))
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'day', 'dimension', 'value'])
          .doUpdateSet(
            byMeasure(
              (measure) =>
                sql<number>`${sql.ref(`daily_sums.${measure}`)} + ${sql.ref(`excluded.${measure}`)}`,
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
  await open(transaction).deleteFrom('daily_sums').where('import_id', '=', importId).execute()
}

/** Returns the first and the last day of all sums of a project. Each is one step in the index. */
export async function spanOfDailySums(
  source: TableSource,
  projectId: number,
): Promise<ImportedSpan | undefined> {
  const ends = open(source)
    .selectFrom('daily_sums')
    .select('day')
    .where('project_id', '=', projectId)
    .limit(1)
  const first = await ends.orderBy('day').executeTakeFirst()
  const last = first && (await ends.orderBy('day', 'desc').executeTakeFirst())
  return first && last && { from: first.day, to: last.day }
}

const summed = ({ fn }: ExpressionBuilder<Tables, 'daily_sums'>) =>
  dailyMeasures.map((measure) => fn.sum<number | string>(measure).as(measure))

const figuresOf = (row: Record<DailyMeasure, number | string>): DailyFigures =>
  byMeasure((measure) => Number(row[measure]))

/** Returns the totals of each day, in order. */
export async function dailyTotals(
  source: TableSource,
  projectId: number,
  { from, to }: ImportedSpan,
): Promise<(DailyFigures & { day: string })[]> {
  const rows = await open(source)
    .selectFrom('daily_sums')
    .select(['day', ...dailyMeasures])
    .where('project_id', '=', projectId)
    .where('dimension', '=', 'total')
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute()
  return rows.map((row) => ({ day: row.day, ...figuresOf(row) }))
}

/** Returns the values of a dimension with their sums over the days, those with the most of a measure first. */
export async function dailyValues(
  source: TableSource,
  projectId: number,
  { from, to, dimension, by, limit }: ImportedSpan & ValuesQuestion,
): Promise<(DailyFigures & { value: string })[]> {
  const rows = await open(source)
    .selectFrom('daily_sums')
    .select('value')
    .select(summed)
    .where('project_id', '=', projectId)
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

interface ValuesQuestion {
  dimension: DailyDimension
  by: DailyMeasure
  limit: number
}
