import { type Dialect, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { StoreAway, StoreRefused } from './store'

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

const silent = 'it does not answer'
const hangsUp = 'it hangs up'
const restarts = 'it is starting or stopping'

/** Node's and Postgres's own codes for a server that is not there now, and what its client says where it has no code. */
const away = new Map([
  ['ECONNREFUSED', 'nothing answers there'],
  ['ENOTFOUND', 'there is no such host'],
  ['EAI_AGAIN', 'its host name cannot be looked up'],
  ['EHOSTUNREACH', 'no way leads to its host'],
  ['ENETUNREACH', 'no way leads to its host'],
  ['ETIMEDOUT', silent],
  ['Connection terminated due to connection timeout', silent],
  ['timeout exceeded when trying to connect', silent],
  ['ECONNRESET', hangsUp],
  ['Connection terminated unexpectedly', hangsUp],
  ['57P01', restarts],
  ['57P02', restarts],
  ['57P03', restarts],
  // all come back at once when it was away
  ['53300', 'it has no connection left'],
])

/** Postgres's codes for one that is there, but not for us. */
const closed = new Map([
  ['28P01', 'the password is wrong'],
  ['28000', 'this user may not connect'],
  ['3D000', 'there is no such database'],
  ['42501', 'this user may not create tables there'],
])

/** In words, where the server said something that its owner can mend. */
export function refusal(problem: unknown): StoreRefused | undefined {
  if (!(problem instanceof Error)) return undefined
  const { code, message } = said(problem)
  return away.has(code) || away.has(message) || closed.has(code) ? unusable(problem) : undefined
}

function unusable(problem: unknown): StoreRefused {
  const { code, message } = said(problem)
  const whyAway = away.get(code) ?? away.get(message)
  const why = whyAway ?? closed.get(code) ?? message
  const Trouble = whyAway === undefined ? StoreRefused : StoreAway
  return new Trouble(
    `The Postgres server named by TILTH_STORE cannot be used: ${why}. Correct TILTH_STORE or start the server.`,
    { cause: problem },
  )
}

function said(problem: unknown): { code: string; message: string } {
  const { code = '', message } = problem as { code?: string; message: string } // what pg and node:net throw
  return { code, message }
}
