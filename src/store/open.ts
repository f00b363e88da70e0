import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import { type StoreMigration, storeMigrations } from '#migrations/store/all'
import { announce, type ChangeTables, ChangeFeed } from './internal/change-feed'
import { migrateStore, refuseUnfinishedRestore } from './migrate'
import { openPool, postgresDialect, storeRefusalFor } from './postgres'
import { copyTablesAside, dropCopies } from './internal/postgres-copies'
import { openDatabase, openReader, sqliteDialect, truncateLog } from './internal/sqlite'
import { lockNumbers, lockWork, lockWriters } from './internal/writer-locks'
import {
  type CopiesToDrop,
  type ExclusiveWork,
  type Store,
  StoreBusyError,
  type TableSource,
  type TransactionOf,
  type WriteScope,
} from './store'

export interface StoreSettings {
  /** The folder that holds `store.db` and its copies. */
  folder: string
  /** `postgres://…` selects that server instead of a file. */
  url?: string
  /** Whether the caller is the restore that fills this database; everyone else is refused until it has finished. */
  isBeingRestored?: boolean
}

/** Opens the store and migrates it. Existing tables are copied first. */
export async function openStore(
  { folder, url, isBeingRestored = false }: StoreSettings,
  steps: readonly StoreMigration[] = storeMigrations,
): Promise<Store> {
  return url ? await openPostgres(url, steps, isBeingRestored) : await openSqlite(folder, steps)
}

async function openSqlite(folder: string, steps: readonly StoreMigration[]): Promise<Store> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'store.db')
  const database = openDatabase(file)
  chmodSync(file, 0o600)
  const connections = { writer: database, reader: openReader(file) }
  const copies = new FileCopies(join(folder, 'backups'))
  const handle = new Kysely({ dialect: sqliteDialect(connections) })
  const store = new KyselyStore(
    'sqlite',
    { statements: handle, transactions: handle },
    {
      dropCopies: async (which) => copies.remove(which),
      emptyLog: () => emptyLog(database),
    },
  )

  return await migrateAndBegin(store, steps, async () => {
    copies.make(database)
    copies.remove({ mostKept: mostCopiesKept })
  })
}

/** The number of copies from before upgrades that are kept. */
const mostCopiesKept = 3

/** The copies of `store.db` from before upgrades. Their names sort by time. */
class FileCopies {
  constructor(private readonly folder: string) {}

  make(database: DatabaseSync): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    const copy = join(this.folder, this.nameFor(new Date()))
    if (existsSync(copy)) return
    database.prepare('vacuum into ?').run(copy)
    chmodSync(copy, 0o600)
  }

  remove({ madeBefore, mostKept = 0 }: CopiesToDrop): void {
    if (!existsSync(this.folder)) return
    const limit = madeBefore && this.nameFor(madeBefore)
    const newestFirst = readdirSync(this.folder)
      .filter((name) => /^store-.*\.db$/.test(name))
      .toSorted()
      .toReversed()
    for (const name of newestFirst.slice(mostKept))
      if (limit === undefined || name < limit) rmSync(join(this.folder, name), { force: true })
  }

  private nameFor = (at: Date): string => `store-${at.toISOString().replaceAll(/[:.]/g, '-')}.db`
}

const logEmptiedWithinMs = 10_000
const retryLogEveryMs = 50

/** Waits for readers and writers of every process, which are busy with the log for moments. */
async function emptyLog(database: DatabaseSync): Promise<void> {
  const until = performance.now() + logEmptiedWithinMs
  while (!truncateLog(database)) {
    if (performance.now() > until) throw new StoreBusyError()
    await pause(retryLogEveryMs)
  }
}

/** Transactions wait for one another, so they have connections of their own: readers never wait for one of theirs. */
const readerConnections = 6
const writerConnections = 4

async function openPostgres(
  url: string,
  steps: readonly StoreMigration[],
  isBeingRestored: boolean,
): Promise<Store> {
  const readers = await openPool(url, readerConnections)
  const writers = await openPool(url, writerConnections, readers.watch)
  const handle = new Kysely({ dialect: postgresDialect(readers) })
  const transactions = new Kysely({ dialect: postgresDialect(writers) })
  const store = new KyselyStore(
    'postgres',
    { statements: handle, transactions },
    {
      dropCopies: (which) => dropCopies(handle, which),
      // the server has its own time for removing deleted rows from its files
      emptyLog: async () => {},
    },
  )
  const backup = async (tables: Kysely<unknown>) => {
    await copyTablesAside(tables, new Date())
    await dropCopies(tables, { mostKept: mostCopiesKept })
  }
  return await migrateAndBegin(store, steps, backup, isBeingRestored)
}

async function migrateAndBegin(
  store: KyselyStore,
  steps: readonly StoreMigration[],
  backup: (tables: Kysely<unknown>) => Promise<void>,
  isBeingRestored = false,
): Promise<Store> {
  try {
    await store.withMigrationLock(async (tables) => {
      if (store.form === 'postgres' && !isBeingRestored) await refuseUnfinishedRestore(tables)
      await migrateStore(tables, store.form, steps, () => backup(tables))
    })
    await store.begin()
    return store
  } catch (problem) {
    await store.close()
    throw storeRefusalFor(problem) ?? problem
  }
}

class KyselyStore implements Store {
  private readonly changeFeed: ChangeFeed
  /** The last of this process's exclusive work of each name. What waits here takes no connection. */
  private readonly latestWork = new Map<ExclusiveWork, Promise<void>>()

  constructor(
    readonly form: Store['form'],
    private readonly handles: { statements: Kysely<unknown>; transactions: Kysely<unknown> },
    private readonly deletedContent: Pick<Store, 'dropCopies' | 'emptyLog'>,
  ) {
    this.changeFeed = new ChangeFeed(this.tables<ChangeTables>())
  }

  begin(): Promise<void> {
    return this.changeFeed.begin()
  }

  tables<Tables>(): Kysely<Tables> {
    return withTables<Tables>(this.handles.statements)
  }

  async transaction<Outcome, Scope extends WriteScope = 'definitions'>(
    work: (transaction: TransactionOf<Scope>) => Promise<Outcome>,
    scope?: Scope,
  ): Promise<Outcome> {
    let announced = false
    const outcome = await this.handles.transactions.transaction().execute(async (handle) => {
      if (this.form === 'postgres') await lockWriters(handle, scope ?? 'definitions')
      const transaction = {
        tables: <Tables>() => withTables<Tables>(handle),
        announce: async (topic: string) => {
          announced = true
          await announce(withTables<ChangeTables>(handle), topic)
        },
      }
      // what it may write is known to the compiler alone
      return await work(transaction as TransactionOf<Scope>)
    })
    if (announced) await this.changeFeed.pollAgain()
    return outcome
  }

  async exclusively<Outcome>(
    name: ExclusiveWork | readonly ExclusiveWork[],
    work: (isHeld: () => boolean, source: TableSource) => Promise<Outcome>,
    options?: { isLong?: boolean; isShared?: boolean },
  ): Promise<Outcome> {
    const names = [name].flat()
    const before = names.map((one) => this.latestWork.get(one) ?? Promise.resolve())
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    for (const one of names) this.latestWork.set(one, ended)
    try {
      await Promise.all(before)
      return this.form === 'sqlite'
        ? await work(() => true, this)
        : await this.whileLocked(names, work, options)
    } finally {
      end()
    }
  }

  private async whileLocked<Outcome>(
    names: readonly ExclusiveWork[],
    work: (isHeld: () => boolean, source: TableSource) => Promise<Outcome>,
    { isLong = false, isShared = false } = {},
  ): Promise<Outcome> {
    return await this.handles.transactions.transaction().execute(async (handle) => {
      await lockWork(handle, names, isShared)
      const ending = new AbortController()
      let since = performance.now()
      const renewing = isLong && renewLock(handle, ending.signal, () => (since = performance.now()))
      try {
        const source = { tables: <Tables>() => withTables<Tables>(handle) }
        return await work(() => performance.now() - since < lockHeldForMs, source)
      } finally {
        ending.abort()
        await renewing
      }
    })
  }

  /** Runs the work while no other process migrates: of several first starts at once, one creates the tables. */
  async withMigrationLock(work: (tables: Kysely<unknown>) => Promise<void>): Promise<void> {
    if (this.form === 'sqlite') return await work(this.handles.statements)
    await this.handles.transactions.transaction().execute(async (handle) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(lockNumbers.migration)})`.execute(handle)
      await work(handle)
    })
  }

  async dropCopies(which: CopiesToDrop): Promise<void> {
    await this.deletedContent.dropCopies(which)
  }

  async emptyLog(): Promise<void> {
    await this.deletedContent.emptyLog()
  }

  changeCount(): number {
    return this.changeFeed.changeCount
  }

  async catchUpTo(changeCount: number): Promise<void> {
    await this.changeFeed.catchUpTo(changeCount)
  }

  onChange(listener: (topic: string) => void): () => void {
    return this.changeFeed.subscribe(listener)
  }

  async ping(): Promise<void> {
    await this.tables<ChangeTables>().selectFrom('changes').select('topic').limit(1).execute()
  }

  async close(): Promise<void> {
    await this.changeFeed.stop()
    const { statements, transactions } = this.handles
    await statements.destroy()
    if (transactions !== statements) await transactions.destroy()
  }
}

/** Less than `lockLostAfterMs`: a process may rely on its lock for so long. */
const lockHeldForMs = 30_000

const lockRenewedEveryMs = 10_000

/** A connection without statements loses the lock. After a failure it is not renewed any more. */
async function renewLock(handle: Kysely<unknown>, signal: AbortSignal, onRenewed: () => void): Promise<void> {
  try {
    for (;;) {
      await pause(lockRenewedEveryMs, undefined, { signal, ref: false })
      await sql`select 1`.execute(handle)
      onRenewed()
    }
  } catch {
    // the work is over, or learns from `isHeld` that the lock may be lost
  }
}

/** The only place where tables get their types: a module declares the tables that its own migration creates. */
const withTables = <Tables>(handle: Kysely<unknown>): Kysely<Tables> => handle as Kysely<Tables>
