import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { type StoreMigration, storeMigrations } from '../../migrations/store/all'
import { announce, type ChangeTables, Changes } from './changes'
import { migrateStore } from './migrate'
import { openPool, postgresDialect, refusal } from './postgres'
import { openDatabase, sqliteDialect } from './sqlite'
import type { Store, StoreTransaction } from './store'

export interface StoreSettings {
  /** The folder that holds `store.db` and its backups. */
  folder: string
  /** `postgres://…` uses that server instead of a file. */
  url?: string
}

/** Opens the store in either form and brings it up to date, after a backup where there is something to lose. */
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
  const store = new KyselyStore('sqlite', new Kysely({ dialect: sqliteDialect(database) }))

  return await broughtUpToDate(store, steps, async () => {
    const backups = join(folder, 'backups')
    mkdirSync(backups, { recursive: true, mode: 0o700 })
    const copy = join(backups, `store-${timestamp()}.db`)
    if (existsSync(copy)) return
    database.prepare('vacuum into ?').run(copy)
    chmodSync(copy, 0o600)
  })
}

const timestamp = (): string => new Date().toISOString().replaceAll(/[:.]/g, '-')

async function openPostgres(url: string, steps: readonly StoreMigration[]): Promise<Store> {
  const pool = await openPool(url)
  const store = new KyselyStore('postgres', new Kysely({ dialect: postgresDialect(pool) }))
  // Postgres changes tables inside transactions, so a step that fails leaves nothing behind; whole-server backups are its owner's
  return await broughtUpToDate(store, steps, async () => {})
}

async function broughtUpToDate(
  store: KyselyStore,
  steps: readonly StoreMigration[],
  backup: () => Promise<void>,
): Promise<Store> {
  try {
    await migrateStore(store.tables(), store.form, steps, backup)
    await store.begin()
    return store
  } catch (problem) {
    await store.close()
    throw refusal(problem) ?? problem
  }
}

class KyselyStore implements Store {
  private readonly changes: Changes

  constructor(
    readonly form: Store['form'],
    private readonly handle: Kysely<unknown>,
  ) {
    this.changes = new Changes(this.tables<ChangeTables>())
  }

  begin(): Promise<void> {
    return this.changes.begin()
  }

  tables<Tables>(): Kysely<Tables> {
    return typedFor<Tables>(this.handle)
  }

  async transaction<Outcome>(work: (transaction: StoreTransaction) => Promise<Outcome>): Promise<Outcome> {
    let announced = false
    const outcome = await this.handle.transaction().execute(async (handle) => {
      if (this.form === 'postgres') await oneWriterAtATime(handle)
      return await work({
        tables: <Tables>() => typedFor<Tables>(handle),
        announce: async (topic) => {
          announced = true
          await announce(typedFor<ChangeTables>(handle), topic)
        },
      })
    })
    if (announced) await this.changes.lookAgain()
    return outcome
  }

  onChange(listener: (topic: string) => void): () => void {
    return this.changes.listen(listener)
  }

  async ping(): Promise<void> {
    await this.tables<ChangeTables>().selectFrom('changes').select('topic').limit(1).execute()
  }

  async close(): Promise<void> {
    await this.changes.stop()
    await this.handle.destroy()
  }
}

/** What SQLite does by itself. Definitions change seldom; an order everybody agrees on is worth more than speed here. */
async function oneWriterAtATime(handle: Kysely<unknown>): Promise<void> {
  await sql`select pg_advisory_xact_lock(7114)`.execute(handle)
}

/** The one place where tables get their types: a room declares what it created in its own migration. */
const typedFor = <Tables>(handle: Kysely<unknown>): Kysely<Tables> => handle as Kysely<Tables>
