import { existsSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { yieldIfLong } from '#world/event-loop'
import { StoreBusyError, StoreRefusedError, type StoreTrouble, StoreUnavailableError } from '../store'

/** SQLite's own numbers. */
const BUSY = 5
const LOCKED = 6
const READ_ONLY = 8
const IO_ERROR = 10
const CORRUPT = 11
const FULL = 13
const CANNOT_OPEN = 14
const NOT_A_DATABASE = 26

const waitForWriterMs = 5000

/** Opens the file, sets it up for several processes, and refuses one that is damaged. */
export function openDatabase(file: string): DatabaseSync {
  try {
    if (existsSync(file)) refuseDamagedFile(file)
    return configure(new DatabaseSync(file, { timeout: waitForWriterMs }))
  } catch (problem) {
    throw toStoreError(problem, file)
  }
}

function configure(database: DatabaseSync): DatabaseSync {
  try {
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
    // deleted rows are overwritten in the file; this costs nothing that can be measured (decision 43)
    database.exec('pragma secure_delete = on')
    overwriteEarlierDeletions(database)
    // from here on `retryWhileBusy` waits; SQLite's own waiting would block the event loop
    database.exec('pragma busy_timeout = 0')
    return database
  } catch (problem) {
    database.close()
    throw problem
  }
}

/** The file's own note that all its free space is overwritten: nothing else uses the number. */
const overwrittenVersion = 1

/** Rewrites, once, a file in which an earlier version deleted without overwriting. */
function overwriteEarlierDeletions(database: DatabaseSync): void {
  const version = Number(database.prepare('pragma user_version').get()?.['user_version'])
  if (version >= overwrittenVersion) return
  try {
    database.exec(`vacuum; pragma user_version = ${overwrittenVersion}; pragma wal_checkpoint(truncate)`)
  } catch (problem) {
    const code = errcode(problem)
    // the next start tries again: a full disk or another process must not prevent this one
    if (code !== FULL && code !== BUSY && code !== LOCKED) throw problem
  }
}

/**
 * Moves everything from the log into the file and empties the log, which holds pages as they were before. Returns
 * whether it could: a reader or writer of any process prevents it for as long as it is busy.
 */
export function truncateLog(database: DatabaseSync): boolean {
  const outcome = database.prepare('pragma wal_checkpoint(truncate)').get()
  return outcome?.['busy'] === 0
}

/** Checks through a read-only handle: closing a writable one would write the log into the damaged file. */
function refuseDamagedFile(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true, timeout: waitForWriterMs })
  try {
    const check = database.prepare('pragma quick_check(1)').get()
    if (check?.['quick_check'] !== 'ok') throw damagedFile(file, check?.['quick_check'])
  } catch (problem) {
    // the next process that opens the file for writing rolls back an interrupted write
    if (errcode(problem) !== READ_ONLY) throw problem
  } finally {
    database.close()
  }
}

function toStoreError(problem: unknown, file: string): unknown {
  const code = errcode(problem)
  if (code === NOT_A_DATABASE || code === CORRUPT) return damagedFile(file, problem)
  if (code === CANNOT_OPEN || code === READ_ONLY || code === IO_ERROR) return unusableFile(file, problem)
  return code === BUSY ? storeBusy(problem) : problem
}

function damagedFile(file: string, why: unknown): StoreRefusedError {
  return new StoreRefusedError(
    `The store ${file} is damaged (${inOneLine(why)}). Nothing was changed. Restore the newest backup with tilth ` +
      'restore (docs/backups.md). Without a backup, move the file away together with its -wal and -shm files; then put ' +
      'the newest store file of the backups folder in its place, which is from before an upgrade, or start without it: ' +
      'Tilth then begins empty, without members, projects and settings.',
  )
}

function unusableFile(file: string, why: unknown): StoreRefusedError {
  return new StoreRefusedError(
    `The store ${file} cannot be opened (${inOneLine(why)}). It must be a file that the user Tilth runs as may read ` +
      'and write. Nothing was changed.',
  )
}

const inOneLine = (why: unknown): string =>
  (why instanceof Error ? why.message : String(why)).replaceAll(/\s+/g, ' ')

const storeBusy = (cause: unknown): StoreBusyError => new StoreBusyError({ cause })

const troubles: Readonly<Record<number, StoreTrouble>> = {
  [FULL]: 'full',
  [IO_ERROR]: 'broken',
  [READ_ONLY]: 'broken',
  [CANNOT_OPEN]: 'broken',
}

/** Converts temporary errors, which a caller may retry, and leaves the caller's own mistakes as they are. */
function toUnavailable(problem: unknown): unknown {
  const trouble = troubles[errcode(problem) ?? -1]
  return trouble ? new StoreUnavailableError(trouble, { cause: problem }) : problem
}

function errcode(problem: unknown): number | undefined {
  if (!(problem instanceof Error) || !('errcode' in problem)) return undefined
  return typeof problem.errcode === 'number' ? problem.errcode & 0xff : undefined
}

/** Reads committed rows, independent of writers. */
export function openReader(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 0 })
  database.exec('pragma query_only = on')
  return database
}

interface SqliteConnections {
  writer: DatabaseSync
  reader: DatabaseSync
}

export function sqliteDialect(connections: SqliteConnections): Dialect {
  return {
    createDriver: () => new SqliteDriver(connections),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TransactionalDdlAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

/** SQLite can roll back table changes; Kysely assumes that it cannot, and would leave incomplete steps. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  /** Otherwise Kysely would let readers wait for its only connection. */
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/**
 * Uses two connections: reads bypass the writers, which run one after the other. A writer waits at most
 * `waitForWriterMs` in all, for earlier writers and for another process's writer.
 */
class SqliteDriver implements Driver {
  private readonly writerQueue = new WriterQueue()

  constructor(private readonly connections: SqliteConnections) {}

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new SqliteConnection(this.connections, this.writerQueue)
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    asSqliteConnection(connection).endTransaction()
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await asSqliteConnection(connection).begin()
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
    asSqliteConnection(connection).endTransaction()
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      if (this.connections.writer.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
    } finally {
      asSqliteConnection(connection).endTransaction()
    }
  }

  async destroy(): Promise<void> {
    this.connections.reader.close()
    this.connections.writer.close()
  }
}

/** `SqliteDriver` hands out no other connections. */
const asSqliteConnection = (connection: DatabaseConnection): SqliteConnection =>
  connection as SqliteConnection

class SqliteConnection implements DatabaseConnection {
  private releaseWriter: (() => void) | undefined

  constructor(
    private readonly connections: SqliteConnections,
    private readonly writerQueue: WriterQueue,
  ) {}

  async begin(): Promise<void> {
    const givenUpAt = performance.now() + waitForWriterMs
    this.releaseWriter = await this.writerQueue.enter(givenUpAt)
    try {
      // `immediate`: a reader that becomes a writer would fail at once if another process wrote in between
      await retryWhileBusy(() => this.connections.writer.exec('begin immediate'), givenUpAt)
    } catch (problem) {
      this.endTransaction()
      throw problem
    }
  }

  endTransaction(): void {
    this.releaseWriter?.()
    this.releaseWriter = undefined
  }

  /**
   * A statement holds the event loop until it is done, so that one after the other would hold it for long. Those that
   * write keep their order even so: each takes its place before it waits.
   */
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const givenUpAt = performance.now() + waitForWriterMs
    const { reader, writer } = this.connections
    if (this.releaseWriter) return await runInTurn(writer, query, givenUpAt)
    if (isReadOnly(query.sql)) return await runInTurn(reader, query, givenUpAt)
    const leave = await this.writerQueue.enter(givenUpAt)
    try {
      return await runInTurn(writer, query, givenUpAt)
    } finally {
      leave()
    }
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query)
  }
}

/** Admits one writer at a time, in order of arrival. A writer that has waited too long leaves the queue. */
class WriterQueue {
  private isTaken = false
  private readonly waiting = new Set<() => void>()

  async enter(givenUpAt: number): Promise<() => void> {
    if (this.isTaken) await this.waitForTurn(givenUpAt)
    this.isTaken = true
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      this.admitNext()
    }
  }

  private waitForTurn(givenUpAt: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const giveUp = (): void => {
        this.waiting.delete(go)
        reject(storeBusy(undefined))
      }
      const timer = setTimeout(giveUp, givenUpAt - performance.now())
      this.waiting.add(go)
    })
  }

  /** Hands over directly, so that a newcomer cannot overtake. */
  private admitNext(): void {
    const [first] = this.waiting
    if (!first) return void (this.isTaken = false)
    this.waiting.delete(first)
    first()
  }
}

async function runInTurn<Row>(
  database: DatabaseSync,
  query: CompiledQuery,
  givenUpAt: number,
): Promise<QueryResult<Row>> {
  await yieldIfLong()
  return await retryWhileBusy(() => run<Row>(database, query), givenUpAt)
}

function run<Row>(database: DatabaseSync, { sql, parameters }: CompiledQuery): QueryResult<Row> {
  const statement = database.prepare(sql)
  const values = parameters as SQLInputValue[] // Kysely passes the values of our tables, which are texts and numbers
  if (returnsRows(sql)) return { rows: statement.all(...values) as Row[] } // the caller's table types describe the row
  const { changes, lastInsertRowid } = statement.run(...values)
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}

const isReadOnly = (sql: string): boolean =>
  /^\s*(select|with)\b/i.test(sql) && !/\b(insert|update|delete|replace)\b/i.test(sql)

const returnsRows = (sql: string): boolean =>
  /^\s*(select|with|pragma|explain)\b/i.test(sql) || /\breturning\b/i.test(sql)

/** Waits for another process's writer without blocking the event loop, which SQLite's own waiting would do. */
async function retryWhileBusy<Outcome>(attempt: () => Outcome, givenUpAt: number): Promise<Outcome> {
  for (let waitMs = 5; ; waitMs = Math.min(waitMs * 2, 100)) {
    try {
      return attempt()
    } catch (problem) {
      const code = errcode(problem)
      if (code !== BUSY && code !== LOCKED) throw toUnavailable(problem)
      if (performance.now() > givenUpAt) throw storeBusy(problem)
      await pause(waitMs)
    }
  }
}
