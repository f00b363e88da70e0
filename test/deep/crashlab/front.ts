import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openEngine, type EngineSettings } from '#engine/open'
import { sql } from '#engine/sql'
import type { PreparedEvent } from '#events/event'
import { Batches, type PersonResolver } from '#ingest/internal/batches'
import { Journal } from '#ingest/internal/journal'
import { Quarantine } from '#ingest/internal/quarantine'
import { exitWithParent } from '#processes/parent'
import { eventNumber } from './events'
import { personOf } from './people-in-memory'

/** The process that the lab kills: a journal, batches and a real engine, and a door for numbered events. */

export interface Orders {
  folder: string
  engine: EngineSettings
  /** The time of event 0. */
  beganAt: number
}

/** The outcome for every event, reported when all is stored. */
export interface Findings {
  /** The number of times that each event is in the engine. */
  stored: [number: number, times: number][]
  /** The numbers that people were told of, in that order. */
  applied: number[]
  quarantined: number
}

const month = 31 * 86_400_000
const silent = { info: () => {}, warn: () => {}, error: () => {} }

/** Events of this minute and of two months before, so that no insert is in one piece. */
function numbered(n: number, beganAt: number): PreparedEvent {
  const at = new Date(beganAt + n - (n % 3) * month)
  return eventNumber(n, { at, receivedAt: new Date(), name: `numbered ${n % 5}` })
}

/** As the store does it: what was changed and how far the journal was read, in one transaction. */
class PeopleOnDisk implements PersonResolver {
  private readonly database: DatabaseSync

  constructor(file: string) {
    this.database = new DatabaseSync(file)
    this.database.exec(`
      pragma journal_mode = wal; pragma synchronous = full;
      create table if not exists applied (number integer);
      create table if not exists progress (position integer)`)
  }

  async processedUpTo(): Promise<number> {
    const row = this.database.prepare('select max(position) as position from progress').get()
    return Number(row?.['position'] ?? 0)
  }

  async resolve(events: readonly PreparedEvent[], upTo: number): Promise<readonly string[]> {
    if (upTo > (await this.processedUpTo())) this.apply(events, upTo)
    return events.map(({ distinctId }) => personOf(distinctId))
  }

  applied(): number[] {
    return this.database
      .prepare('select number from applied')
      .all()
      .map((row) => Number(row['number']))
  }

  private apply(events: readonly PreparedEvent[], upTo: number): void {
    const insert = this.database.prepare('insert into applied values (?)')
    this.database.exec('begin immediate')
    for (const { properties } of events) insert.run(Number(properties['n']))
    this.database.prepare('insert into progress values (?)').run(upTo)
    this.database.exec('commit')
  }
}

await main()

async function main(): Promise<void> {
  exitWithParent()
  // only the lab starts this file, with arguments that it wrote
  const orders = JSON.parse(process.argv[2] ?? '') as Orders
  const engine = openEngine({ ...orders.engine, log: silent })
  const journal = await Journal.open({
    folder: join(orders.folder, 'journal'),
    limits: { segmentBytes: 300_000 },
  })
  const people = new PeopleOnDisk(join(orders.folder, 'people.db'))
  const quarantine = new Quarantine(join(orders.folder, 'quarantine'), () => new Date())
  const now = () => new Date()
  const batches = new Batches({
    journal,
    engine,
    personResolver: people,
    quarantine,
    now,
    everyMs: 50,
  })
  batches.start()

  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) => response.writeHead(status).end(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address && typeof address === 'object') process.send?.({ port: address.port })

  async function answer(request: IncomingMessage): Promise<{ status: number; body?: string }> {
    if (request.url === '/findings') return { status: 200, body: JSON.stringify(await findings()) }
    const events = (await numbersIn(request)).map((n) => numbered(n, orders.beganAt))
    return { status: (await journal.append(events)) === 'written' ? 200 : 503 }
  }

  async function findings(): Promise<Findings | { notYet: string }> {
    if (!(await batches.drain(60_000)))
      return { notYet: `${JSON.stringify(batches.counts())} ${batches.trouble}` }
    const rows = await engine.query<{ number: number; times: number }>(
      sql`select toUInt32(properties['n']) as number, count() as times from events group by number`,
      { lane: 'ingest' },
    )
    const stored = rows.map(({ number, times }): [number, number] => [number, times])
    return { stored, applied: people.applied(), quarantined: batches.counts().quarantined }
  }
}

async function numbersIn(request: IncomingMessage): Promise<number[]> {
  const chunks = await request.toArray()
  // the body that the lab sends
  return JSON.parse(Buffer.concat(chunks).toString()) as number[]
}
