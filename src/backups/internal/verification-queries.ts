import type { Engine } from '#engine/engine'
import { identifier, type Sql, sql } from '#engine/sql'
import { type EngineTable, engineTables } from './engine-clone'
import type { RecordedAnswer } from '../manifest'

/** The tables that queries are about: those of the engine, or clones of them. */
export type TableNames = (table: EngineTable) => Sql

export const liveTables: TableNames = (table) => identifier(table, engineTables)

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
): Promise<AnswerDifference[]> {
  const differences: AnswerDifference[] = []
  for (const { question, rows } of recorded) {
    const statement = verificationQueries.find(({ name }) => name === question)?.statement
    // another version asked otherwise
    if (!statement) continue
    const now = await runQuery(engine, statement(liveTables), compareTimeoutMs)
    const length = Math.max(rows.length, now.length)
    const at = Array.from({ length }, (_, i) => i).find((i) => textOf(rows[i]) !== textOf(now[i]))
    if (at !== undefined) differences.push({ question, recorded: rows[at], now: now[at] })
  }
  return differences
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
