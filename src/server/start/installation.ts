import type { ColumnType, Kysely } from 'kysely'
import type { Engine } from '#engine/engine'
import { sql } from '#engine/sql'
import type { Store } from '#store/store'
import type { World } from '#world/world'

interface InstallationTables {
  /** One row. `events` is about how many the engine has held; both forms of the store may give it as text. */
  installation: { one: number; id: string; events: ColumnType<number | string, number, number> }
  projects: { id: number }
}

interface Dependencies {
  store: Store
  engine: Pick<Engine, 'query' | 'insert' | 'command'>
  world: World
}

/** The engine's events belong to another store: with this one, its first project would own them. */
export class ForeignEngine extends Error {
  override readonly name = 'ForeignEngine'
  constructor() {
    super(
      'The events in the engine belong to another store than this one. Nothing was changed. Put the store back that ' +
        'belongs to them (store.db in the data folder, or the TILTH_STORE it had), or start with an engine that is ' +
        'empty (move the folder engine/ away, or name another database in TILTH_ENGINE).',
    )
  }
}

export interface EventCounts {
  /** As the store noted it. */
  expected: number
  found: number
}

/** Fewer than this share of what the store knows of is not erasing any more. */
const minShare = 0.5

/**
 * Binds store and engine by an id that both keep. A store that is new takes an engine only while that is empty; one
 * with projects and without an id adopts what it finds, since it comes from a version without ids.
 */
export class InstallationBinding {
  counts: EventCounts = { expected: 0, found: 0 }

  constructor(private readonly dependencies: Dependencies) {}

  /** Gives a store without projects its id at once, so that it is known to be new when the engine answers. */
  async initialize(): Promise<void> {
    const { store, world } = this.dependencies
    await store.transaction(async (transaction) => {
      const known = transaction.tables<InstallationTables>()
      const rows = await known.selectFrom('installation').select('id').execute()
      const projects = await known.selectFrom('projects').select('id').limit(1).execute()
      if (rows.length === 0 && projects.length === 0) await saveId(known, newId(world))
    })
  }

  /** Throws `ForeignEngine`. Fronts that begin at the same moment agree on the id that the store took first. */
  async bind(): Promise<void> {
    const { store, engine, world } = this.dependencies
    const inEngine = await engineInstallationId(engine)
    const found = await eventsIn(engine)
    const { id, isFresh } = await store.transaction(async (transaction) => {
      const known = transaction.tables<InstallationTables>()
      const [row] = await known.selectFrom('installation').select(['id', 'events']).execute()
      if (row) return { id: row.id, isFresh: Number(row.events) === 0 }
      const adopted = inEngine ?? newId(world)
      await saveId(known, adopted)
      return { id: adopted, isFresh: false }
    })
    if (inEngine !== id) {
      const isForeign = found > 0 && (inEngine !== undefined || isFresh)
      if (isForeign) throw new ForeignEngine()
      await engine.command(sql`truncate table installation`)
      await engine.insert('installation', JSON.stringify({ id }))
    }
    await this.compare(found)
  }

  /** Notes how many events the engine holds. A large loss is kept in mind until they are back. */
  async recount(): Promise<void> {
    await this.compare(await eventsIn(this.dependencies.engine))
  }

  /** Set where the engine holds far fewer events than it did. */
  get lost(): EventCounts | undefined {
    const { expected, found } = this.counts
    return found < expected * minShare ? this.counts : undefined
  }

  private async compare(found: number): Promise<void> {
    const tables = this.dependencies.store.tables<InstallationTables>()
    const [row] = await tables.selectFrom('installation').select('events').execute()
    const expected = Number(row?.events ?? 0)
    this.counts = { expected, found }
    if (this.lost || found === expected) return
    await tables.updateTable('installation').set({ events: found }).execute()
    this.counts = { expected: found, found }
  }
}

/** Takes the place of the number of events until the next count, which is then accepted whatever it is. */
const acceptAny = -1

/** Lowers what is expected by what is about to be deleted on purpose. Should that not happen, the next count is higher. */
export async function expectDeletion(store: Store, events: number): Promise<void> {
  await store.transaction(async (transaction) => {
    const tables = transaction.tables<InstallationTables>()
    const [row] = await tables.selectFrom('installation').select('events').execute()
    const expected = Number(row?.events ?? 0)
    if (expected === acceptAny) return
    await tables
      .updateTable('installation')
      .set({ events: Math.max(0, expected - events) })
      .execute()
  })
}

/** Lets the next count be what is expected from then on: an operator accepts that events are gone. */
export async function acceptLoss(store: Store): Promise<void> {
  await store.transaction(async (transaction) => {
    await transaction
      .tables<InstallationTables>()
      .updateTable('installation')
      .set({ events: acceptAny })
      .execute()
    await transaction.announce('installation')
  })
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
