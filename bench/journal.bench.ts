import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import autocannon from 'autocannon'
import { batchBytesOf } from '#engine/budget'
import type { Engine } from '#engine/engine'
import { openEngine } from '#engine/open'
import { sql } from '#engine/sql'
import type { PreparedEvent } from '#events/event'
import { Batches, type PersonResolver } from '#ingest/internal/batches'
import { keyOf, findStoredByDate } from '#ingest/internal/duplicates'
import { Journal } from '#ingest/internal/journal'
import { parseJournalLine, formatJournalLine } from '#ingest/internal/journal-lines'
import { Quarantine } from '#ingest/internal/quarantine'
import { BusySite, uuidOf } from './busy-site'
import { type Finding, megabytes, ms, perSecond, quantile, report } from './report'
import { forget, temporaryFolder } from './running'

const amount = 200_000
const connections = 32
const perRequest = 50
const memoryBytes = 3 * 1024 ** 3
const batchBytes = batchBytesOf(memoryBytes)

/** This minute, and as fast as the bench can send. */
const aSite = () => new BusySite(1, { at: Date.now() - 60_000, stepMs: 0.2 })

const kilobyte = Object.fromEntries(
  Array.from({ length: 20 }, (_, n) => [`property_${n}`, `value ${n} `.repeat(4)]),
)

const persons = new Map<string, string>()

const people: PersonResolver = {
  processedUpTo: async () => 0,
  resolve: async (events) => events.map(({ distinctId }) => personOf(distinctId)),
}

/** Reads and parses the body; one of the two also writes it down before it answers. */
async function serve(folder: string | undefined): Promise<void> {
  const journal = folder ? await Journal.open({ folder: join(folder, 'served') }) : undefined
  const template = aSite().next()
  let made = 0
  const server = createServer((request, response) => {
    void answer(request, response)
  })
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const properties = await parsed(request)
    if (journal) await journal.append([{ ...template, uuid: uuidOf(String(made++)), properties }])
    response.end('{"status":1}')
  }
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  process.on('message', () => process.send?.(process.cpuUsage()))
  if (address && typeof address === 'object') process.send?.(address.port)
}

async function parsed(request: IncomingMessage): Promise<Record<string, string>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  // the bench sends an object of texts
  const { properties } = JSON.parse(Buffer.concat(chunks).toString()) as Pick<PreparedEvent, 'properties'>
  return { ...properties }
}

interface Served {
  rate: number
  cpuUs: number
}

async function served(folder: string | undefined): Promise<Served> {
  const child = fork(import.meta.filename, ['serve', ...(folder ? [folder] : [])])
  try {
    const [port] = await once(child, 'message')
    const body = JSON.stringify({ event: '$pageview', properties: kilobyte })
    const load = { url: `http://127.0.0.1:${port}`, method: 'POST' as const, body, connections }
    await autocannon({ ...load, duration: 2 })
    const before = await cpuOf(child)
    const { requests } = await autocannon({ ...load, duration: 6 })
    const cpuUs = (await cpuOf(child)) - before
    return { rate: requests.average, cpuUs: cpuUs / requests.total }
  } finally {
    child.kill()
  }
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('?')
  const [{ user, system }] = await once(child, 'message')
  return user + system
}

async function appending(folder: string): Promise<Finding[]> {
  const journal = await Journal.open({ folder: join(folder, 'appending') })
  const site = aSite()
  const events = site.events(60_000)
  const waits: number[] = []
  const began = performance.now()
  const writer = async (from: number) => {
    for (let n = from; n < events.length; n += connections) {
      const asked = performance.now()
      await journal.append(events.slice(n, n + 1))
      waits.push(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, n) => writer(n)))
  const seconds = (performance.now() - began) / 1000
  await journal.close()
  return [
    {
      what: `append and sync, ${connections} at once, one event each`,
      measured: perSecond(events.length / seconds),
      beside: `p50 ${ms(quantile(waits, 0.5))}, p99 ${ms(quantile(waits, 0.99))}`,
    },
    ...encoding(events),
  ]
}

function encoding(events: readonly PreparedEvent[]): Finding[] {
  const lines = events.map(formatJournalLine)
  const bytes = lines.reduce((sum, line) => sum + line.length, 0) / lines.length
  const each = (work: () => void) => {
    work()
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return `${((user + system) / events.length).toFixed(1)} µs`
  }
  return [
    {
      what: 'an event as a line of the journal',
      measured: `${bytes.toFixed(0)} bytes`,
      beside: 'which is its row for the engine',
    },
    {
      what: 'making the line',
      measured: each(() => void events.map(formatJournalLine)),
      beside: 'processor time',
    },
    {
      what: 'reading it back',
      measured: each(() => void lines.map(parseJournalLine)),
      beside: 'processor time',
    },
  ]
}

function personOf(distinctId: string): string {
  const known = persons.get(distinctId)
  if (known) return known
  const person = uuidOf(`person ${distinctId}`)
  persons.set(distinctId, person)
  return person
}

class Pipe {
  private constructor(
    readonly journal: Journal,
    readonly batches: Batches,
  ) {}

  static async open(folder: string, engine: Engine, isAlone = true): Promise<Pipe> {
    const journal = await Journal.open({ folder })
    const now = () => new Date()
    const quarantine = new Quarantine(join(folder, 'quarantine'), now)
    return new Pipe(
      journal,
      new Batches({
        journal,
        engine,
        personResolver: people,
        quarantine,
        now,
        trustsFilter: () => isAlone,
        batchBytes,
      }),
    )
  }

  async close(): Promise<void> {
    await this.journal.close()
    await this.batches.close()
  }
}

interface Carried {
  rate: number
  frontUs: number
  engineUs: number
}

/** The rate of events from one end to the other, and the cost for the front and the engine. */
async function carried(
  events: number,
  engineCpu: () => number,
  carry: () => Promise<void>,
): Promise<Carried> {
  const before = { at: performance.now(), front: process.cpuUsage(), engine: engineCpu() }
  await carry()
  const seconds = (performance.now() - before.at) / 1000
  const { user, system } = process.cpuUsage(before.front)
  return {
    rate: events / seconds,
    frontUs: (user + system) / events,
    engineUs: ((engineCpu() - before.engine) * 1000) / events,
  }
}

async function write(journal: Journal, events: readonly PreparedEvent[]): Promise<void> {
  const writer = async (first: number) => {
    for (let n = first * perRequest; n < events.length; n += 8 * perRequest) {
      const part = events.slice(n, n + perRequest)
      while ((await journal.append(part)) !== 'written') await delay(20)
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, n) => writer(n)))
}

async function replaying(folder: string, engine: Engine, engineCpu: () => number): Promise<Finding> {
  const first = await Pipe.open(join(folder, 'replayed'), engine)
  await write(first.journal, aSite().events(amount))
  await first.close()
  const second = await Pipe.open(join(folder, 'replayed'), engine)
  const { rate, frontUs, engineUs } = await carried(amount, engineCpu, async () => {
    second.batches.start()
    if (!(await second.batches.drain(600_000))) throw new Error('It did not finish.')
  })
  await second.close()
  return {
    what: `replay of ${amount.toLocaleString('en')} events at a start, into the engine`,
    measured: `**${perSecond(rate)}**`,
    beside: `hoped for: 50,000/s; front ${frontUs.toFixed(0)} µs, engine ${engineUs.toFixed(0)} µs of processor an event`,
  }
}

async function flowing(
  folder: string,
  engine: Engine,
  engineCpu: () => number,
  isAlone: boolean,
): Promise<Finding> {
  const pipe = await Pipe.open(join(folder, `flowing-${isAlone}`), engine, isAlone)
  pipe.batches.start()
  const events = new BusySite(isAlone ? 2 : 3, { at: Date.now(), stepMs: 0.02 }).events(amount)
  let mostMemory = 0
  const watch = setInterval(() => (mostMemory = Math.max(mostMemory, process.memoryUsage().rss)), 100)
  const { rate, frontUs, engineUs } = await carried(amount, engineCpu, async () => {
    await write(pipe.journal, events)
    if (!(await pipe.batches.drain(600_000))) throw new Error('It did not finish.')
  })
  clearInterval(watch)
  await pipe.close()
  return {
    what: `from append to stored, ${perRequest} an append${isAlone ? '' : ', every event looked up'}`,
    measured: `**${perSecond(rate)}**`,
    beside: `hoped for: 40,000/s; front ${frontUs.toFixed(0)} µs, engine ${engineUs.toFixed(0)} µs of processor an event; at most ${megabytes(mostMemory)} resident, ${megabytes(events.length * 2000)} of it the events of the bench`,
  }
}

async function visibility(folder: string, engine: Engine): Promise<Finding> {
  const pipe = await Pipe.open(join(folder, 'visible'), engine)
  const written = new Map<string, number>()
  const waits: number[] = []
  pipe.batches.onStored((events) => {
    for (const { event } of events) waits.push(performance.now() - (written.get(event.uuid) ?? Number.NaN))
  })
  pipe.batches.start()
  const site = new BusySite(4, { at: Date.now(), stepMs: 10 })
  for (let n = 0; n < 1000; n++) {
    const event = site.next()
    await pipe.journal.append([event])
    written.set(event.uuid, performance.now())
    await delay(10)
  }
  await pipe.batches.drain(60_000)
  await pipe.close()
  return {
    what: 'from "written" to visible in a question, 100 events a second',
    measured: `p50 ${ms(quantile(waits, 0.5))}, p99 ${ms(quantile(waits, 0.99))}`,
    beside: 'hoped for: under 1 s',
  }
}

async function lookingUp(engine: Engine): Promise<Finding> {
  const [counted] = await engine.query<{ events: number }>(sql`select count() as events from events`, {
    lane: 'ingest',
  })
  const events = counted?.events ?? 0
  const fresh = new BusySite(5, { at: Date.now(), stepMs: 0.02 })
  const cost = async (batch: number) => {
    const asked = fresh.events(batch)
    const took = []
    for (let n = 0; n < 8; n++) {
      const began = performance.now()
      const known = await findStoredByDate(engine, asked)
      if (known.has(keyOf(fresh.next()))) throw new Error('It is new.')
      took.push(performance.now() - began)
    }
    return ms(quantile(took, 0.5))
  }
  return {
    what: `asking whether events are there already, ${events.toLocaleString('en')} on the same day`,
    measured: `${await cost(20)} for 20, ${await cost(3000)} for 3,000`,
    beside: 'only events are asked about that are not certainly new',
  }
}

async function size(engine: Engine): Promise<Finding> {
  await engine.command(sql`optimize table events final`, { deadlineMs: 600_000 })
  const [found] = await engine.query<{ bytes: number; rows: number }>(
    sql`select sum(bytes_on_disk) as bytes, sum(rows) as rows from system.parts where active and table = 'events'`,
    { lane: 'ingest' },
  )
  const { bytes, rows } = found ?? { bytes: 0, rows: 1 }
  return {
    what: 'on disk after merges',
    measured: `**${(bytes / rows).toFixed(1)} bytes an event**`,
    beside: 'hoped for: 60; 14 properties beside the columns',
  }
}

async function measure(): Promise<void> {
  const folder = temporaryFolder()
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const engine = openEngine({
    form: 'embedded',
    folder: join(folder, 'engine'),
    childEntry: resolve('dist/engine-child.js'),
    memoryBytes,
    cores: availableParallelism(),
    log,
  })
  try {
    await engine.ready()
    const engineCpu = cpuMsOf(
      Number(/PID: (\d+)/.exec(readFileSync(join(folder, 'engine/data/status'), 'utf8'))?.[1]),
    )
    const rounds: { bare: Served; journal: Served }[] = []
    for (let n = 0; n < 3; n++)
      rounds.push({ bare: await served(undefined), journal: await served(join(folder, String(n))) })
    const middle = rounds.toSorted((a, b) => a.journal.rate / a.bare.rate - b.journal.rate / b.bare.rate)[1]
    report('journal', 'The journal, and from there into the engine', [
      ...(middle ? [ofServers(middle)] : []),
      ...(await appending(folder)),
      await replaying(folder, engine, engineCpu),
      await flowing(folder, engine, engineCpu, true),
      await flowing(folder, engine, engineCpu, false),
      await visibility(folder, engine),
      await lookingUp(engine),
      await size(engine),
    ])
  } finally {
    await engine.close()
    forget(folder)
  }
}

function ofServers({ bare, journal }: { bare: Served; journal: Served }): Finding {
  return {
    what: `single events of 1 KB by HTTP, ${connections} connections, parsed, appended and synced`,
    measured: perSecond(journal.rate),
    beside: `bare \`node:http\` that parses them ${perSecond(bare.rate)}: **ratio ${(journal.rate / bare.rate).toFixed(2)}**; ${(journal.cpuUs - bare.cpuUs).toFixed(0)} µs of processor more an event; middle one of 3 rounds`,
  }
}

/** In milliseconds since it began, of all its threads. */
function cpuMsOf(pid: number): () => number {
  return () => {
    const [, ticks = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const fields = ticks.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  }
}

if (process.argv[2] === 'serve') await serve(process.argv[3])
else await measure()
