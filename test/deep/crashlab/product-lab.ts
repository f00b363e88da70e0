import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBy } from '#bench/busy-site'
import { sealFile } from '#flags/seal'
import { openEngine } from '#engine/open'
import { type Sql, sql, string } from '#engine/sql'
import { temporaryServer } from '#engine/internal/temporary'
import { startBuiltInPostgres } from '../../outside/postgres'
import { readStore } from '#store/read-only'
import { eventName, NumberedClients, numberOfUuid, Prober } from './product-clients'
import { type FaultTarget, flipBitOfPart, type ProductFault, productFaults } from './product-faults'
import { ProductProcess, secretKey } from './product-process'
import { StallWatch } from './stall-watch'
import { askedByApi, numberedByApi, type StoredNumbers } from './stored-by-api'

interface ProductLabSettings {
  seed: number
  /** For how long faults are injected; what follows until everything is stored is not counted. */
  seconds: number
  /** Only faults with one of these names. */
  only?: readonly string[]
  /** Ends the run with one front by a flipped bit in the engine's data. */
  flipsBit?: boolean
  print?: (line: string) => void
}

interface ProductReport {
  faults: string[]
  /** With the reason. */
  skipped: string[]
  acknowledged: number
  /** Undefined where the run ended before it was looked at. */
  stored: number | undefined
  answered: { flags: number; site: number }
  peakMegabytes: number
  /** Every promise that was not kept; empty when all is well. */
  failures: string[]
}

const memoryBytes = 1024 ** 3
/** The promise is one and a half times the limit; the engine's library is a file that the system takes back. */
const mostBytes = 1.5 * memoryBytes + 200 * 1024 ** 2
const usualClients = 4

/** One front with its own engine for three fifths of the time, then two fronts that share an engine and a store. */
export async function breakProduct(settings: ProductLabSettings): Promise<ProductReport> {
  const one = await breakOneFront({ ...settings, seconds: settings.seconds * 0.6 })
  const two = await breakTwoFronts({ ...settings, seconds: settings.seconds * 0.4 })
  return together(one, two)
}

async function breakOneFront(settings: ProductLabSettings): Promise<ProductReport> {
  return await withFolder(async (folder) => {
    const disk = await mountedDisk(folder)
    const failures: string[] = []
    const fail = (failure: string) => void failures.push(failure)
    const front = new ProductProcess(join(disk?.folder ?? folder, 'data'), limits, fail)
    try {
      await front.start()
      const run = new FaultRun('one front', settings, failures, {
        fronts: [front],
        ...(disk && { smallDisk: disk.folder }),
      })
      return await run.report(storedByApi(front))
    } finally {
      await front.killFront()
      disk?.unmount()
    }
  })
}

async function breakTwoFronts(settings: ProductLabSettings): Promise<ProductReport> {
  return await withFolder(async (folder) => {
    const [engine, store] = await Promise.all([temporaryServer(), startBuiltInPostgres()])
    const failures: string[] = []
    const fail = (failure: string) => void failures.push(failure)
    const storeUrl = await store.emptyDatabase()
    const environment = { ...limits, TILTH_ENGINE: engine.url, TILTH_STORE: storeUrl }
    const fronts = [0, 1].map((n) => new ProductProcess(join(folder, String(n), 'data'), environment, fail))
    try {
      // fronts of one store have one key
      for (const front of fronts) {
        await mkdir(front.folder, { recursive: true, mode: 0o700 })
        await writeFile(join(front.folder, sealFile), Buffer.alloc(32, 7).toString('base64url'))
      }
      await Promise.all(fronts.map((front) => front.start()))
      const run = new FaultRun('two fronts', settings, failures, { fronts, shared: { engine, store } })
      return await run.report(storedOnServers(engine.url, storeUrl))
    } finally {
      await Promise.all(fronts.map((front) => front.killFront()))
      await store.stop()
      await engine.remove()
    }
  })
}

const limits = { TILTH_MEMORY: '1g' }

type MonthCounts = ReadonlyMap<number, number>

/** The stored events, read past the product. */
interface StoredEvents {
  numbered: () => Promise<StoredNumbers>
  byMonth: () => Promise<MonthCounts>
  /** One statement on the store. */
  read: (statement: string) => Promise<Record<string, unknown>[]>
}

interface AfterFlip {
  before: StoredNumbers
  after: StoredNumbers
  /** Events that were acknowledged before the last flip, and may be in the damaged part. */
  beforeFlip: ReadonlySet<number>
  /** The clients that sent their events after the first flip. */
  later: NumberedClients
  /** The number of rows that the product reports as missing. */
  missingRows: number
}

/** Faults in an order that the seed decides, and what is seen meanwhile. */
class FaultRun {
  private readonly chance: () => number
  private readonly clients: NumberedClients
  private readonly prober: Prober
  private readonly done: string[] = []
  private readonly skipped: string[] = []
  private hasEnded = false
  /** Whether events may be missing by now. */
  private isDamaged = false
  private readonly reportedDifferences = new Set<string>()

  constructor(
    private readonly form: 'one front' | 'two fronts',
    private readonly settings: ProductLabSettings,
    private readonly failures: string[],
    private readonly parts: Pick<FaultTarget, 'fronts' | 'shared' | 'smallDisk'>,
  ) {
    this.chance = randomBy(settings.seed)
    this.clients = new NumberedClients(parts.fronts, settings.seed)
    this.prober = new Prober(parts.fronts, (failure) => this.fail(failure))
  }

  async report(stored: StoredEvents): Promise<ProductReport> {
    const watching = this.watch()
    this.clients.setAmount(usualClients)
    try {
      await this.acknowledgement()
      await this.injectFaults()
      await this.clients.end()
      await this.allStored()
      const found = await stored.numbered()
      this.verifyStored(found)
      await this.verifyExpected(stored)
      this.isDamaged = true
      await this.flipBit(found, stored.numbered)
    } catch (problem) {
      this.fail(problem instanceof Error ? problem.message : String(problem))
    } finally {
      this.hasEnded = true
      await Promise.all([this.clients.end(), this.prober.end(), watching])
    }
    return {
      faults: this.done,
      skipped: this.skipped,
      acknowledged: this.clients.acknowledged.size,
      stored: this.storedAmount,
      answered: this.prober.answered,
      peakMegabytes: Math.round(Math.max(...this.parts.fronts.map((front) => front.peakBytes)) / 1024 ** 2),
      failures: this.failures,
    }
  }

  private storedAmount: number | undefined
  private current = 'before the first fault'

  private fail(failure: string): void {
    this.failures.push(`${this.form}, ${this.current}: ${failure}`)
  }

  private async injectFaults(): Promise<void> {
    const endsAt = performance.now() + this.settings.seconds * 1000
    const all = this.faultsHere()
    while (all.length > 0 && performance.now() < endsAt)
      for (const fault of shuffled(all, this.chance)) {
        // drawn before the look at the clock, so that a slow machine does other amounts of the same order
        const [holdMs, which] = [500 + 2000 * this.chance(), this.chance()]
        if (performance.now() < endsAt) await this.injectOne(fault, holdMs, which)
      }
  }

  private faultsHere(): ProductFault[] {
    const { only } = this.settings
    return productFaults.filter((fault) => {
      if (!fault.with.includes(this.form) || (only && !only.includes(fault.name))) return false
      const reason = fault.unavailable?.(this.target(0))
      if (reason) this.skipped.push(`${fault.name}: ${reason}`)
      return !reason
    })
  }

  private target(which: number): FaultTarget {
    const { fronts } = this.parts
    const front = fronts[Math.floor(which * fronts.length)]
    if (!front) throw new Error('A run needs a front.')
    return { ...this.parts, front, clients: this.clients, refusal: () => this.refusal(front) }
  }

  private async injectOne(fault: ProductFault, holdMs: number, which: number): Promise<void> {
    const target = this.target(which)
    this.current = `${fault.name} (fault ${this.done.length + 1})`
    this.prober.excuse(fault.excuses ?? {})
    await fault.inject(target, holdMs)
    for (const front of this.parts.fronts) await front.ready()
    await this.acknowledgement()
    this.prober.excuse({})
    this.done.push(fault.name)
    const { acknowledged } = this.clients
    this.settings.print?.(
      `${this.form} ${this.done.length}: ${fault.name} for ${Math.round(holdMs)} ms, ${acknowledged.size} acknowledged, ${this.failures.length} failures`,
    )
  }

  /** Until an event is acknowledged that was not before. */
  private async acknowledgement(): Promise<void> {
    const { acknowledged } = this.clients
    const before = acknowledged.size
    const [front] = this.parts.fronts
    await front?.until('an event is acknowledged', async () => acknowledged.size > before)
  }

  private async allStored(): Promise<void> {
    await this.prober.pause()
    await Promise.all(this.parts.fronts.map((front) => front.allStored()))
    this.prober.resume()
  }

  private async refusal(front: ProductProcess): Promise<void> {
    const before = this.clients.refusals
    await front.until('events are refused', async () => this.clients.refusals > before)
  }

  /**
   * One bit of a part of the engine flips. It is the last fault, since it takes rows away that were acknowledged. The part
   * must be reported as detached with all that is missing, and what comes afterwards must be stored.
   */
  private async flipBit(before: StoredNumbers, stored: () => Promise<StoredNumbers>): Promise<void> {
    const [front] = this.parts.fronts
    const { only, flipsBit } = this.settings
    if (!flipsBit || !front || this.form === 'two fronts' || (only && !only.includes('bit flipped'))) return
    this.current = 'bit flipped'
    if (!flipBitOfPart(join(front.folder, 'engine')))
      return void this.skipped.push('bit flipped: there is no part yet')
    const later = new NumberedClients(this.parts.fronts, this.settings.seed, this.clients.next)
    later.setAmount(usualClients)
    let looks = 0
    let beforeFlip = new Set(later.acknowledged)
    await front.until('the damaged part is detached', async () => {
      await readEveryColumn(front)
      // a merge may have put another part in its place just before the bit flipped
      if (++looks % 50 === 0) {
        beforeFlip = new Set(later.acknowledged)
        flipBitOfPart(join(front.folder, 'engine'))
      }
      return (await front.metric('tilth_detached_parts')) > 0
    })
    const known = later.acknowledged.size
    await front.until('events are acknowledged', async () => later.acknowledged.size > known)
    await later.end()
    await this.allStored()
    const missingRows = await front.metric('tilth_detached_rows')
    this.verifyAfterFlip({ before, beforeFlip, after: await stored(), later, missingRows })
    this.done.push('bit flipped')
    this.settings.print?.(
      `${this.form} ${this.done.length}: bit flipped, ${missingRows} rows are reported as missing`,
    )
  }

  private verifyAfterFlip({ before, beforeFlip, after, later, missingRows }: AfterFlip): void {
    const numbers = new Set(after.map(({ uuid }) => numberOfUuid(uuid)))
    const damaged = [...before.map(({ uuid }) => numberOfUuid(uuid)), ...beforeFlip]
    const missing = damaged.filter((n) => !numbers.has(n))
    const lost = [...later.acknowledged].filter((n) => !numbers.has(n) && !beforeFlip.has(n))
    if (missingRows === 0) this.fail('no row is reported as missing')
    if (missing.length > missingRows)
      this.fail(`${missing.length} events are missing, and ${missingRows} are reported as missing`)
    // an event of the damaged part that is sent again is not known to be there, and may be stored once more
    if (lost.length > 0)
      this.fail(`${lost.length} events acknowledged after the flip are lost: ${some(lost)}`)
    if (after.some(({ times }) => times > 1)) this.fail('events are stored twice')
  }

  private async watch(): Promise<void> {
    const watched = this.parts.fronts.map((front) => ({ front, stallWatch: new StallWatch() }))
    while (!this.hasEnded) {
      for (const { front, stallWatch } of watched) {
        front.measureMemory()
        const counts = front.isUp ? await front.counts() : undefined
        this.verifyCounts(counts)
        await this.verifyNothingMissing(front)
        const stall = stallWatch.failureAt(performance.now(), counts)
        if (stall) this.fail(`${stall}. ${front.lastOutput}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
    for (const front of this.parts.fronts)
      if (front.peakBytes > mostBytes)
        this.fail(`memory grew to ${Math.round(front.peakBytes / 1024 ** 2)} MB`)
  }

  /** Holds at every moment, not only at the end. */
  private verifyCounts(counts: Readonly<Record<string, number>> | undefined): void {
    if (counts?.['accepted'] === undefined) return
    const { accepted, ...others } = counts
    const sum = Object.values(others).reduce((all, amount) => all + amount, 0)
    if (accepted !== sum) this.fail(`accepted is not the sum of the others: ${JSON.stringify(counts)}`)
  }

  /** Holds at every moment until the rig damages what is stored. */
  private async verifyNothingMissing(front: ProductProcess): Promise<void> {
    const messages = front.isUp && !this.isDamaged ? await front.eventDifferences() : []
    for (const line of messages) {
      if (this.isDamaged || this.reportedDifferences.has(line)) continue
      this.reportedDifferences.add(line)
      this.fail(`it says that events are missing or too many: ${line}`)
    }
  }

  /**
   * The product expects as many events of each month as are stored: within what the faults left unsure, and exactly
   * once its fronts were started again.
   */
  private async verifyExpected(stored: StoredEvents): Promise<void> {
    // a visit of the site is an event too
    await this.prober.pause()
    await Promise.all(this.parts.fronts.map((front) => front.allStored()))
    const [expected, found] = await expectedAndFound(stored)
    const isPossible = expected.every(({ month, least, most }) =>
      isWithin(found.get(month) ?? 0, least, most),
    )
    if (!isPossible) this.fail(`it expects ${inWords(expected)}, and ${inWords(exactly(found))} are stored`)
    this.current = 'started again at the end'
    for (const front of this.parts.fronts) {
      await front.killFront('SIGTERM')
      await front.start()
    }
    const [front] = this.parts.fronts
    await front?.until('as many events are expected as are stored', async () => {
      const [expectedNow, foundNow] = await expectedAndFound(stored)
      return inWords(expectedNow) === inWords(exactly(foundNow))
    })
    for (const one of this.parts.fronts) await this.verifyNothingMissing(one)
    this.prober.resume()
  }

  private verifyStored(stored: StoredNumbers): void {
    this.current = 'at the end'
    this.storedAmount = stored.length
    const numbers = new Set(stored.map(({ uuid }) => numberOfUuid(uuid)))
    const lost = [...this.clients.acknowledged].filter((n) => !numbers.has(n))
    const twice = stored.filter(({ times }) => times > 1).map(({ uuid }) => numberOfUuid(uuid))
    const unsent = [...numbers].filter((n) => n >= this.clients.next)
    if (lost.length > 0) this.fail(`${lost.length} acknowledged events are lost: ${some(lost)}`)
    if (twice.length > 0) this.fail(`${twice.length} events are stored twice: ${some(twice)}`)
    if (unsent.length > 0)
      this.fail(`${unsent.length} events are stored that were never sent: ${some(unsent)}`)
  }
}

const some = (numbers: readonly number[]): string => numbers.slice(0, 20).join(', ')

/** The number of events of a month that the product expects. */
interface ExpectedMonth {
  month: number
  least: number
  most: number
}

const isWithin = (amount: number, least: number, most: number): boolean => least <= amount && amount <= most

const exactly = (byMonth: MonthCounts): ExpectedMonth[] =>
  [...byMonth].map(([month, amount]) => ({ month, least: amount, most: amount }))

const inWords = (months: readonly ExpectedMonth[]): string =>
  months
    .filter(({ most }) => most > 0)
    .map(({ month, least, most }) => `${month}: ${least === most ? least : `${least} to ${most}`}`)
    .join(', ')

const expectedAndFound = (stored: StoredEvents) => Promise.all([expectedEvents(stored), stored.byMonth()])

/** As the store has it once nothing is under way. */
async function expectedEvents({ read }: StoredEvents): Promise<ExpectedMonth[]> {
  const rows = await read('select * from event_months order by month')
  return rows.map((row) => {
    // a bigint of Postgres is text
    const [added = 0, removed = 0, more = 0, fewer = 0] = [
      'added',
      'removed',
      'unsure_added',
      'unsure_removed',
    ].map((column) => Number(row[column]))
    return { month: Number(row['month']), least: added - removed - fewer, most: added - removed + more }
  })
}

/** As a program with a secret key asks for it. */
function storedByApi(front: ProductProcess): StoredEvents {
  return {
    numbered: () => numberedByApi(front),
    byMonth: async () =>
      // as the statement says
      new Map((await askedByApi(front, eventsByMonth)) as [number, number][]),
    read: (statement) => readStore({ dataFolder: front.folder, storeUrl: undefined }, statement),
  }
}

const eventsByMonth =
  'select toYYYYMM(timestamp) as month, count() as events from events group by month order by month'

/** A part is known to be damaged once something reads the bytes that are. */
async function readEveryColumn(front: ProductProcess): Promise<void> {
  await fetch(`${front.address}/api/v1/projects/acme/query?fresh`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sql: 'select uniq(*) from events' }),
  }).then((answer) => answer.arrayBuffer())
}

function storedOnServers(engineUrl: string, storeUrl: string): StoredEvents {
  return {
    numbered: () =>
      askedOnServer(
        engineUrl,
        sql`select toString(uuid) as uuid, count() as times from events where event = ${string(eventName)} group by uuid`,
      ),
    byMonth: async () => {
      const rows = await askedOnServer<{ month: number; events: number }>(
        engineUrl,
        sql`select toYYYYMM(timestamp) as month, count() as events from events group by month order by month`,
      )
      return new Map(rows.map(({ month, events }) => [month, events]))
    },
    read: (statement) => readStore({ dataFolder: '', storeUrl }, statement),
  }
}

async function askedOnServer<Row>(url: string, statement: Sql): Promise<Row[]> {
  const engine = openEngine({ form: 'remote', url, log: { info() {}, warn() {}, error() {} } })
  await engine.ready()
  const rows = await engine.query<Row>(statement, { lane: 'ingest' })
  await engine.close()
  return rows
}

/** A file system of limited size, so that it can be filled; its size leaves the engine room for merges. */
async function mountedDisk(folder: string): Promise<{ folder: string; unmount: () => void } | undefined> {
  const mountPoint = join(folder, 'disk')
  await mkdir(mountPoint)
  const mounted = spawnSync('mount', [
    '-t',
    'tmpfs',
    '-o',
    'size=800m,mode=755',
    'tilth-crashlab',
    mountPoint,
  ])
  if (mounted.status !== 0) return undefined
  return { folder: mountPoint, unmount: () => void spawnSync('umount', ['--lazy', mountPoint]) }
}

async function withFolder<Outcome>(use: (folder: string) => Promise<Outcome>): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'tilth-crashlab-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function shuffled<Item>(items: readonly Item[], chance: () => number): Item[] {
  return items
    .map((item) => ({ item, place: chance() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item)
}

function together(one: ProductReport, other: ProductReport): ProductReport {
  return {
    faults: [...one.faults, ...other.faults],
    skipped: [...new Set([...one.skipped, ...other.skipped])],
    acknowledged: one.acknowledged + other.acknowledged,
    stored: one.stored === undefined || other.stored === undefined ? undefined : one.stored + other.stored,
    answered: {
      flags: one.answered.flags + other.answered.flags,
      site: one.answered.site + other.answered.site,
    },
    peakMegabytes: Math.max(one.peakMegabytes, other.peakMegabytes),
    failures: [...one.failures, ...other.failures],
  }
}
