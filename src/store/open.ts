import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { type StoreMigration, storeMigrations } from '#migrations/store/all'
import { announce, type ChangeTables, ChangeFeed } from './change-feed'
import { migrateStore } from './migrate'
import { openPool, postgresDialect, storeRefusalFor } from './postgres'
import { openDatabase, openReader, sqliteDialect } from './sqlite'
import type { ExclusiveWork, Store, StoreTransaction } from './store'

export interface StoreSettings {
  /** The folder that holds `store.db` and its backups. */
  folder: string
  /** `postgres://…` selects that server instead of a file. */
  url?: string
}

/** Opens the store and migrates it. An existing file is backed up first. */
export async function openStore(
  { folder, url }: StoreSettings,
  steps: readonly StoreMigration[] = storeMigrations,
): Promise<Store> {
  return url ? await openPostgres(url, steps) : await openSqlite(folder, steps)
}

async function openSqlite(folder: string, steps: readonly StoreMigration[]): Promise<Store> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'store.db')
  const database = openDatabase(file)
  chmodSync(file, 0o600)
  const connections = { writer: database, reader: openReader(file) }
  const store = new KyselyStore('sqlite', new Kysely({ dialect: sqliteDialect(connections) }))

  return await migrateAndBegin(store, steps, async () => {
    const backups = join(folder, 'backups')
    mkdirSync(backups, { recursive: true, mode: 0o700 })
    const copy = join(backups, `store-${timestamp()}.db`)
    if (existsSync(copy)) return
    database.prepare('vacuum into ?').run(copy)
    chmodSync(copy, 0o600)
    const older = readdirSync(backups).filter((name) => /^store-.*\.db$/.test(name))
    for (const name of older.toSorted().slice(0, -mostCopiesKept))
      rmSync(join(backups, name), { force: true })
  })
}

/** The number of copies from before upgrades that are kept. */
const mostCopiesKept = 3

const timestamp = (): string => new Date().toISOString().replaceAll(/[:.]/g, '-')

async function openPostgres(url: string, steps: readonly StoreMigration[]): Promise<Store> {
  const pool = await openPool(url)
  const store = new KyselyStore('postgres', new Kysely({ dialect: postgresDialect(pool) }))
  // Postgres changes tables inside transactions, so a failed step leaves nothing behind; backups of the server are up
  // to its owner
  return await migrateAndBegin(store, steps, async () => {})
}

async function migrateAndBegin(
  store: KyselyStore,
  steps: readonly StoreMigration[],
  backup: () => Promise<void>,
): Promise<Store> {
  try {
    await store.withMigrationLock((tables) => migrateStore(tables, store.form, steps, backup))
    await store.begin()
    return store
  } catch (problem) {
    await store.close()
    throw storeRefusalFor(problem) ?? problem
  }
}

class KyselyStore implements Store {
  private readonly changeFeed: ChangeFeed

  constructor(
    readonly form: Store['form'],
    private readonly handle: Kysely<unknown>,
  ) {
    this.changeFeed = new ChangeFeed(this.tables<ChangeTables>())
  }

  begin(): Promise<void> {
    return this.changeFeed.begin()
  }

  tables<Tables>(): Kysely<Tables> {
    return withTables<Tables>(this.handle)
  }

  async transaction<Outcome>(work: (transaction: StoreTransaction) => Promise<Outcome>): Promise<Outcome> {
    let announced = false
    const outcome = await this.handle.transaction().execute(async (handle) => {
      if (this.form === 'postgres') await lockWriters(handle)
      return await work({
        tables: <Tables>() => withTables<Tables>(handle),
        announce: async (topic) => {
          announced = true
          await announce(withTables<ChangeTables>(handle), topic)
        },
      })
    })
    if (announced) await this.changeFeed.pollAgain()
    return outcome
  }

  async exclusively<Outcome>(
    name: ExclusiveWork,
    work: (isHeld: () => boolean) => Promise<Outcome>,
  ): Promise<Outcome> {
    if (this.form === 'sqlite') return await work(() => true)
    return await this.handle.transaction().execute(async (handle) => {
      await lockFor(handle, name)
      const since = performance.now()
      return await work(() => performance.now() - since < lockHeldForMs)
    })
  }

  /** Runs the work while no other process migrates: of several first starts at once, one creates the tables. */
  async withMigrationLock(work: (tables: Kysely<unknown>) => Promise<void>): Promise<void> {
    if (this.form === 'sqlite') return await work(this.handle)
    await this.handle.transaction().execute(async (handle) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(handle)
      await work(handle)
    })
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
    await this.handle.destroy()
  }
}

/** SQLite has a single writer anyway. Definitions change seldom, so the order of writes matters more than speed. */
async function lockWriters(handle: Kysely<unknown>): Promise<void> {
  await sql`set local lock_timeout = '5s'`.execute(handle)
  await sql`select pg_advisory_xact_lock(7114)`.execute(handle)
}

const lockNumbers: Readonly<Record<ExclusiveWork, number>> = { 'store events': 7115 }
const migrationLock = 7116

/**
 * A process that hangs or whose machine is lost loses the lock after this time. It may rely on the lock until
 * `lockHeldForMs`.
 */
const lockLostAfterMs = 60_000
const lockHeldForMs = 30_000

/** The lock ends with the transaction, which also works with a pool that assigns connections by transaction. */
async function lockFor(handle: Kysely<unknown>, name: ExclusiveWork): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = ${sql.lit(lockLostAfterMs)}`.execute(handle)
  await sql`set local lock_timeout = ${sql.lit(lockLostAfterMs)}`.execute(handle)
  await sql`select pg_advisory_xact_lock(${sql.lit(lockNumbers[name])})`.execute(handle)
}

/** The only place where tables get their types: a module declares the tables that its own migration creates. */
const withTables = <Tables>(handle: Kysely<unknown>): Kysely<Tables> => handle as Kysely<Tables>
