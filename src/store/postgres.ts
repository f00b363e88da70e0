import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresDialect,
  PostgresDriver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import { Pool, types } from 'pg'
import { connectTimeoutMs } from './internal/connect-timeout'
import { ServerWatch } from './internal/server-watch'
import {
  StoreUnreachableError,
  StoreBusyError,
  StoreRefusedError,
  type StoreTrouble,
  StoreUnavailableError,
} from './store'

/** The connections to a server. */
interface PostgresPool {
  pool: Pool
  watch: ServerWatch
}

/** Reads a bigint as a number, as SQLite does: none of ours is too large for one. */
const getTypeParser: typeof types.getTypeParser = (id, format): unknown =>
  id === types.builtins.INT8 ? Number : types.getTypeParser(id, format)

/** Connects once, to distinguish an unusable server from a failed migration. Pools for one server share its watch. */
export async function openPool(
  url: string,
  connections = 10,
  watch = new ServerWatch(url, connectTimeoutMs(url)),
): Promise<PostgresPool> {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs(url),
    stream: watch.openSocket,
    types: { getTypeParser },
  })
  // the pool replaces a broken connection, and its user receives the error; without a listener it would end the process
  pool.on('error', () => {})
  pool.on('connect', (connection) => connection.on('error', () => {}))
  try {
    const connection = await pool.connect()
    connection.release()
    return { pool, watch }
  } catch (problem) {
    await pool.end()
    throw unusableServer(problem)
  }
}

/** Makes the dialect for a Postgres server with the same tables, so that several fronts can share one state. */
export function postgresDialect({ pool, watch }: PostgresPool): Dialect {
  const dialect = new PostgresDialect({ pool })
  return {
    createDriver: () => new ErrorTranslatingDriver(new PostgresDriver({ pool }), watch),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  }
}

/** Converts errors, so that callers know whether a failure is temporary, as the file's driver does. */
class ErrorTranslatingDriver implements Driver {
  constructor(
    private readonly driver: Driver,
    private readonly watch: ServerWatch,
  ) {}

  init = (): Promise<void> => this.driver.init()
  destroy = (): Promise<void> => this.driver.destroy()

  async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await translateErrors(
      this.watch.connect(
        () => this.driver.acquireConnection(),
        (late) => this.driver.releaseConnection(late),
      ),
    )
    return new ErrorTranslatingConnection(connection, this.watch)
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await this.driver.releaseConnection(unwrapConnection(connection))
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await this.watched(this.driver.beginTransaction(unwrapConnection(connection), settings))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.watched(this.driver.commitTransaction(unwrapConnection(connection)))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await this.watched(this.driver.rollbackTransaction(unwrapConnection(connection)))
  }

  private watched = (statement: Promise<void>): Promise<void> => translateErrors(this.watch.during(statement))
}

class ErrorTranslatingConnection implements DatabaseConnection {
  constructor(
    readonly inner: DatabaseConnection,
    private readonly watch: ServerWatch,
  ) {}

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return await translateErrors(this.watch.during(this.inner.executeQuery<Row>(query)))
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.inner.streamQuery<Row>(query, chunkSize)
  }
}

/** `ErrorTranslatingDriver` hands out no other connections. */
const unwrapConnection = (connection: DatabaseConnection): DatabaseConnection =>
  (connection as ErrorTranslatingConnection).inner

async function translateErrors<Outcome>(work: Promise<Outcome>): Promise<Outcome> {
  try {
    return await work
  } catch (problem) {
    const trouble = storeTroubleOf(problem)
    if (trouble === 'busy') throw new StoreBusyError({ cause: problem })
    throw trouble ? new StoreUnavailableError(trouble, { cause: problem }) : problem
  }
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const troublesBySqlState: readonly (readonly [RegExp, StoreTrouble])[] = [
  [/^(?:53100)$/, 'full'],
  [/^(?:40001|40P01|55P03|57014)$/, 'busy'],
  [/^(?:08|53|57P)/, 'away'],
  // the server became a replica, or is read-only
  [/^25006$/, 'away'],
  [/^58/, 'broken'],
]

export function storeTroubleOf(problem: unknown): StoreTrouble | undefined {
  if (!(problem instanceof Error) || problem instanceof StoreUnavailableError) return undefined
  const { code, message } = errorParts(problem)
  if (
    awayReasons.has(code) ||
    awayReasons.has(message) ||
    /^Connection terminated|Client has encountered a connection error/.test(message)
  )
    return 'away'
  return troublesBySqlState.find(([pattern]) => pattern.test(code))?.[1]
}

const doesNotAnswer = 'it does not answer'
const closesConnection = 'it hangs up'
const isRestarting = 'it is starting or stopping'

/** Codes of Node and Postgres for an unreachable server, and the client's messages without a code. */
const awayReasons = new Map([
  ['ECONNREFUSED', 'nothing answers there'],
  ['ENOTFOUND', 'there is no such host'],
  ['EAI_AGAIN', 'its host name cannot be looked up'],
  ['EHOSTUNREACH', 'no way leads to its host'],
  ['ENETUNREACH', 'no way leads to its host'],
  ['ETIMEDOUT', doesNotAnswer],
  ['Connection terminated due to connection timeout', doesNotAnswer],
  ['timeout exceeded when trying to connect', doesNotAnswer],
  ['ECONNRESET', closesConnection],
  ['Connection terminated unexpectedly', closesConnection],
  ['Client has encountered a connection error and is not queryable', closesConnection],
  ['57P01', isRestarting],
  ['57P02', isRestarting],
  ['57P03', isRestarting],
  // these occur together after an outage
  ['53300', 'it has no connection left'],
])

/** Postgres's codes for a server that refuses the connection. */
const accessReasons = new Map([
  ['28P01', 'the password is wrong'],
  ['28000', 'this user may not connect'],
  ['3D000', 'there is no such database'],
  ['42501', 'this user may not create tables there'],
])

/** Returns an explanation if the server's message is something that its owner can fix. */
export function storeRefusalFor(problem: unknown): StoreRefusedError | undefined {
  if (!(problem instanceof Error)) return undefined
  const cause = problem instanceof StoreUnavailableError ? problem.cause : problem
  if (!(cause instanceof Error)) return undefined
  const { code, message } = errorParts(cause)
  return awayReasons.has(code) || awayReasons.has(message) || accessReasons.has(code)
    ? unusableServer(cause)
    : undefined
}

function unusableServer(problem: unknown): StoreRefusedError {
  const { code, message } = errorParts(problem)
  const whyAway = awayReasons.get(code) ?? awayReasons.get(message)
  const why = whyAway ?? accessReasons.get(code) ?? message
  const Trouble = whyAway === undefined ? StoreRefusedError : StoreUnreachableError
  return new Trouble(
    `The Postgres server named by TILTH_STORE cannot be used: ${why}. Correct TILTH_STORE or start the server.`,
    { cause: problem },
  )
}

function errorParts(problem: unknown): { code: string; message: string } {
  const { code = '', message } = problem as { code?: string; message: string } // the shape of errors of pg and node:net
  return { code, message }
}
