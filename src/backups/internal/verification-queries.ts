import type { Engine } from '#engine/engine'
import { type Sql, sql, string } from '#engine/sql'
import { type EngineTable, liveTables, type TableNames } from './engine-clone'
import type { BackupPoint, RecordedAnswer } from '../manifest'

/**
 * Queries that run when a snapshot is taken, and again after it is restored. Together the answers depend on every
 * event, its person, and the properties of persons and groups; none depends on how the rows lie on the disk.
 */
const verificationQueries: readonly { name: string; statement: (of: TableNames) => Sql }[] = [
  {
    name: 'events of each project and day',
    statement: (of) => sql`
      select project_id, toString(toDate(timestamp)) as day, count() as events,
        uniqExact(distinct_id) as visitors, uniqExact(session_id) as sessions
      from ${of('events')}
      group by project_id, day
      order by project_id, day`,
  },
  {
    name: 'events of each name',
    statement: (of) => sql`
      select project_id, toString(event) as name, count() as events
      from ${of('events')}
      group by project_id, name
      order by project_id, name
      limit 10000`,
  },
  {
    name: 'persons, merged ones as one',
    statement: (of) => sql`
      select events.project_id as project_id, count() as events,
        uniqExact(if(empty(o.to_person_id), events.person_id, o.to_person_id)) as persons
      from ${of('events')} as events
      left join (select project_id, from_person_id, to_person_id from ${of('person_overrides')} final) as o
        on o.project_id = events.project_id and o.from_person_id = events.person_id
      group by project_id
      order by project_id`,
  },
  {
    name: 'every event, as a checksum',
    statement: (of) => sql`
      select project_id, toString(groupBitXor(cityHash64(
        uuid, toString(event), timestamp, received_at, distinct_id, person_id, session_id, toString(path),
        toString(mapSort(properties))
      ))) as checksum
      from ${of('events')}
      group by project_id
      order by project_id`,
  },
  {
    name: 'what is known of persons and groups, as checksums',
    statement: (of) => sql`
      select 'persons' as of, project_id, count() as rows,
        toString(groupBitXor(cityHash64(person_id, toString(mapSort(properties)), version))) as checksum
      from ${of('persons')} final
      group by project_id
      union all
      select 'groups' as of, project_id, count() as rows,
        toString(groupBitXor(cityHash64(toString(type), key, toString(mapSort(properties)), version))) as checksum
      from ${of('groups')} final
      group by project_id
      order by of, project_id`,
  },
]

/** No event is stored while these queries run, so they must not take long; a slower one is left out. */
const recordTimeoutMs = 20_000
const compareTimeoutMs = 10 * 60_000

export async function recordQueryResults(
  engine: Pick<Engine, 'query'>,
  tables: TableNames = liveTables,
): Promise<RecordedAnswer[]> {
  const until = performance.now() + recordTimeoutMs
  const answers: RecordedAnswer[] = []
  for (const { name, statement } of verificationQueries) {
    const deadlineMs = until - performance.now()
    if (deadlineMs <= 0) break
    const rows = await runQuery(engine, statement(tables), deadlineMs).catch(() => undefined)
    if (rows) answers.push({ question: name, rows })
  }
  return answers
}

/** The queries that were not answered when the snapshot was taken, or that another version asks otherwise. */
export const unansweredQueries = (recorded: readonly RecordedAnswer[]): string[] =>
  verificationQueries
    .map(({ name }) => name)
    .filter((name) => !recorded.some(({ question }) => question === name))

interface AnswerDifference {
  question: string
  recorded: unknown
  now: unknown
}

/** Asks the same again and tells what is answered otherwise, by the first row that differs. */
export async function compareQueryResults(
  engine: Pick<Engine, 'query'>,
  recorded: readonly RecordedAnswer[],
  tables: TableNames = liveTables,
): Promise<AnswerDifference[]> {
  const differences: AnswerDifference[] = []
  for (const { question, rows } of recorded) {
    const statement = verificationQueries.find(({ name }) => name === question)?.statement
    // another version asked otherwise
    if (!statement) continue
    const now = await runQuery(engine, statement(tables), compareTimeoutMs)
    const length = Math.max(rows.length, now.length)
    const at = Array.from({ length }, (_, i) => i).find((i) => textOf(rows[i]) !== textOf(now[i]))
    if (at !== undefined) differences.push({ question, recorded: rows[at], now: now[at] })
  }
  return differences
}

/** Returns what the engine does not have as it was when the point was taken, one sentence each. */
export async function pointDifferences(
  engine: Pick<Engine, 'query'>,
  { projects, answers }: Pick<BackupPoint, 'projects' | 'answers'>,
  tables: TableNames = liveTables,
): Promise<string[]> {
  const now = new Map((await eventsByProject(engine, tables)).map(({ id, events }) => [id, events]))
  const counts = (projects ?? []).flatMap(({ id, events }) => {
    const found = now.get(id) ?? 0
    return found === events ? [] : [`Project ${id} has ${found} events instead of ${events}.`]
  })
  const others = await compareQueryResults(engine, answers, tables)
  const sentences = others.map(
    ({ question, recorded, now: answer }) =>
      `“${question}” is answered with ${JSON.stringify(answer)} instead of ${JSON.stringify(recorded)}.`,
  )
  return [...counts, ...sentences]
}

export interface TableSum {
  of: EngineTable
  /** Such as 202611, or a day or an hour of it; 0 where a table has no months. */
  month: number
  rows: number
  checksum: string
}

/** Counts the rows of every table, of events by month, with a checksum of every column of every row. */
export async function sumsByMonth(
  engine: Pick<Engine, 'query'>,
  of: TableNames = liveTables,
): Promise<TableSum[]> {
  const months = await sumsOf(
    engine,
    sql`
      select 'events' as of, toYYYYMM(timestamp) as month, count() as rows, ${eventChecksum} as checksum
      from ${of('events')}
      group by month
      order by month`,
  )
  return [...months, ...(await smallTableSums(engine, of))]
}

/** Every table but the events. */
export const smallTables = ['persons', 'groups', 'person_overrides', 'installation'] as const

async function smallTableSums(engine: Pick<Engine, 'query'>, of: TableNames): Promise<TableSum[]> {
  const sums: TableSum[] = []
  for (const table of smallTables) sums.push(await smallTableSum(engine, of, table))
  return sums
}

/** Does the same of one table that has no months. */
export async function smallTableSum(
  engine: Pick<Engine, 'query'>,
  of: TableNames,
  table: (typeof smallTables)[number],
): Promise<TableSum> {
  const hasProperties = table === 'persons' || table === 'groups'
  const columns = hasProperties ? sql`* except (properties), toString(mapSort(properties))` : sql`*`
  const [sum] = await sumsOf(
    engine,
    sql`
      select ${string(table)} as of, 0 as month, count() as rows, toString(sum(cityHash64(${columns}))) as checksum
      from ${of(table)} ${table === 'installation' ? sql`` : sql`final`}`,
  )
  return sum ?? { of: table, month: 0, rows: 0, checksum: '0' }
}

/** Of every column of some events. Sums of some and of others add up to that of both. */
export const eventChecksum: Sql = sql`
  toString(sum(cityHash64(* except (properties, groups), toString(mapSort(properties)), toString(mapSort(groups)))))`

const sumsOf = (engine: Pick<Engine, 'query'>, statement: Sql): Promise<TableSum[]> =>
  engine.query<TableSum>(statement, { lane: 'ingest', deadlineMs: sumTimeoutMs })

const sumTimeoutMs = 60 * 60_000

/** Returns what of one engine is not the same in the other, one sentence each. */
export function sumDifferences(expected: readonly TableSum[], found: readonly TableSum[]): string[] {
  const keyOf = ({ of, month }: TableSum): string => (month === 0 ? of : `${of} of ${month}`)
  const now = new Map(found.map((sum) => [keyOf(sum), sum]))
  const differences = expected.flatMap((sum) => {
    const other = now.get(keyOf(sum))
    if (other?.rows !== sum.rows)
      return [`The table ${keyOf(sum)} has ${other?.rows ?? 0} rows instead of ${sum.rows}.`]
    return other.checksum === sum.checksum ? [] : [`The table ${keyOf(sum)} has other rows than it had.`]
  })
  const known = new Set(expected.map(keyOf))
  const strange = found.filter((sum) => !known.has(keyOf(sum)))
  return [
    ...differences,
    ...strange.map((sum) => `The table ${keyOf(sum)} has ${sum.rows} rows instead of 0.`),
  ]
}

export async function eventsByProject(
  engine: Pick<Engine, 'query'>,
  tables: TableNames = liveTables,
): Promise<{ id: number; events: number }[]> {
  return await engine.query<{ id: number; events: number }>(
    sql`select project_id as id, count() as events from ${tables('events')} group by id order by id`,
    { lane: 'ingest' },
  )
}

const runQuery = (engine: Pick<Engine, 'query'>, statement: Sql, deadlineMs: number) =>
  engine.query<Record<string, unknown>>(statement, { lane: 'ingest', deadlineMs })

const textOf = (row: unknown): string => JSON.stringify(row) ?? ''
