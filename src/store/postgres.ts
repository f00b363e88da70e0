import { type Dialect, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { StoreRefused } from './store'

/** A start that waits longer looks like one that hangs. */
const answersWithinMs = 5000

/** Connects once before anything else, so that a server that cannot be used is told from a step that failed. */
export async function openPool(url: string): Promise<Pool> {
  const pool = new Pool({ connectionString: url, max: 10, connectionTimeoutMillis: answersWithinMs })
  // the pool replaces a connection that breaks, and who was using it hears so; unheard, its error would end the process
  pool.on('error', () => {})
  pool.on('connect', (connection) => connection.on('error', () => {}))
  try {
    const connection = await pool.connect()
    connection.release()
    return pool
  } catch (problem) {
    await pool.end()
    throw unusable(problem)
  }
}

/** The same tables on a Postgres server, so that several fronts can share one state. */
export const postgresDialect = (pool: Pool): Dialect => new PostgresDialect({ pool })

/** Node's and Postgres's own codes for a server that is not there, or not for us. */
const reasons = new Map([
  ['ECONNREFUSED', 'nothing answers there'],
  ['ENOTFOUND', 'there is no such host'],
  ['EAI_AGAIN', 'its host name cannot be looked up'],
  ['ETIMEDOUT', 'it does not answer'],
  ['28P01', 'the password is wrong'],
  ['28000', 'this user may not connect'],
  ['3D000', 'there is no such database'],
  ['42501', 'this user may not create tables there'],
  ['53300', 'it has no connection left'],
  ['57P03', 'it is starting or stopping'],
])

/** In words, where the server said something that its owner can mend. */
export function refusal(problem: unknown): StoreRefused | undefined {
  const code = problem instanceof Error && 'code' in problem ? String(problem.code) : ''
  return reasons.has(code) ? unusable(problem) : undefined
}

function unusable(problem: unknown): StoreRefused {
  const { code, message } = problem as { code?: string; message: string } // what pg and node:net throw
  const why = reasons.get(code ?? '') ?? message
  return new StoreRefused(
    `The Postgres server named by TILTH_STORE cannot be used: ${why}. Correct TILTH_STORE or start the server.`,
    { cause: problem },
  )
}
