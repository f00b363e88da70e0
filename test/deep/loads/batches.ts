import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { MemoryGroup } from '../crashlab/memory-group'
import { ProductProcess, writeKey } from '../crashlab/product-process'

interface BatchLoad {
  /** TILTH_MEMORY. */
  memory: string
  seconds: number
  /** The system enforces `memory` as it does for a container, where it lets this user make a memory group. */
  isEnforced?: boolean
  /** Kills the engine before each kind of load. */
  killsEngine?: boolean
  print?: (line: string) => void
}

export interface BatchReport {
  failures: string[]
  /** Events that were acknowledged, and those that Tilth says it took. */
  acknowledged: number
  accepted: number
  /** The number of responses of each status. */
  statuses: Map<number, number>
}

type EventMaker = (n: number) => unknown

const ordinary: EventMaker = (n) => ({
  event: n % 3 === 0 ? '$pageview' : 'clicked',
  properties: {
    distinct_id: `visitor-${n % 5000}`,
    $current_url: `https://acme.example/products/${n % 200}?utm_source=news`,
    $referrer: 'https://www.google.com/',
    $browser: 'Chrome',
    $os: 'Linux',
    $screen_width: 1920,
    price: (n % 90) + 0.99,
    note: 'lorem ipsum dolor sit amet '.repeat(14),
  },
})

/** Takes eight times its length once it is parsed. */
const manyKeys: EventMaker = (n) => ({
  event: 'x',
  distinct_id: `visitor-${n}`,
  properties: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`k${i}${n}`, i])),
})

/** Takes thirty times its length. */
const smallest: EventMaker = () => ({ event: 'e', distinct_id: 'a' })

interface Senders {
  connections: number
  body: Buffer
  events: number
}

function senders(connections: number, events: number, make: EventMaker, isPacked = false): Senders {
  const batch = Array.from({ length: events }, (_, n) => make(n))
  const text = Buffer.from(JSON.stringify({ api_key: writeKey, batch }))
  return { connections, body: isPacked ? gzipSync(text) : text, events }
}

/** The requests that the key in a site's pages allows to any sender, one kind after the other. */
const kinds: readonly (() => Senders)[] = [
  () => senders(1, 7000, manyKeys),
  () => senders(64, 1000, ordinary),
  () => senders(64, 1000, ordinary, true),
  () => senders(64, 3500, smallest),
  () => senders(64, 20_000, smallest, true),
  () => senders(16, 2000, manyKeys, true),
]

/** Sends more events than there is memory for, from four networks, with nothing but the public key. */
export async function sendBatches({
  memory,
  seconds,
  isEnforced,
  killsEngine,
  print,
}: BatchLoad): Promise<BatchReport> {
  const folder = await mkdtemp(join(tmpdir(), 'tilth-loads-'))
  const report: BatchReport = { failures: [], acknowledged: 0, accepted: 0, statuses: new Map() }
  const fail = (failure: string): unknown => report.failures.push(failure)
  const group = isEnforced ? enforce(memory, print) : undefined
  const tilth = new ProductProcess(join(folder, 'data'), { TILTH_MEMORY: memory }, fail, group)
  try {
    await tilth.start()
    for (const kind of kinds) {
      const load = kind()
      if (killsEngine) await killEngine(tilth)
      await sendFor((seconds * 1000) / kinds.length, load, tilth, report)
      print?.(`${memory}: ${load.connections} × ${load.events} events, ${load.body.length} bytes`)
      if (!tilth.isRunning) return report
    }
    await tilth.allStored()
    report.accepted = (await tilth.counts())?.['accepted'] ?? 0
    return report
  } finally {
    const kills = group?.kills() ?? 0
    if (kills > 0) fail(`the system ended ${kills} processes for want of memory`)
    await tilth.killFront('SIGTERM')
    await group?.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

function enforce(memory: string, print: BatchLoad['print']): MemoryGroup | undefined {
  const group = MemoryGroup.make(memory)
  if (!group) print?.(`${memory}: not enforced, no memory group can be made here`)
  return group
}

async function killEngine(tilth: ProductProcess): Promise<void> {
  await tilth.pidOnceRunning('engine')
  tilth.signal('engine', 'SIGKILL')
}

async function sendFor(ms: number, load: Senders, tilth: ProductProcess, report: BatchReport): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  const endsAt = performance.now() + ms
  const sender = async (number: number): Promise<void> => {
    while (performance.now() < endsAt && tilth.isRunning) {
      const status = await statusOf(tilth.address, load, agent, `127.0.${1 + (number % 4)}.1`)
      report.statuses.set(status, (report.statuses.get(status) ?? 0) + 1)
      if (status === 200) report.acknowledged += load.events
    }
  }
  await Promise.all(Array.from({ length: load.connections }, (_, number) => sender(number)))
  agent.destroy()
}

/** 0 if there was no answer. */
const statusOf = (address: string, { body }: Senders, agent: Agent, localAddress: string): Promise<number> =>
  new Promise((resolve) => {
    const sent = request(
      `${address}/batch/`,
      {
        method: 'POST',
        agent,
        localAddress,
        headers: { 'content-type': 'application/json', 'content-length': body.length },
      },
      (answer) => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode ?? 0))
        answer.on('error', () => resolve(0))
      },
    )
    sent.on('error', () => resolve(0))
    sent.end(body)
  })
