import type { Engine } from '../engine/engine'
import { type Sql, sql, uint, uuids } from '../engine/sql'
import type { Store, StoreTransaction } from '../store/store'
import type { World } from '../world/world'
import type { Erasure } from './erasures'
import { markFinished, noteEvents, saveErased, unfinishedErasures } from './erasures/store'
import type { Forgotten } from './forgotten'
import { forgetPersons } from './store'

export interface EraserGround {
  store: Store
  engine: Pick<Engine, 'query' | 'command'>
  world: World
  forgotten: Pick<Forgotten, 'look'>
  /** How many events were taken so far, and how many of them have yet to reach the engine. */
  whereabouts: () => { accepted: number; pending: number }
  /** What other rooms keep of people, under the numbers they ever had. */
  alsoForget?: (transaction: StoreTransaction, projectId: number, numbers: readonly string[]) => Promise<void>
}

/** One pass over all events, on a machine that has other things to do. */
const deadlineMs = 5 * 60_000

/**
 * Takes out of the engine who was asked to be forgotten. To be run whenever somebody asks, and every few minutes: an
 * erasure that was cut short is begun anew, and finds less to do.
 */
export class Eraser {
  private running: Promise<number> | undefined
  private seen: { ids: ReadonlySet<string>; accepted: number } | undefined

  constructor(private readonly ground: EraserGround) {}

  /** How many erasures are finished now. While it runs, whoever asks waits for the same. */
  async run(): Promise<number> {
    this.running ??= this.runOnce().finally(() => (this.running = undefined))
    return await this.running
  }

  private async runOnce(): Promise<number> {
    const waiting = await unfinishedErasures(this.ground.store)
    if (waiting.length === 0) return 0
    // from here on nothing of theirs gets in any more
    await this.ground.forgotten.look()
    for (const erasure of waiting) await this.takeOut(erasure)
    const gone = await this.goneAmong(this.settledAmong(waiting))
    if (gone.length === 0) return 0
    await this.scrub()
    for (const erasure of gone) await this.finish(erasure)
    await this.ground.forgotten.look()
    return gone.length
  }

  private async takeOut(erasure: Erasure): Promise<void> {
    const { store, engine } = this.ground
    if (erasure.events === undefined) await noteEvents(store, erasure, await this.eventsOf(erasure))
    for (const table of tables) await engine.command(deletion(table, erasure), { deadlineMs })
    await store.transaction((transaction) => this.forget(transaction, erasure))
  }

  /**
   * Those that were taken out in a run before already, if all events taken until then have reached the engine by now:
   * what was on its way when they were erased is gone with this run.
   */
  private settledAmong(waiting: readonly Erasure[]): Erasure[] {
    const { accepted, pending } = this.ground.whereabouts()
    if (pending === 0) return [...waiting]
    const before = this.seen
    if (before && accepted - pending < before.accepted) return []
    this.seen = { ids: new Set(waiting.map(({ id }) => id)), accepted }
    return waiting.filter(({ id }) => before?.ids.has(id))
  }

  private async goneAmong(settled: readonly Erasure[]): Promise<Erasure[]> {
    const gone: Erasure[] = []
    for (const erasure of settled) {
      const left = await Promise.all(tables.map((table) => this.left(table, erasure)))
      if (left.every((rows) => rows === 0)) gone.push(erasure)
    }
    return gone
  }

  /** What was deleted is out of every answer; this takes it off the disk as well. */
  private async scrub(): Promise<void> {
    const { engine } = this.ground
    await Promise.all(
      tables.map(({ name }) =>
        engine.command(sql`alter table ${name} apply deleted mask settings mutations_sync = 2`, {
          deadlineMs,
        }),
      ),
    )
  }

  /** What they do from here on is a new person's. */
  private async finish(erasure: Erasure): Promise<void> {
    const { store, world } = this.ground
    const now = world.now()
    await store.transaction(async (transaction) => {
      await this.forget(transaction, erasure)
      await saveErased(transaction, erasure, now)
      await markFinished(transaction, erasure, now)
      await transaction.announce('erasures')
    })
  }

  private async forget(transaction: StoreTransaction, { projectId, numbers }: Erasure): Promise<void> {
    await forgetPersons(transaction, projectId, numbers)
    await this.ground.alsoForget?.(transaction, projectId, numbers)
  }

  private async eventsOf(erasure: Erasure): Promise<number> {
    return await this.left(events, erasure)
  }

  private async left({ name, isTheirs }: Table, { projectId, numbers }: Erasure): Promise<number> {
    const [row] = await this.ground.engine.query<{ left: number }>(
      sql`
        select count() as left
        from ${name}
        where project_id = ${uint(projectId)}
          and ${isTheirs(numbers)}`,
      { lane: 'ingest', deadlineMs },
    )
    return row?.left ?? 0
  }
}

interface Table {
  name: Sql
  isTheirs: (numbers: readonly string[]) => Sql
}

const events: Table = { name: sql`events`, isTheirs: (numbers) => sql`person_id in ${uuids(numbers)}` }

/** Overrides last: while there are events, they say whose they are. */
const tables: readonly Table[] = [
  events,
  { name: sql`persons`, isTheirs: (numbers) => sql`person_id in ${uuids(numbers)}` },
  {
    name: sql`person_overrides`,
    isTheirs: (numbers) => sql`(to_person_id in ${uuids(numbers)} or from_person_id in ${uuids(numbers)})`,
  },
]

const deletion = ({ name, isTheirs }: Table, { projectId, numbers }: Erasure): Sql => sql`
  delete from ${name}
  where project_id = ${uint(projectId)}
    and ${isTheirs(numbers)}`
