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
const NOT_A_DATABASE = 26
const CORRUPT = 11

const waitForWriterMs = 5000

/** Opens the file, sets it up for several processes, and refuses one that is damaged. */
export function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 100 })
  try {
    refuseDamage(database, file)
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
    return database
  } catch (problem) {
    database.close()
    throw isDamage(problem) ? damaged(file, problem) : problem
  }
}

function refuseDamage(database: DatabaseSync, file: string): void {
  const verdict = database.prepare('pragma quick_check(1)').get()
  if (verdict?.['quick_check'] !== 'ok') throw damaged(file, verdict?.['quick_check'])
}

const isDamage = (problem: unknown): boolean => [NOT_A_DATABASE, CORRUPT].includes(errcode(problem) ?? 0)

function damaged(file: string, why: unknown): StoreRefused {
  const reason = why instanceof Error ? why.message : String(why)
  return new StoreRefused(
    `The store ${file} is damaged (${reason}). Nothing was changed. Put the newest file of the backups folder ` +
      'beside it in its place, or move it away to begin anew without members, projects and settings.',
  )
}

function errcode(problem: unknown): number | undefined {
  if (!(problem instanceof Error) || !('errcode' in problem)) return undefined
  return typeof problem.errcode === 'number' ? problem.errcode & 0xff : undefined
}

export function sqliteDialect(database: DatabaseSync): Dialect {
  return {
    createDriver: () => new SqliteDriver(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
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
      if (performance.now() > givenUpAt) {
        throw new StoreBusy('The store is held by another writer. Try again in a moment.', { cause: problem })
      }
      await pause(waitMs)
    }
  }
}
