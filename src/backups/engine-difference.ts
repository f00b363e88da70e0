import type { Engine } from '#engine/engine'
import { type Sql, sql, uint } from '#engine/sql'
import { BackupRefusedError } from './backup-refused'
import {
  applyPatches,
  cloneIdentifier,
  cloneTableName,
  type EngineTable,
  keepParts,
  letMerge,
  liveTables,
  type TableNames,
} from './internal/engine-clone'
import { copyPart, type EnginePart, partsIn } from './internal/native-slices'
import {
  addedUp,
  hourOfEvent,
  isPatch,
  type KnownSums,
  type SummedPart,
  type SummedTables,
  sumParts,
  sumSmallTables,
} from './internal/part-sums'
import { sumDifferences, type TableSum } from './internal/verification-queries'

export { letMerge }

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
  known: KnownSums
  progress: (copiedRows: number, allRows: number) => void
}

/** The hours of one month whose events are not the same in both. */
interface MonthToCopy {
  month: number
  hours: ReadonlySet<number>
  /** Whether it is copied as a whole, after all that was there is removed. */
  isWhole: boolean
}

const deadlineMs = 60 * 60_000

/** So many are worth merges before they are read again to be compared. */
const rowsToMerge = 1_000_000

/**
 * Gives an engine the rows that the source has, and copies only the hours of events, and the tables, that are not the same
 * already: everything the first time, little after that, and the rest of what a killed copy began. Only parts that are not
 * known are read to compare. Returns the number of copied rows. Throws a `BackupRefusedError` if something is not the same
 * at the end. The engine merges again after `letMerge`.
 */
export async function copyDifferences({ from, to, known, progress }: DifferenceToCopy): Promise<number> {
  const target: SummedTables = { engine: to, tables: liveTables, nameOf: (table) => table }
  await keepParts(from.engine, from.tables)
  if ((await partsIn(to, 'events')).some(isPatch)) await applyPatches(to)
  const parts = await sumParts(from, known)
  const months = monthsToCopy(addedUp(parts), addedUp(await sumParts(target, known)))
  const small = await sumSmallTables(from, known)
  const otherTables = differing(small, await sumSmallTables(target, known)).map(({ of }) => of)
  const all =
    months.reduce((sum, month) => sum + parts.reduce((rows, part) => rows + rowsToCopy(part, month), 0), 0) +
    small.reduce((sum, { of, rows }) => sum + (otherTables.includes(of) ? rows : 0), 0)
  let copied = 0
  const count = (rows: number) => progress((copied += rows), all)
  if (all >= rowsToMerge) await letMerge(to)
  for (const month of months) await copyMonth(month, parts, { from, to, count })
  for (const table of otherTables) {
    await to.command(sql`truncate table ${liveTables(table)} settings max_table_size_to_drop = 0`, {
      deadlineMs,
    })
    for (const part of await partsIn(from.engine, from.nameOf(table)))
      await copyRows(part, table, { from, to, count })
  }
  await keepParts(to, liveTables)
  if (copied > 0 || months.length > 0) await requireSameRows(from, target, known)
  return copied
}

async function requireSameRows(from: EngineSource, to: SummedTables, known: KnownSums): Promise<void> {
  const [expected, found] = [await sumTables(from, known), await sumTables(to, known)]
  const differences = sumDifferences(expected, found)
  if (differences.length === 0) return
  throw new BackupRefusedError(
    ['The events of the new form are not those of the old one:', ...differences].join('\n'),
  )
}

const sumTables = async (from: SummedTables, known: KnownSums): Promise<TableSum[]> => [
  ...addedUp(await sumParts(from, known), dayOf),
  ...(await sumSmallTables(from, known)),
]

function monthsToCopy(source: readonly TableSum[], target: readonly TableSum[]): MonthToCopy[] {
  const unequal = [...differing(source, target), ...strangers(source, target)].map(({ month }) => month)
  return [...Map.groupBy(unequal, monthOf)].map(([month, hours]) => {
    const there = target.filter((sum) => monthOf(sum.month) === month)
    // one pass over the month costs less than to look for most of its hours
    return { month, hours: new Set(hours), isWhole: there.length === 0 || hours.length * 2 > there.length }
  })
}

const dayOf = (hour: number): number => Math.floor(hour / 100)
const monthOf = (hour: number): number => Math.floor(hour / 10_000)

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

const rowsToCopy = ({ hours }: SummedPart, month: MonthToCopy): number =>
  hours.reduce((sum, [hour, rows]) => {
    const isCopied = month.isWhole ? monthOf(hour) === month.month : month.hours.has(hour)
    return isCopied ? sum + rows : sum
  }, 0)

interface Copying extends Pick<DifferenceToCopy, 'from' | 'to'> {
  count: (rows: number) => void
}

async function copyMonth(
  wanted: MonthToCopy,
  parts: readonly SummedPart[],
  { from, to, count }: Copying,
): Promise<void> {
  const { month, hours, isWhole } = wanted
  const isOfHours = sql`${hourOfEvent} in (${sql.join([...hours].map((hour) => uint(hour)))})`
  await to.command(
    isWhole
      ? sql`alter table events drop partition ${uint(month)} settings max_partition_size_to_drop = 0`
      : sql`alter table events delete in partition ${uint(month)} where ${isOfHours} settings mutations_sync = 2`,
    { deadlineMs },
  )
  for (const part of parts) {
    const rows = rowsToCopy(part, wanted)
    if (rows === 0) continue
    await copyRows(part, 'events', { from, to, count: () => count(rows) }, isWhole ? undefined : isOfHours)
  }
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
