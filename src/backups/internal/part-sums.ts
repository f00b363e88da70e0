import type { Engine } from '#engine/engine'
import { type Sql, sql, string, strings } from '#engine/sql'
import type { EngineTable, TableNames } from './engine-clone'
import { type EnginePart, partsIn } from './native-slices'
import { eventChecksum, smallTableSum, smallTables, type TableSum } from './verification-queries'

/** An hour such as 2026113023, with the number and the checksum of its rows. */
export type HourSum = readonly [hour: number, rows: number, checksum: string]

/**
 * Sums of parts that were read once, by the hash of their files: what merges, deletes or corrects rows writes a part of
 * another hash. Sums of a small table, whose rows replace each other, are kept under the hashes of all its parts.
 */
export interface KnownSums {
  sums: Map<string, readonly HourSum[]>
  save: () => Promise<void>
}

/** Tables of which one moment is read, without rows that UPDATE wrote beside the parts. */
export interface SummedTables {
  engine: Pick<Engine, 'query'>
  tables: TableNames
  nameOf: (table: EngineTable) => string
}

export interface SummedPart extends EnginePart {
  hours: readonly HourSum[]
}

const deadlineMs = 60 * 60_000

/** UPDATE writes such parts, and none of their rows is one of the table. */
export const isPatch = ({ name }: EnginePart): boolean => name.startsWith('patch-')

/** Returns the active parts of the events with their sums, and reads only those that are not known. */
export async function sumParts(from: SummedTables, known: KnownSums): Promise<SummedPart[]> {
  const table = from.nameOf('events')
  const structure = await structureOf(from, table)
  const keyOf = ({ hash }: EnginePart) => `${structure} ${hash}`
  const read = new Set<string>()
  for (;;) {
    const parts = (await partsIn(from.engine, table)).filter((part) => !isPatch(part))
    // one that was read, and is still there, has no row that is not deleted
    for (const part of parts.filter(({ name }) => read.has(name)))
      if (!known.sums.has(keyOf(part))) known.sums.set(keyOf(part), [])
    const unknown = parts.filter((part) => !known.sums.has(keyOf(part)))
    if (unknown.length === 0)
      return parts.map((part) => ({ ...part, hours: known.sums.get(keyOf(part)) ?? [] }))
    for (const some of Map.groupBy(unknown, ({ partition }) => partition).values()) {
      const found = await readSums(from, some)
      for (const part of some) {
        const hours = found.get(part.name)
        if (hours) known.sums.set(keyOf(part), hours)
        read.add(part.name)
      }
    }
    await known.save()
  }
}

async function readSums(
  { engine, tables }: SummedTables,
  parts: readonly EnginePart[],
): Promise<Map<string, HourSum[]>> {
  const rows = await engine.query<{ part: string; hour: number; rows: number; checksum: string }>(
    sql`
      select toString(_part) as part, ${hourOfEvent} as hour, count() as rows, ${eventChecksum} as checksum
      from ${tables('events')}
      where _part in ${strings(parts.map(({ name }) => name))}
      group by part, hour
      order by part, hour`,
    { lane: 'ingest', deadlineMs },
  )
  const byPart = Map.groupBy(rows, ({ part }) => part)
  return new Map(
    [...byPart].map(([part, sums]) => [
      part,
      sums.map(({ hour, rows: count, checksum }) => [hour, count, checksum] as const),
    ]),
  )
}

export const hourOfEvent: Sql = sql`toYYYYMMDD(timestamp) * 100 + toHour(timestamp)`

/** Adds the sums of parts up, as the engine adds: the rest of 2 to the power of 64. */
export function addedUp(parts: readonly SummedPart[], unitOf = (hour: number): number => hour): TableSum[] {
  const hours = Map.groupBy(
    parts.flatMap((part) => part.hours),
    ([hour]) => unitOf(hour),
  )
  return [...hours].map(([month, sums]) => ({
    of: 'events',
    month,
    rows: sums.reduce((all, [, rows]) => all + rows, 0),
    checksum: String(
      BigInt.asUintN(
        64,
        sums.reduce((all, [, , checksum]) => all + BigInt(checksum), 0n),
      ),
    ),
  }))
}

/** Sums every table but the events; a table whose parts are known is not read. */
export async function sumSmallTables(from: SummedTables, known: KnownSums): Promise<TableSum[]> {
  const sums: TableSum[] = []
  for (const table of smallTables) sums.push(await sumSmallTable(from, table, known))
  await known.save()
  return sums
}

async function sumSmallTable(
  from: SummedTables,
  table: (typeof smallTables)[number],
  known: KnownSums,
): Promise<TableSum> {
  const structure = await structureOf(from, from.nameOf(table))
  const keyNow = async () => {
    const parts = await partsIn(from.engine, from.nameOf(table))
    return [table, structure, ...parts.map(({ hash }) => hash).toSorted()].join(' ')
  }
  const key = await keyNow()
  const [found] = known.sums.get(key) ?? []
  if (found) return { of: table, month: 0, rows: found[1], checksum: found[2] }
  const sum = await smallTableSum(from.engine, from.tables, table)
  // parts that came meanwhile may be in the sum or not
  if ((await keyNow()) === key) known.sums.set(key, [[0, sum.rows, sum.checksum]])
  return sum
}

/** Parts of the same files may mean other rows where a column has another type or default. */
async function structureOf({ engine }: SummedTables, table: string): Promise<string> {
  const [row] = await engine.query<{ structure: string }>(
    sql`
      select toString(cityHash64(groupArray((name, type, default_kind, default_expression)))) as structure
      from (
        select name, type, default_kind, default_expression
        from system.columns
        where database = currentDatabase() and table = ${string(table)}
        order by position
      )`,
    { lane: 'ingest' },
  )
  return row?.structure ?? ''
}
