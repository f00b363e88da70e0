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
import { StoreBusy, StoreRefused } from './store'

/** SQLite's own numbers. */
const BUSY = 5
const READ_ONLY = 8
const IO_ERROR = 10
const CORRUPT = 11
const CANNOT_OPEN = 14
const NOT_A_DATABASE = 26

const waitForWriterMs = 5000

/** Opens the file, sets it up for several processes, and refuses one that is damaged. */
export function openDatabase(file: string): DatabaseSync {
  try {
    if (existsSync(file)) refuseDamage(file)
    return setUp(new DatabaseSync(file, { timeout: waitForWriterMs }))
  } catch (problem) {
    throw inWords(problem, file)
  }
}

function setUp(database: DatabaseSync): DatabaseSync {
  try {
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
    // from here on `patiently` does the waiting; SQLite's own would hold up the event loop
    database.exec('pragma busy_timeout = 0')
    return database
  } catch (problem) {
    database.close()
    throw problem
  }
}

/** Looks through a handle that cannot write: closing one that can would fold the write-ahead log into the damage. */
function refuseDamage(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true, timeout: waitForWriterMs })
  try {
    const verdict = database.prepare('pragma quick_check(1)').get()
    if (verdict?.['quick_check'] !== 'ok') throw damaged(file, verdict?.['quick_check'])
  } catch (problem) {
    // a write that was cut short is rolled back by whoever opens the file for writing
    if (errcode(problem) !== READ_ONLY) throw problem
  } finally {
    database.close()
  }
}

function inWords(problem: unknown, file: string): unknown {
  const code = errcode(problem)
  if (code === NOT_A_DATABASE || code === CORRUPT) return damaged(file, problem)
  if (code === CANNOT_OPEN || code === READ_ONLY || code === IO_ERROR) return unusable(file, problem)
  return code === BUSY ? busy(problem) : problem
}

function damaged(file: string, why: unknown): StoreRefused {
  return new StoreRefused(
    `The store ${file} is damaged (${inOneLine(why)}). Nothing was changed. Move it away together with its -wal and ` +
      '-shm files; then put the newest file of the backups folder in its place, or start without it to begin anew, ' +
      'with no members, projects and settings.',
  )
}

function unusable(file: string, why: unknown): StoreRefused {
  return new StoreRefused(
    `The store ${file} cannot be opened (${inOneLine(why)}). It must be a file that the user Tilth runs as may read ` +
      'and write. Nothing was changed.',
  )
}

const inOneLine = (why: unknown): string =>
  (why instanceof Error ? why.message : String(why)).replaceAll(/\s+/g, ' ')

const busy = (cause: unknown): StoreBusy =>
  new StoreBusy('The store is held by another writer. Try again in a moment.', { cause })

function errcode(problem: unknown): number | undefined {
  if (!(problem instanceof Error) || !('errcode' in problem)) return undefined
  return typeof problem.errcode === 'number' ? problem.errcode & 0xff : undefined
}

export function sqliteDialect(database: DatabaseSync): Dialect {
  return {
    createDriver: () => new SqliteDriver(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new WholeSteps(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

/** SQLite can take back a created table like any other change; Kysely thinks not, and would leave steps half done. */
class WholeSteps extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** One connection, one holder at a time: `node:sqlite` answers at once, so waiting in line costs nothing. */
class SqliteDriver implements Driver {
  private readonly connection: DatabaseConnection
  private last: Promise<void> = Promise.resolve()
  private release: (() => void) | undefined

  constructor(private readonly database: DatabaseSync) {
    this.connection = new SqliteConnection(database)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.last
    let release = () => {}
    this.last = new Promise((resolve) => (release = resolve))
    await before
    this.release = release
    return this.connection
  }

  async releaseConnection(): Promise<void> {
    this.release?.()
  }

  // `immediate`, because a reader that turns writer half-way fails at once when another process wrote in between
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  async destroy(): Promise<void> {
    this.database.close()
  }
}

class SqliteConnection implements DatabaseConnection {
  constructor(private readonly database: DatabaseSync) {}

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return await patiently(() => this.run<Row>(query))
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query)
  }

  private run<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const statement = this.database.prepare(sql)
    const values = parameters as SQLInputValue[] // Kysely passes on what our tables are typed with: text and numbers
    if (answersRows(sql)) return { rows: statement.all(...values) as Row[] } // the caller's table types say what a row is
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }
}

const answersRows = (sql: string): boolean =>
  /^\s*(select|with|pragma|explain)\b/i.test(sql) || /\breturning\b/i.test(sql)

/** Waits for another process's writer without holding up the event loop, which SQLite's own waiting would do. */
async function patiently<Outcome>(attempt: () => Outcome): Promise<Outcome> {
  const givenUpAt = performance.now() + waitForWriterMs
  for (let waitMs = 5; ; waitMs = Math.min(waitMs * 2, 100)) {
    try {
      return attempt()
    } catch (problem) {
      if (errcode(problem) !== BUSY) throw problem
      if (performance.now() > givenUpAt) throw busy(problem)
      await pause(waitMs)
    }
  }
}
