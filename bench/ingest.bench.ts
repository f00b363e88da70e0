import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import autocannon from 'autocannon'
import { bareServer } from './bare'
import { megabytes, ms, perSecond, quantile, report } from './report'
import { forget, memoryOf, startTilth, temporaryFolder } from './running'

const key = 'phc_bench_key'
const secret = 'a-secret-key-of-the-bench'
const folder = temporaryFolder()
const tilth = await startTilth(folder, {
  TILTH_OWNER_EMAIL: 'ana@example.com',
  TILTH_OWNER_PASSWORD: 'five unrelated words do well',
  TILTH_PROJECT: 'Bench',
  TILTH_PROJECT_KEY: key,
  TILTH_PROJECT_SECRET: secret,
})
const front = tilth.process.pid ?? 0

const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** About a kilobyte, as SDKs send it; without a uuid, so that each is an event of its own. */
const event = (n: number) => ({
  event: n % 3 === 0 ? '$pageview' : 'clicked',
  properties: {
    distinct_id: `visitor-${n % 5000}`,
    $current_url: `https://acme.example/products/${n % 200}?utm_source=news&utm_campaign=autumn`,
    $referrer: 'https://www.google.com/',
    $browser: 'Chrome',
    $os: 'Linux',
    $device_type: 'Desktop',
    $screen_width: 1920,
    $screen_height: 1080,
    $browser_language: 'en-GB',
    $lib: 'web',
    $lib_version: '1.434.18',
    $process_person_profile: false,
    plan: ['free', 'team', 'company'][n % 3],
    price: (n % 90) + 0.99,
    note: 'lorem ipsum dolor sit amet '.repeat(14),
  },
})

const single = JSON.stringify({ api_key: key, ...event(1) })
const batch = JSON.stringify({ api_key: key, batch: Array.from({ length: 50 }, (_, n) => event(n)) })

interface Load {
  url: string
  body: string | Buffer
  connections: number
  seconds: number
  headers?: Record<string, string>
}

const load = ({ url, body, connections, seconds, headers = {} }: Load) =>
  autocannon({
    url,
    method: 'POST',
    body,
    connections,
    duration: seconds,
    headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...headers },
  })

/** Processor time of a process so far, all its threads, in milliseconds. Linux counts hundredths of a second. */
function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function storedEvents(): Promise<{ stored: number; pending: number }> {
  const text = await (await fetch(`${tilth.address}/_tilth/metrics`)).text()
  const of = (state: string): number =>
    Number(new RegExp(`^tilth_events\\{state="${state}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
  return { stored: of('stored'), pending: of('pending') }
}

async function untilStored(): Promise<void> {
  while ((await storedEvents()).pending > 0) await new Promise((resolve) => setTimeout(resolve, 50))
}

/** From the answer to the first question that sees the event. */
async function visibleAfterMs(): Promise<number> {
  const name = `seen-${crypto.randomUUID()}`
  await fetch(`${tilth.address}/e/`, {
    method: 'POST',
    headers: { 'user-agent': userAgent },
    body: JSON.stringify({ api_key: key, event: name, properties: { distinct_id: 'ana' } }),
  })
  const began = performance.now()
  for (;;) {
    const answer = await fetch(`${tilth.address}/api/v1/projects/bench/events?event=${name}&limit=1`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    if ((await answer.text()).includes(name)) return performance.now() - began
  }
}

function bytesIn(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, entry) =>
        sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    )
}

const parses = `const parts = []; request.on('data', (part) => parts.push(part)); request.on('end', () => {
  JSON.parse(Buffer.concat(parts)); response.setHeader('content-type', 'application/json'); response.end('{"status":1}') })`
const bare = await bareServer(parses)
try {
  const capture = `${tilth.address}/e/`
  await load({ url: capture, body: single, connections: 32, seconds: 3 })
  await load({ url: bare.address, body: single, connections: 32, seconds: 2 })

  const rounds = []
  for (let round = 0; round < 3; round++) {
    await untilStored()
    const before = processorMs(front)
    const ours = await load({ url: capture, body: single, connections: 32, seconds: 6 })
    const spent = (processorMs(front) - before) / ours.requests.total
    const theirs = await load({ url: bare.address, body: single, connections: 32, seconds: 6 })
    const errors = ours.non2xx + ours.errors
    rounds.push({
      ours,
      ratio: ours.requests.average / theirs.requests.average,
      bare: theirs.requests.average,
      spent,
      errors,
    })
  }
  const middle = rounds.toSorted((a, b) => a.ratio - b.ratio)[1]

  await untilStored()
  const rates: Record<string, number> = {}
  let peak = 0
  for (const [name, body, headers] of [
    ['plain', batch, {}],
    ['gzip', gzipSync(batch), { 'content-type': 'text/plain' }],
  ] as const) {
    const before = await storedEvents()
    const began = performance.now()
    const watching = setInterval(() => (peak = Math.max(peak, ...Object.values(memoryOf(front)))), 500)
    await load({ url: `${tilth.address}/batch/`, body, connections: 8, seconds: 10, headers })
    await untilStored()
    clearInterval(watching)
    rates[name] = ((await storedEvents()).stored - before.stored) / ((performance.now() - began) / 1000)
  }

  const seen = []
  for (let n = 0; n < 15; n++) seen.push(await visibleAfterMs())
  const { stored } = await storedEvents()
  await new Promise((resolve) => setTimeout(resolve, 20_000))

  report('ingest', 'Taking events in', [
    {
      what: 'single events of 1 KB, 32 connections',
      measured: perSecond(middle?.ours.requests.average ?? 0),
      beside: `bare \`node:http\` that parses the same body ${perSecond(middle?.bare ?? 0)}: **ratio ${(middle?.ratio ?? 0).toFixed(2)}** (hoped for: 0.35); middle of 3 rounds, ${rounds.reduce((sum, { errors }) => sum + errors, 0)} not taken`,
    },
    {
      what: 'their latency',
      measured: `p50 ${ms(middle?.ours.latency.p50 ?? 0)}, p99 ${ms(middle?.ours.latency.p99 ?? 0)}`,
    },
    {
      what: 'processor time in the front, per event',
      measured: `${Math.round((middle?.spent ?? 0) * 1000)} µs`,
      beside: 'hoped for: 90 µs; HTTP, journal and batches included',
    },
    {
      what: 'batches of 50, plain, into the engine',
      measured: `${perSecond(rates['plain'] ?? 0)} events`,
      beside: 'hoped for: 40 000; until the last one can be asked about',
    },
    { what: 'batches of 50, gzip, into the engine', measured: `${perSecond(rates['gzip'] ?? 0)} events` },
    {
      what: 'largest process meanwhile',
      measured: megabytes(peak),
      beside: `${stored.toLocaleString('en')} events in all`,
    },
    {
      what: 'from the answer to visible in a question',
      measured: `p50 ${ms(quantile(seen, 0.5))}, worst of ${seen.length} ${ms(Math.max(...seen))}`,
      beside: 'hoped for: under 1 s',
    },
    {
      what: 'on disk, per event',
      measured: `${Math.round(bytesIn(join(folder, 'engine', 'data', 'store')) / stored)} bytes`,
      beside:
        'hoped for: 60; 20 s after the last one, merges under way, these events being more alike than real ones',
    },
  ])
} finally {
  bare.process.kill()
  await tilth.stop()
  forget(folder)
}
