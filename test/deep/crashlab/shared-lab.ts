import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { randomBy } from '#bench/busy-site'
import { openEngine } from '#engine/open'
import { sql } from '#engine/sql'
import { temporaryServer, type TemporaryServer } from '#engine/internal/temporary'
import { startBuiltInPostgres, type InterruptibleServer } from '../../outside/postgres'
import type { SharedOrders } from './shared-front'

interface SharedReport {
  acknowledged: number
  stored: number
  faults: string[]
  /** Acknowledged by either front and not stored. */
  lost: number[]
  twice: number[]
  /** Visitors whose events are in more than one session. */
  torn: string[]
}

const log = { info: () => {}, warn: () => {}, error: () => {} }

/** The faults, one a round; each ends with everything running again. */
const faults: Readonly<Record<string, (rig: SharedLab) => Promise<void>>> = {
  'nothing breaks': (rig) => rig.live(300),
  'front 1 is killed': (rig) => rig.killFront(0),
  'front 2 is killed': (rig) => rig.killFront(1),
  'both fronts are killed': async (rig) => {
    await Promise.all([rig.killFront(0), rig.killFront(1)])
  },
  'front 1 is stopped for a while': (rig) => rig.stopFront(0),
  'the engine is killed': (rig) => rig.killEngine(),
  'the store is away': (rig) => rig.loseStore(),
}

/** On a slow machine further rounds follow, for with less nothing was tried. */
const fewAcknowledged = 100

/** Two fronts on one store and one engine are given the same events while parts of it all are killed. */
export async function crashTogether(settings: {
  seed: number
  rounds?: number
  seconds?: number
  print?: (line: string) => void
}): Promise<SharedReport> {
  const [engine, store, entry] = await Promise.all([
    temporaryServer(),
    startBuiltInPostgres(),
    bundledFront(),
  ])
  const folder = await mkdtemp(join(tmpdir(), 'tilth-crashlab-'))
  const rig = new SharedLab(
    entry,
    folder,
    { engine, store, address: await store.emptyDatabase() },
    settings.seed,
  )
  try {
    return await rig.survive(settings)
  } finally {
    rig.end()
    await store.stop()
    await engine.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

interface SharedParts {
  engine: TemporaryServer
  store: InterruptibleServer
  address: string
}

class SharedLab {
  private readonly chance: () => number
  private readonly fronts: (ChildProcess | undefined)[] = [undefined, undefined]
  private readonly ports: (number | undefined)[] = [undefined, undefined]
  private readonly acknowledged = new Set<number>()
  private readonly ended = new AbortController()
  private next = 0

  constructor(
    private readonly entry: string,
    private readonly folder: string,
    private readonly parts: SharedParts,
    seed: number,
  ) {
    this.chance = randomBy(seed)
  }

  async survive({
    rounds = Infinity,
    seconds = Infinity,
    print,
  }: Parameters<typeof crashTogether>[0]): Promise<SharedReport> {
    await Promise.all([this.startFront(0), this.startFront(1)])
    const clients = Array.from({ length: 4 }, () => this.client())
    const names = Object.keys(faults)
    const done: string[] = []
    const endsAt = Date.now() + seconds * 1000
    while ((done.length < rounds || this.acknowledged.size < fewAcknowledged) && Date.now() < endsAt) {
      const name = names[done.length % names.length] ?? ''
      await faults[name]?.(this)
      done.push(name)
      print?.(`${done.length}: ${name}, ${this.acknowledged.size} acknowledged`)
    }
    this.ended.abort()
    await Promise.all(clients)
    await this.allStored()
    return { ...(await this.report()), faults: done }
  }

  live(ms: number): Promise<void> {
    return delay(ms * (0.5 + this.chance()))
  }

  async killFront(index: 0 | 1): Promise<void> {
    await this.live(300)
    const front = this.fronts[index]
    const gone = front && once(front, 'exit')
    this.ports[index] = undefined
    front?.kill('SIGKILL')
    await gone
    await this.startFront(index)
  }

  async stopFront(index: 0 | 1): Promise<void> {
    this.fronts[index]?.kill('SIGSTOP')
    await this.live(500)
    this.fronts[index]?.kill('SIGCONT')
  }

  async killEngine(): Promise<void> {
    await this.live(200)
    await this.parts.engine.kill()
    await this.live(100)
    await this.parts.engine.start()
    await this.live(300)
  }

  async loseStore(): Promise<void> {
    await this.parts.store.disconnect()
    await this.live(300)
    await this.parts.store.reconnect()
    await this.live(300)
  }

  end(): void {
    this.ended.abort()
    for (const front of this.fronts) front?.kill('SIGKILL')
  }

  private async startFront(index: 0 | 1): Promise<void> {
    const { engine, address: store } = this.parts
    const orders: SharedOrders = { folder: join(this.folder, String(index)), store, engine: engine.url }
    const stdio = process.env['CRASHLAB_LOUD'] ? 'inherit' : 'ignore'
    const front = fork(this.entry, [JSON.stringify(orders)], { stdio: ['ignore', stdio, stdio, 'ipc'] })
    this.fronts[index] = front
    this.ports[index] = await portOf(front)
  }

  /** Sends most events to both fronts at once, and some of them again later. */
  private async client(): Promise<void> {
    while (!this.ended.signal.aborted) {
      const amount = 1 + Math.floor(30 * this.chance())
      const isRepeated = this.chance() < 0.2
      const from = isRepeated ? Math.floor(this.chance() * this.next) : this.next
      this.next = Math.max(this.next, from + amount)
      const numbers = Array.from({ length: amount }, (_, i) => from + i)
      const indexes = this.chance() < 0.6 ? [0, 1] : [this.chance() < 0.5 ? 0 : 1]
      const answers = await Promise.all(indexes.map((index) => this.send(index, numbers)))
      if (answers.includes(true)) for (const n of numbers) this.acknowledged.add(n)
      await delay(5 + this.chance() * 10)
    }
  }

  private async send(index: number, numbers: readonly number[]): Promise<boolean> {
    const port = this.ports[index]
    if (port === undefined) return false
    const body = JSON.stringify(numbers)
    return await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body,
      signal: AbortSignal.timeout(3000),
    })
      .then(async (answer) => (await answer.text(), answer.ok))
      .catch(() => false)
  }

  /** Waits as long as a busy machine takes: it fails once no event was stored for a minute. */
  private async allStored(): Promise<void> {
    let [least, endsAt] = [Infinity, 0]
    for (;;) {
      const pending = await Promise.all(
        this.ports.map((port) => fetch(`http://127.0.0.1:${port}/pending`).then((answer) => answer.json())),
      )
      if (pending.every((amount) => amount === 0)) return
      const left = pending.reduce((sum: number, amount: number) => sum + amount, 0)
      if (left < least) [least, endsAt] = [left, Date.now() + 60_000]
      if (Date.now() > endsAt) throw new Error(`Nothing was stored for a minute: ${pending.join(', ')}`)
      await delay(50)
    }
  }

  private async report(): Promise<Omit<SharedReport, 'faults'>> {
    const engine = openEngine({ form: 'remote', url: this.parts.engine.url, log })
    await engine.ready()
    const lane = { lane: 'ingest' } as const
    const rows = await engine.query<{ number: number; times: number }>(
      sql`select toUInt32(properties['n']) as number, count() as times from events group by number`,
      lane,
    )
    const torn = await engine.query<{ visitor: string }>(
      sql`select distinct_id as visitor from events group by visitor having uniqExact(session_id) > 1`,
      lane,
    )
    await engine.close()
    const stored = new Set(rows.map(({ number }) => number))
    return {
      acknowledged: this.acknowledged.size,
      stored: stored.size,
      lost: [...this.acknowledged].filter((n) => !stored.has(n)),
      twice: rows.filter(({ times }) => times > 1).map(({ number }) => number),
      torn: torn.map(({ visitor }) => visitor),
    }
  }
}

async function portOf(front: ChildProcess): Promise<number> {
  return await new Promise((resolve, reject) => {
    front.once('message', (message: { port: number }) => resolve(message.port))
    front.once('exit', () => reject(new Error('A front ended before it listened.')))
  })
}

async function bundledFront(): Promise<string> {
  const inProject = (file: string) => fileURLToPath(new URL(`../../../${file}`, import.meta.url))
  const outfile = inProject(`node_modules/.cache/tilth/crashlab-shared-front-${process.pid}.mjs`)
  const entryPoints = [inProject('test/deep/crashlab/shared-front.ts')]
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' })
  return outfile
}
