import type { Kysely } from 'kysely'
import type { Engine } from '#engine/engine'
import { sql } from '#engine/sql'
import type { Store } from '#store/store'
import type { World } from '#world/world'

interface InstallationTables {
  /** The table has one row. `events` is the number of events in the engine at the last comparison. */
  installation: { one: number; id: string; events: number }
  projects: { id: number }
}

interface Dependencies {
  store: Store
  engine: Pick<Engine, 'query' | 'insert' | 'command'>
  world: World
}

/** The engine's events belong to another store: with this store, its first project would own them. */
export class ForeignEngineError extends Error {
  override readonly name = 'ForeignEngineError'
  constructor() {
    super(
      'The events in the engine belong to another store than this one. Nothing was changed. Put the store back that ' +
        'belongs to them (store.db in the data folder, or the TILTH_STORE it had), or start with an engine that is ' +
        'empty (move the folder engine/ away, or name another database in TILTH_ENGINE).',
    )
  }
}

/**
 * Binds store and engine by an id in both. A new store accepts only an empty engine; a store with projects but without
 * an id accepts any engine, because it comes from a version without ids.
 */
export class InstallationBinding {
  constructor(private readonly dependencies: Dependencies) {}

  /** Gives a store without projects its id at once, so that it counts as new when the engine responds. */
  async initialize(): Promise<void> {
    const { store, world } = this.dependencies
    await store.transaction(async (transaction) => {
      const known = transaction.tables<InstallationTables>()
      const rows = await known.selectFrom('installation').select('id').execute()
      const projects = await known.selectFrom('projects').select('id').limit(1).execute()
      if (rows.length === 0 && projects.length === 0) await saveId(known, newId(world))
    })
  }

  /** Throws `ForeignEngineError`. Fronts that start at the same moment agree on the id that was stored first. */
  async bind(): Promise<void> {
    const { store, engine, world } = this.dependencies
    const inEngine = await engineInstallationId(engine)
    const found = await eventsIn(engine)
    const { id, isFresh } = await store.transaction(async (transaction) => {
      const known = transaction.tables<InstallationTables>()
      const [row] = await known.selectFrom('installation').select(['id', 'events']).execute()
      if (row) return { id: row.id, isFresh: row.events === 0 }
      const adopted = inEngine ?? newId(world)
      await saveId(known, adopted)
      return { id: adopted, isFresh: false }
    })
    if (inEngine !== id) {
      const isForeign = found > 0 && (inEngine !== undefined || isFresh)
      if (isForeign) throw new ForeignEngineError()
      await engine.command(sql`truncate table installation`)
      await engine.insert('installation', JSON.stringify({ id }))
    }
  }
}

const newId = (world: World): string => Buffer.from(world.random(16)).toString('hex')

async function saveId(tables: Kysely<InstallationTables>, id: string): Promise<void> {
  await tables
    .insertInto('installation')
    .values({ one: 1, id, events: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function engineInstallationId(engine: Pick<Engine, 'query'>): Promise<string | undefined> {
  const [row] = await engine.query<{ id: string }>(sql`select id from installation order by id limit 1`, {
    lane: 'ingest',
  })
  return row?.id
}

async function eventsIn(engine: Pick<Engine, 'query'>): Promise<number> {
  const [row] = await engine.query<{ events: number }>(sql`select count() as events from events`, {
    lane: 'ingest',
  })
  return row?.events ?? 0
}
