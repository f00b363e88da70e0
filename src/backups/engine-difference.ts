import type { Engine } from '#engine/engine'
import { type Sql, sql, uint } from '#engine/sql'
import { BackupRefusedError } from './backup-refused'
import {
  applyPatches,
  cloneIdentifier,
  cloneTableName,
  type EngineTable,
  keepParts,
  liveTables,
  type TableNames,
} from './internal/engine-clone'
import { copyPart, type EnginePart, partsIn } from './internal/native-slices'
import {
  smallTableSums,
  sumDifferences,
  sumsByDay,
  sumsByMonth,
  type TableSum,
} from './internal/verification-queries'

/** One moment of the events, which does not change while it is read. */
export interface EngineSource {
  engine: Pick<Engine, 'query' | 'command' | 'queryNative'>
  tables: TableNames
  nameOf: (table: EngineTable) => string
}

/** The clone of this id on a server. */
export const cloneSource = (engine: EngineSource['engine'], id: string): EngineSource => ({
  engine,
  tables: (table) => cloneIdentifier(id, table),
  nameOf: (table) => cloneTableName(id, table),
})

/** An engine that was started on links to the parts of a point. */
export async function linkedSource(engine: EngineSource['engine']): Promise<EngineSource> {
  await applyPatches(engine)
  return { engine, tables: liveTables, nameOf: (table) => table }
}

interface DifferenceToCopy {
  from: EngineSource
  to: Pick<Engine, 'query' | 'command' | 'insertNative'>
  progress: (copiedRows: number, allRows: number) => void
}

/** The days of one month whose events are not the same in both. */
interface MonthToCopy {
  month: number
  days: number[]
  /** Whether it is copied as a whole, after all that was there is removed. */
  isWhole: boolean
}

const deadlineMs = 60 * 60_000

/**
 * Gives an engine the rows that the source has, and copies only the days of events, and the tables, that are not the same
 * already: everything the first time, little after that, and the rest of what a killed copy began. Returns the number of
 * copied rows. Throws a `BackupRefusedError` if something is not the same at the end.
 */
export async function copyDifferences({ from, to, progress }: DifferenceToCopy): Promise<number> {
  await keepParts(from.engine, from.tables)
  const days = await sumsByDay(from.engine, from.tables)
  const months = monthsToCopy(days, await sumsByDay(to, liveTables))
  const small = await smallTableSums(from.engine, from.tables)
  const otherTables = differing(small, await smallTableSums(to, liveTables)).map(({ of }) => of)
  const all =
    rowsOfDays(days, months) +
    small.reduce((sum, { of, rows }) => sum + (otherTables.includes(of) ? rows : 0), 0)
  let copied = 0
  const count = (rows: number) => progress((copied += rows), all)
  for (const month of months) await copyMonth(month, { from, to, count })
  for (const table of otherTables) {
    await to.command(sql`truncate table ${liveTables(table)} settings max_table_size_to_drop = 0`, {
      deadlineMs,
    })
    for (const part of await partsIn(from.engine, from.nameOf(table)))
      await copyRows(part, table, { from, to, count })
  }
  if (copied > 0 || months.length > 0) await requireSameRows(from, to)
  return copied
}

async function requireSameRows(from: EngineSource, to: Pick<Engine, 'query'>): Promise<void> {
  const differences = sumDifferences(await sumsByMonth(from.engine, from.tables), await sumsByMonth(to))
  if (differences.length === 0) return
  throw new BackupRefusedError(
    ['The events of the new form are not those of the old one:', ...differences].join('\n'),
  )
}

function monthsToCopy(source: readonly TableSum[], target: readonly TableSum[]): MonthToCopy[] {
  const unequal = [...differing(source, target), ...strangers(source, target)].map(({ month }) => month)
  return [...Map.groupBy(unequal, monthOf)].map(([month, days]) => {
    const there = target.filter((sum) => monthOf(sum.month) === month)
    // one pass over the month costs less than to look for most of its days
    return { month, days, isWhole: there.length === 0 || days.length * 2 > there.length }
  })
}

const monthOf = (day: number): number => Math.floor(day / 100)

/** Returns the sums of the source that the target has otherwise, or not at all. */
function differing(source: readonly TableSum[], target: readonly TableSum[]): TableSum[] {
  const found = new Map(target.map((sum) => [keyOf(sum), sum]))
  return source.filter((sum) => {
    const other = found.get(keyOf(sum))
    return other?.rows !== sum.rows || other.checksum !== sum.checksum
  })
}

function strangers(source: readonly TableSum[], target: readonly TableSum[]): TableSum[] {
  const known = new Set(source.map(keyOf))
  return target.filter((sum) => !known.has(keyOf(sum)))
}

const keyOf = ({ of, month }: TableSum): string => `${of} ${month}`

const rowsOfDays = (days: readonly TableSum[], months: readonly MonthToCopy[]): number =>
  days
    .filter(({ month: day }) =>
      months.some(
        ({ month, isWhole, days: some }) => month === monthOf(day) && (isWhole || some.includes(day)),
      ),
    )
    .reduce((sum, { rows }) => sum + rows, 0)

interface Copying extends Omit<DifferenceToCopy, 'progress'> {
  count: (rows: number) => void
}

async function copyMonth({ month, days, isWhole }: MonthToCopy, copying: Copying): Promise<void> {
  const { from, to } = copying
  const list = sql.join(days.map((day) => uint(day)))
  const isOfDays = sql`toYYYYMMDD(timestamp) in (${list})`
  await to.command(
    isWhole
      ? sql`alter table events drop partition ${uint(month)} settings max_partition_size_to_drop = 0`
      : sql`alter table events delete where ${isOfDays} settings mutations_sync = 2`,
    { deadlineMs },
  )
  const parts = await partsIn(from.engine, from.nameOf('events'))
  for (const part of parts.filter(({ partition }) => partition === String(month)))
    await copyRows(part, 'events', copying, isWhole ? undefined : isOfDays)
}

async function copyRows(
  part: EnginePart,
  table: EngineTable,
  { from, to, count }: Copying,
  condition?: Sql,
): Promise<void> {
  await copyPart({
    from: { engine: from.engine, table: from.tables(table), part, ...(condition && { condition }) },
    to: { engine: to, table },
  })
  count(part.rows)
}
