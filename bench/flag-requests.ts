import { bareServer, parses } from './bare'
import { type Finding, ms, perSecond } from './report'
import {
  engineOf,
  forget,
  processorMs,
  type Running,
  startTilth,
  temporaryFolder,
  key,
  owned,
  pause,
  secret,
} from './running'
import { type Load, send, singleEvent } from './senders'

const flags = 20
const seconds = 6

/** Every one has to be hashed, half of them twice: for the share that is let in, and for the variant. */
const flagOf = (n: number): object => ({
  key: `flag-${n}`,
  ...(n % 2 === 0 && {
    kind: 'variants',
    variants: [
      { key: 'control', percentage: 50 },
      { key: 'test', percentage: 50 },
    ],
    payloads: { test: '{"colour":"blue"}' },
  }),
  environments: { production: { isOn: true, conditions: [{ conditions: [], percentage: 60 }] } },
})

async function makeFlags({ address }: Running): Promise<void> {
  for (let n = 0; n < flags; n++) {
    const answer = await fetch(`${address}/api/v1/projects/bench/flags`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(flagOf(n)),
    })
    if (answer.status !== 201) throw new Error(`A flag was answered ${answer.status}: ${await answer.text()}`)
  }
}

const person = { $lib: 'web', $lib_version: '1.434.18', $initial_referrer: '$direct', plan: 'pro' }

const loads = (address: string): Record<'/flags' | 'OFREP bulk', Load> => ({
  '/flags': {
    url: `${address}/flags/?v=2`,
    body: JSON.stringify({ token: key, distinct_id: 'visitor-1', person_properties: person, groups: {} }),
    connections: 32,
  },
  'OFREP bulk': {
    url: `${address}/ofrep/v1/evaluate/flags`,
    body: JSON.stringify({ context: { targetingKey: 'visitor-1', ...person } }),
    connections: 32,
    headers: { authorization: `Bearer ${key}` },
  },
})

interface Round {
  rate: number
  bare: number
  p50: number
  p99: number
  frontMs: number
  failed: number
}

async function aRound(load: Load, bare: string, front: number): Promise<Round> {
  const before = processorMs(front)
  const ours = await send(load, { seconds })
  const frontMs = (processorMs(front) - before) / ours.requests.total
  const result = await send({ ...load, url: bare }, { seconds })
  return {
    rate: ours.requests.average,
    bare: result.requests.average,
    p50: ours.latency.p50,
    p99: ours.latency.p99,
    frontMs,
    failed: ours.non2xx + ours.errors,
  }
}

async function quiet(name: string, load: Load, bare: string, front: number): Promise<Finding> {
  const made: Round[] = []
  for (let n = 0; n < 3; n++) made.push(await aRound(load, bare, front))
  const [, middle] = made.toSorted((one, other) => one.rate / one.bare - other.rate / other.bare)
  if (!middle) throw new Error('There were no rounds.')
  const failed = made.reduce((sum, round) => sum + round.failed, 0)
  return {
    what: `\`${name}\` with ${flags} flags, 32 connections`,
    measured: `${perSecond(middle.rate)}, p50 ${ms(middle.p50)}, p99 ${ms(middle.p99)}`,
    beside:
      `bare \`node:http\` that parses the same body ${perSecond(middle.bare)}: ` +
      `**ratio ${(middle.rate / middle.bare).toFixed(2)}** (hoped for: 0.25); ` +
      `${Math.round(middle.frontMs * 1000)} µs of processor each; middle of 3 rounds, ${failed} failed`,
  }
}

/** Answers keep coming while something else goes wrong, or goes on. */
async function meanwhile(
  words: string,
  load: Load,
  during: (work: () => Promise<void>) => Promise<void>,
): Promise<Finding> {
  let finding: Finding | undefined
  await during(async () => {
    const sent = await send(load, { seconds })
    finding = {
      what: `\`/flags\`, 32 connections, ${words}`,
      measured: `${perSecond(sent.requests.average)}, p50 ${ms(sent.latency.p50)}, p99 ${ms(sent.latency.p99)}`,
      beside: `hoped for: p99 under 25 ms; ${sent.non2xx + sent.errors} failed`,
    }
  })
  if (!finding) throw new Error('Nothing was sent.')
  return finding
}

const withoutEngine = (front: number) => async (work: () => Promise<void>) => {
  const engine = engineOf(front)
  process.kill(engine, 'SIGSTOP')
  try {
    await pause(1000)
    await work()
  } finally {
    process.kill(engine, 'SIGCONT')
  }
}

const beside = (address: string) => async (work: () => Promise<void>) => {
  const events = { url: `${address}/e/`, body: singleEvent(key), connections: 32 }
  await Promise.all([send(events, { seconds: seconds + 1 }), work()])
}

/** Flags as SDKs ask for them, over HTTP, from a Tilth that runs. */
export async function flagRequests(): Promise<Finding[]> {
  const folder = temporaryFolder()
  const tilth = await startTilth(folder, owned)
  const bare = await bareServer(parses)
  try {
    await makeFlags(tilth)
    const front = tilth.process.pid ?? 0
    const load = loads(tilth.address)
    await send(load['/flags'], { seconds: 2 })
    return [
      await quiet('/flags', load['/flags'], bare.address, front),
      await quiet('OFREP bulk', load['OFREP bulk'], bare.address, front),
      await meanwhile('while the engine stands still', load['/flags'], withoutEngine(front)),
      await meanwhile('while events come on 32 more', load['/flags'], beside(tilth.address)),
    ]
  } finally {
    bare.process.kill()
    await tilth.stop()
    forget(folder)
  }
}
