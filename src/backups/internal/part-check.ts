import { basename } from 'node:path'
import { type DetachedPart, type Engine, EngineError } from '#engine/engine'
import { type Sql, sql } from '#engine/sql'
import { engineTables, liveTables, type TableNames } from './engine-clone'

export interface PartCheck {
  /** The number of parts that were read. */
  parts: number
  /** Damaged parts, one sentence each. */
  damage: string[]
  /** Parts that could not be read for another reason, one sentence each. */
  unchecked: string[]
}

interface PartCheckOptions {
  tables?: TableNames
  /** Returns the parts that the engine has taken out of use: it may do so while they are checked. */
  detached?: () => readonly DetachedPart[] | undefined
  signal?: AbortSignal | undefined
}

/** Everything of a table is read, which takes long where there is much. */
const deadlineMs = 60 * 60_000

/** Reads every column of every part, and compares it with the checksums that the engine keeps beside it. */
export async function checkParts(
  engine: Pick<Engine, 'query'>,
  { tables = liveTables, detached, signal }: PartCheckOptions = {},
): Promise<PartCheck> {
  const found: PartCheck = { parts: 0, damage: [], unchecked: [] }
  for (const table of engineTables) {
    try {
      const rows = await engine.query<CheckedPart>(checkOf(tables(table)), {
        lane: 'ingest',
        deadlineMs,
        signal,
      })
      found.parts += rows.length
      for (const { part_path, is_passed, message } of rows)
        if (is_passed === 0)
          found.damage.push(
            `The part ${basename(part_path)} of the table ${table} is damaged (${firstLine(message)}).`,
          )
    } catch (problem) {
      const why = problem instanceof Error ? problem.message : String(problem)
      if (problem instanceof EngineError && problem.failure === 'corrupted')
        found.damage.push(`The table ${table} cannot be read: ${why}`)
      else found.unchecked.push(`The parts of the table ${table} could not be searched for damage: ${why}`)
    }
  }
  for (const { table, name, rows } of detached?.() ?? [])
    found.damage.push(
      `The part ${name} of the table ${table} is damaged and out of use${rows === undefined ? '' : `, with its ${rows} rows`}.`,
    )
  return found
}

interface CheckedPart {
  part_path: string
  is_passed: number
  message: string
}

/** The check uses one thread, so that queries meanwhile come first. */
const checkOf = (table: Sql): Sql =>
  sql`check table ${table} settings check_query_single_value_result = 0, max_threads = 1`

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 200)
