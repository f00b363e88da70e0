import { sql } from 'kysely'
import type { TableSource } from '#store/store'
import type { World } from '#world/world'

/** The plain handle: numbers are made by Postgres, and a statement reads its clock as well. */
interface Tables {
  announced_uuids: { number: number; owner: string; uuids: string; announced_at: number }
}

const minuteMs = 60_000
const keptForMs = 60 * minuteMs
/** An insert begins sooner after its announcement, or is announced again (`deduplicator.ts`). */
const pendingForMs = 10 * minuteMs
/** After a longer pause, something that was announced meanwhile may be deleted. */
const mostPauseMs = 50 * minuteMs
/** Limits the memory of a front that was away for long. */
const mostPerStatement = 200
/** Announcements are not always committed in the order of their numbers. So many before the last are looked at again. */
const lateNumbers = 100

interface ServerMoment {
  /** When the server was started: another one may lack what was committed last. */
  server: string
  now: number
}

/** The place that the last turn has read up to. */
interface Cursor {
  number: number
  at: ServerMoment
  /** The time of this machine, in milliseconds of `performance.now()`. */
  readAt: number
}

/**
 * Tells fronts that share a Postgres and an engine of each other’s inserts: each front commits the uuids before it
 * takes the turn to store their events, and so the next in turn knows all of them.
 */
export class UuidAnnouncements {
  private readonly owner: string
  private cursor: Cursor | undefined
  /** The numbers of others that were read, as far as they are looked at again. */
  private seen: readonly number[] = []
  /** One reading at a time. */
  private reading: Promise<unknown> = Promise.resolve()

  constructor(private readonly dependencies: { store: TableSource; world: World }) {
    // a copied data folder has the same journal, so the process is the owner
    this.owner = Buffer.from(dependencies.world.random(8)).toString('hex')
  }

  /** Whether everything that was announced since some moment is read, or will be. */
  get hasBegun(): boolean {
    return this.cursor !== undefined
  }

  /**
   * Begins with what may not be inserted yet. It is called in a turn, so that no other front inserts. `settle` waits for
   * what a front that is gone has sent to the engine.
   */
  async begin(source: TableSource, settle: () => Promise<void>): Promise<void> {
    const { rows } = await sql<ServerMoment & { last: number | null }>`
      select ${serverMoment}, (
        select max(number) from announced_uuids where announced_at < ${serverNow} - ${pendingForMs}::bigint
      ) as last`.execute(source.tables<Tables>())
    const [row] = rows
    if (!row) throw new Error('The store does not say its time.')
    const { server, now, last } = row
    const readAt = performance.now()
    await settle()
    this.seen = []
    this.cursor = { number: last ?? 0, at: { server, now }, readAt }
  }

  /** Has to be begun again. */
  forget(): void {
    this.cursor = undefined
  }

  /**
   * Gives the uuids that others announced since the last call, 16 bytes each. If some may be missing, after a long pause
   * or with another server, it calls `onGap` and has to be begun again.
   */
  async readNew(
    source: TableSource,
    take: (uuids: Buffer) => Promise<void>,
    onGap: () => void,
  ): Promise<void> {
    const reading = this.reading.catch(() => {}).then(() => this.readFromCursor(source, take, onGap))
    this.reading = reading
    await reading
  }

  /** Commits the uuids of events that are about to be inserted. It is called before a turn, in no transaction. */
  async announce(uuids: Buffer): Promise<void> {
    await sql`
      insert into announced_uuids (owner, uuids, announced_at)
      values (${this.owner}, ${uuids.toString('base64')}, ${serverNow})`.execute(
      this.dependencies.store.tables<Tables>(),
    )
  }

  /** Deletes what every front has read, or is too late for. */
  async prune(): Promise<void> {
    await sql`delete from announced_uuids where announced_at < ${serverNow} - ${keptForMs}::bigint`.execute(
      this.dependencies.store.tables<Tables>(),
    )
  }

  private async readFromCursor(
    source: TableSource,
    take: (uuids: Buffer) => Promise<void>,
    onGap: () => void,
  ): Promise<void> {
    for (;;) {
      const { cursor } = this
      if (!cursor) return
      const { at, rows } = await this.rowsAfter(source, cursor)
      // forgotten meanwhile, and perhaps begun again
      if (this.cursor !== cursor) continue
      if (!at || hasGap(cursor, at)) {
        this.cursor = undefined
        return onGap()
      }
      for (const { uuids } of rows) await take(Buffer.from(uuids, 'base64'))
      if (this.cursor !== cursor) continue
      this.advance(cursor, at, rows)
      if (rows.length < mostPerStatement) return
    }
  }

  private async rowsAfter(
    source: TableSource,
    cursor: Cursor,
  ): Promise<{ at: ServerMoment | undefined; rows: { number: number; uuids: string }[] }> {
    const { rows } = await sql<ServerMoment & { number: number | null; uuids: string | null }>`
      select ${serverMoment}, number, uuids
      from (select 1) as always
      left join announced_uuids
        on number > ${cursor.number - lateNumbers}
        and number <> all(${[...this.seen]}::bigint[])
        and owner <> ${this.owner}
      order by number
      limit ${mostPerStatement}`.execute(source.tables<Tables>())
    return {
      at: rows[0],
      rows: rows.flatMap(({ number, uuids }) =>
        number === null || uuids === null ? [] : [{ number, uuids }],
      ),
    }
  }

  private advance(cursor: Cursor, { server, now }: ServerMoment, rows: readonly { number: number }[]): void {
    const numbers = rows.map(({ number }) => number)
    const number = Math.max(cursor.number, ...numbers)
    this.seen = [...this.seen, ...numbers].filter((one) => one > number - lateNumbers)
    this.cursor = { number, at: { server, now }, readAt: performance.now() }
  }
}

const serverNow = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`
const serverMoment = sql`extract(epoch from pg_postmaster_start_time())::text as server, ${serverNow} as now`

/** A clock that was set back hides a pause; the other one does not. */
function hasGap({ at, readAt }: Cursor, { server, now }: ServerMoment): boolean {
  const pauseMs = Math.max(now - at.now, performance.now() - readAt)
  return server !== at.server || pauseMs > mostPauseMs
}
