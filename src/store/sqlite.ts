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
import { StoreBusy, StoreRefused, type StoreTrouble, StoreUnavailable } from './store'

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
    // from here on `retryWhileBusy` waits; SQLite's own would hold up the event loop
    database.exec('pragma busy_timeout = 0')
    return database
  } catch (problem) {
    database.close()
    throw problem
  }
}

/** Looks through a handle that cannot write: closing one that can would fold the write-ahead log into the damage. */
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

function damagedFile(file: string, why: unknown): StoreRefused {
  return new StoreRefused(
    `The store ${file} is damaged (${inOneLine(why)}). Nothing was changed. Move it away together with its -wal and ` +
      '-shm files; then put the newest file of the backups folder in its place, or start without it to begin anew, ' +
      'with no members, projects and settings.',
  )
}

function unusableFile(file: string, why: unknown): StoreRefused {
  return new StoreRefused(
    `The store ${file} cannot be opened (${inOneLine(why)}). It must be a file that the user Tilth runs as may read ` +
      'and write. Nothing was changed.',
  )
}

const inOneLine = (why: unknown): string =>
  (why instanceof Error ? why.message : String(why)).replaceAll(/\s+/g, ' ')

const storeBusy = (cause: unknown): StoreBusy => new StoreBusy({ cause })

const troubles: Readonly<Record<number, StoreTrouble>> = {
  [FULL]: 'full',
  [IO_ERROR]: 'broken',
  [READ_ONLY]: 'broken',
  [CANNOT_OPEN]: 'broken',
}

/** What a caller may try again, apart from its own mistakes. */
function toUnavailable(problem: unknown): unknown {
  const trouble = troubles[errcode(problem) ?? -1]
  return trouble ? new StoreUnavailable(trouble, { cause: problem }) : problem
}

function errcode(problem: unknown): number | undefined {
  if (!(problem instanceof Error) || !('errcode' in problem)) return undefined
  return typeof problem.errcode === 'number' ? problem.errcode & 0xff : undefined
}

/** Reads what is committed, beside whatever a writer does or waits for. */
export function openReader(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 0 })
  database.exec('pragma query_only = on')
  return database
}

export interface SqliteConnections {
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

/** SQLite can take back a created table like any other change; Kysely thinks not, and would leave steps half done. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  /** Kysely would otherwise let readers wait for the one connection it expects. */
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/**
 * Two connections: what only reads goes past the writers, which go one after the other. A writer waits for those before
 * it and for another process's writer no longer than `waitForWriterMs` in all.
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

/** The driver hands out no other connections. */
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
      // `immediate`: a reader that turns writer half-way fails at once when another process wrote in between
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

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const givenUpAt = performance.now() + waitForWriterMs
    const { reader, writer } = this.connections
    if (this.releaseWriter) return await retryWhileBusy(() => run<Row>(writer, query), givenUpAt)
    if (isReadOnly(query.sql)) return await retryWhileBusy(() => run<Row>(reader, query), givenUpAt)
    const leave = await this.writerQueue.enter(givenUpAt)
    try {
      return await retryWhileBusy(() => run<Row>(writer, query), givenUpAt)
    } finally {
      leave()
    }
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query)
  }
}

/** One writer at a time, first come first served; a writer that has waited too long leaves. */
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

  /** The place is handed over, so that a newcomer cannot take it first. */
  private admitNext(): void {
    const [first] = this.waiting
    if (!first) return void (this.isTaken = false)
    this.waiting.delete(first)
    first()
  }
}

function run<Row>(database: DatabaseSync, { sql, parameters }: CompiledQuery): QueryResult<Row> {
  const statement = database.prepare(sql)
  const values = parameters as SQLInputValue[] // Kysely passes on what our tables are typed with: text and numbers
  if (returnsRows(sql)) return { rows: statement.all(...values) as Row[] } // the caller's table types say what a row is
  const { changes, lastInsertRowid } = statement.run(...values)
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}

const isReadOnly = (sql: string): boolean =>
  /^\s*(select|with)\b/i.test(sql) && !/\b(insert|update|delete|replace)\b/i.test(sql)

const returnsRows = (sql: string): boolean =>
  /^\s*(select|with|pragma|explain)\b/i.test(sql) || /\breturning\b/i.test(sql)

/** Waits for another process's writer without holding up the event loop, which SQLite's own waiting would do. */
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
