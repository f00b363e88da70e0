import { bareServer, parses } from './bare'
import { BusySite } from './busy-site'
import { type Finding, megabytes, ms, perSecond, quantile, report } from './report'
import {
  engineOf,
  forget,
  memoryOf,
  processorMs,
  type Running,
  startTilth,
  temporaryFolder,
  key,
  owned,
  pause,
  secret,
} from './running'
import { batches, type Load, send, singleEvent, userAgent } from './senders'
import { leaveInJournal, onDisk } from './stored'

const middleOf = <Round>(made: readonly Round[], by: (round: Round) => number): Round | undefined =>
  made.toSorted((one, other) => by(one) - by(other))[Math.floor(made.length / 2)]

/** One Tilth, and what can be seen of it from outside. */
class Site {
  readonly front: number
  readonly engine: number

  constructor(readonly tilth: Running) {
    this.front = tilth.process.pid ?? 0
    this.engine = engineOf(this.front)
  }

  async events(): Promise<{ stored: number; pending: number }> {
    const text = await (await fetch(`${this.tilth.address}/_tilth/metrics`)).text()
    const of = (state: string): number =>
      Number(new RegExp(`^tilth_events\\{state="${state}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
    return { stored: of('stored'), pending: of('pending') }
  }

  async untilStored(): Promise<void> {
    while ((await this.events()).pending > 0) await pause(50)
  }

  /** From the answer to the first query that sees the event. */
  async visibleAfterMs(): Promise<number> {
    const name = `seen-${crypto.randomUUID()}`
    await fetch(`${this.tilth.address}/e/`, {
      method: 'POST',
      headers: { 'user-agent': userAgent },
      body: JSON.stringify({ api_key: key, event: name, properties: { distinct_id: 'ana' } }),
    })
    const began = performance.now()
    for (;;) {
      const answer = await fetch(`${this.tilth.address}/api/v1/projects/bench/events?event=${name}&limit=1`, {
        headers: { authorization: `Bearer ${secret}` },
      })
      if ((await answer.text()).includes(name)) return performance.now() - began
    }
  }

  /** A trend over everything there is, as a dashboard asks for it, from nothing kept. */
  async askTrend(): Promise<void> {
    const answer = await fetch(`${this.tilth.address}/api/v1/projects/bench/query?fresh`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ question: { kind: 'trend', period: '7d', series: [{ event: '$pageview' }] } }),
    })
    if (answer.status !== 200)
      throw new Error(`A trend was answered ${answer.status}: ${await answer.text()}`)
    await answer.arrayBuffer()
  }
}

interface Singles {
  ratio: number
  bare: number
  rate: number
  frontMs: number
  engineMs: number
  p50: number
  p99: number
  notTaken: number
}

async function sendSingles(site: Site, bare: string, seconds: number): Promise<Singles> {
  const single = { body: singleEvent(key), connections: 32 }
  await site.untilStored()
  const before = { front: processorMs(site.front), engine: processorMs(site.engine) }
  const ours = await send({ ...single, url: `${site.tilth.address}/e/` }, { seconds })
  const { total } = ours.requests
  const frontMs = (processorMs(site.front) - before.front) / total
  const engineMs = (processorMs(site.engine) - before.engine) / total
  const result = await send({ ...single, url: bare }, { seconds })
  return {
    ratio: ours.requests.average / result.requests.average,
    bare: result.requests.average,
    rate: ours.requests.average,
    frontMs,
    engineMs,
    p50: ours.latency.p50,
    p99: ours.latency.p99,
    notTaken: ours.non2xx + ours.errors,
  }
}

async function rounds<Round>(amount: number, round: () => Promise<Round>): Promise<Round[]> {
  const made: Round[] = []
  for (let n = 0; n < amount; n++) made.push(await round())
  return made
}

interface Batched {
  rate: number
  frontMs: number
  engineMs: number
  p50: number
  p99: number
}

/** Until the last one can be asked about. */
async function sendBatches(site: Site, load: Load, seconds: number): Promise<Batched> {
  await site.untilStored()
  const before = await site.events()
  const spent = { front: processorMs(site.front), engine: processorMs(site.engine) }
  const began = performance.now()
  const sent = await send(load, { seconds })
  await site.untilStored()
  const events = (await site.events()).stored - before.stored
  return {
    rate: events / ((performance.now() - began) / 1000),
    frontMs: (processorMs(site.front) - spent.front) / events,
    engineMs: (processorMs(site.engine) - spent.engine) / events,
    p50: sent.latency.p50,
    p99: sent.latency.p99,
  }
}

const microseconds = (milliseconds: number): string => `${Math.round(milliseconds * 1000)} µs`

const singleFindings = (found: readonly Singles[], words = ''): Finding[] => {
  const middle = middleOf(found, ({ ratio }) => ratio)
  if (!middle) return []
  const notTaken = found.reduce((sum, round) => sum + round.notTaken, 0)
  return [
    {
      what: `single events of 1 KB, 32 connections${words}`,
      measured: perSecond(middle.rate),
      beside: `bare \`node:http\` that parses the same body ${perSecond(middle.bare)}: **ratio ${middle.ratio.toFixed(2)}** (hoped for: 0.35); middle of ${found.length} rounds, ${notTaken} not taken`,
    },
    { what: `their latency${words}`, measured: `p50 ${ms(middle.p50)}, p99 ${ms(middle.p99)}` },
    {
      what: `processor time in the front, per event${words}`,
      measured: microseconds(middle.frontMs),
      beside: `hoped for: 90 µs; HTTP, journal and batches included; the engine ${microseconds(middle.engineMs)} more`,
    },
  ]
}

const batchFindings = (name: string, found: readonly Batched[], words = ''): Finding[] => {
  const middle = middleOf(found, ({ rate }) => rate)
  if (!middle) return []
  return [
    {
      what: `batches of 50, ${name}, into the engine${words}`,
      measured: `${perSecond(middle.rate)} events`,
      beside: `hoped for: 40,000; p50 ${ms(middle.p50)}, p99 ${ms(middle.p99)}; front ${microseconds(middle.frontMs)}, engine ${microseconds(middle.engineMs)} of processor an event`,
    },
  ]
}

async function allSent(site: Site, bare: string, roundsOf: number, words?: string): Promise<Finding[]> {
  const singles = await rounds(roundsOf, () => sendSingles(site, bare, 6))
  const { plain, gzip } = batches(site.tilth.address, key)
  return [
    ...singleFindings(singles, words),
    ...batchFindings('plain', await rounds(roundsOf, () => sendBatches(site, plain, 6)), words),
    ...batchFindings('gzip', await rounds(roundsOf, () => sendBatches(site, gzip, 6)), words),
  ]
}

async function watch(site: Site, took: number[], over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const began = performance.now()
    await site.askTrend()
    took.push(performance.now() - began)
  }
}

async function besideADashboard(site: Site, bare: string): Promise<Finding[]> {
  const took: number[] = []
  const over = new AbortController()
  const dashboard = watch(site, took, over.signal)
  const findings = await allSent(site, bare, 3, ', a trend asked over and over beside it')
  over.abort()
  await dashboard
  return [
    ...findings,
    {
      what: 'that trend meanwhile',
      measured: `p50 ${ms(quantile(took, 0.5))}, p99 ${ms(quantile(took, 0.99))}`,
      beside: `${took.length} answers, none from memory, over ${(await site.events()).stored.toLocaleString('en')} events at the end`,
    },
  ]
}

async function aMillion(site: Site): Promise<Finding> {
  const most: Record<string, number> = {}
  const watching = setInterval(() => {
    for (const [name, bytes] of Object.entries(memoryOf(site.front)))
      most[name] = Math.max(most[name] ?? 0, bytes)
  }, 250)
  await send(batches(site.tilth.address, key).gzip, { times: 20_000 })
  await site.untilStored()
  clearInterval(watching)
  return {
    what: 'largest while a million events pass',
    measured: `front ${megabytes(most['front'] ?? 0)}, engine ${megabytes(most['engine'] ?? 0)}`,
    beside: `60 MB of the front is the places’ database, about 200 MB of the engine its library’s file`,
  }
}

async function visibility(site: Site): Promise<Finding> {
  const seen = await rounds(15, () => site.visibleAfterMs())
  return {
    what: 'from the answer to visible in a question',
    measured: `p50 ${ms(quantile(seen, 0.5))}, worst of ${seen.length} ${ms(Math.max(...seen))}`,
    beside: 'hoped for: under 1 s',
  }
}

const left = 300_000

/** Starts on a journal full of events, and looks at what has become of them on disk. */
async function replayed(): Promise<Finding[]> {
  const folder = temporaryFolder()
  try {
    await (await startTilth(folder, owned)).stop()
    await leaveInJournal(folder, new BusySite(1, { at: Date.now() - 3600_000, stepMs: 10 }).events(left))
    const site = new Site(await startTilth(folder))
    const { rate, beganWith } = await replayRate(site)
    await site.tilth.stop()
    const { events, bytesPerEvent, largest } = await onDisk(folder)
    return [
      {
        what: 'replay at a start',
        measured: `${perSecond(rate)} events`,
        beside: `${left.toLocaleString('en')} events of a busy site in the journal, ${beganWith.toLocaleString('en')} of them stored by the time it was ready`,
      },
      {
        what: 'on disk, per event',
        measured: `${bytesPerEvent.toFixed(0)} bytes`,
        beside: `hoped for: 60; ${events.toLocaleString('en')} events of a busy site after merges, ten to fourteen properties beside the columns: ${largest.map(({ column, bytes }) => `${column} ${bytes.toFixed(1)}`).join(', ')}`,
      },
    ]
  } finally {
    forget(folder)
  }
}

/** Of what was left when it could first be asked. */
async function replayRate(site: Site): Promise<{ rate: number; beganWith: number }> {
  const first = await site.events()
  const began = performance.now()
  await site.untilStored()
  const { stored } = await site.events()
  return {
    rate: (stored - first.stored) / ((performance.now() - began) / 1000),
    beganWith: first.stored,
  }
}

const folder = temporaryFolder()
const bare = await bareServer(parses)
const site = new Site(await startTilth(folder, owned))
try {
  // warm: both sides are compiled as they run
  await sendSingles(site, bare.address, 3)
  const findings = await allSent(site, bare.address, 3)
  findings.push(await visibility(site), await aMillion(site), ...(await besideADashboard(site, bare.address)))
  await site.tilth.stop()
  report('ingest', 'Taking events in', [...findings, ...(await replayed())])
} finally {
  bare.process.kill()
  await site.tilth.stop()
  forget(folder)
}
