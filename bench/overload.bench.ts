import autocannon from 'autocannon'
import { bareServer } from './bare'
import { type Finding, ms, perSecond, report } from './report'
import {
  forget,
  key,
  memoryOf,
  owned,
  pause,
  type Running,
  secret,
  startTilth,
  temporaryFolder,
} from './running'
import { singleEvent, userAgent } from './senders'

const connections = 500
const seconds = 8

async function makeFlag({ address }: Running): Promise<void> {
  const answer = await fetch(`${address}/api/v1/projects/bench/flags`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      key: 'flag',
      environments: { production: { isOn: true, conditions: [{ conditions: [], percentage: 60 }] } },
    }),
  })
  if (answer.status !== 201) throw new Error(`The flag was answered ${answer.status}: ${await answer.text()}`)
}

/** Sends events as fast as answers come, from a thread of its own: what measures must not wait for it. */
const overload = (address: string) =>
  autocannon({
    url: `${address}/e/`,
    method: 'POST',
    body: singleEvent(key),
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    connections,
    duration: 2 * seconds + 4,
    workers: 1,
  })

/** Asks at a steady, modest rate: what a visitor's browser sees, and no load of its own. */
const probe = (options: autocannon.Options) =>
  autocannon({ ...options, connections: 10, overallRate: 200, duration: seconds })

const flagsOf = (address: string): autocannon.Options => ({
  url: `${address}/flags/?v=2`,
  method: 'POST',
  body: JSON.stringify({ token: key, distinct_id: 'visitor-1' }),
  headers: { 'content-type': 'application/json', 'user-agent': userAgent },
})

const siteOf = (address: string): autocannon.Options => ({
  url: `${address}/`,
  headers: { accept: 'text/html', 'user-agent': userAgent },
})

function probed(
  what: string,
  quiet: autocannon.Result,
  busy: autocannon.Result,
  bare: autocannon.Result,
): Finding {
  return {
    what,
    measured: `p50 ${ms(busy.latency.p50)}, p99 ${ms(busy.latency.p99)}, worst ${ms(busy.latency.max)}`,
    beside: `hoped for: p99 under 100 ms; a bare \`node:http\` beside it p99 ${ms(bare.latency.p99)}; without the events p99 ${ms(quiet.latency.p99)}; ${busy.non2xx + busy.errors} of ${busy.requests.total} failed`,
  }
}

const folder = temporaryFolder()
const bare = await bareServer(`request.resume(); response.end('{}')`)
const tilth = await startTilth(folder, owned)
try {
  await makeFlag(tilth)
  const { address } = tilth
  const before = [await probe(flagsOf(address)), await probe(siteOf(address))] as const
  const events = overload(address)
  await pause(2000)
  const during = [
    await Promise.all([probe(flagsOf(address)), probe({ ...flagsOf(address), url: bare.address })]),
    await Promise.all([probe(siteOf(address)), probe({ ...siteOf(address), url: bare.address })]),
  ] as const
  const sent = await events
  const accepted = sent.requests.total - sent.non2xx
  report('overload', 'Too many events', [
    probed('`/flags`, while 500 connections send events as fast as they can', before[0], ...during[0]),
    probed('a page of the site, meanwhile', before[1], ...during[1]),
    {
      what: 'those events',
      measured: `${perSecond(accepted / sent.duration)} taken, ${perSecond(sent.non2xx / sent.duration)} refused with 503`,
      beside: `answers p50 ${ms(sent.latency.p50)}, p99 ${ms(sent.latency.p99)}, worst ${ms(sent.latency.max)}; ${sent.errors} without an answer`,
    },
    {
      what: 'memory of the front at the end',
      measured: `${Math.round((memoryOf(tilth.process.pid ?? 0)['front'] ?? 0) / 1024 ** 2)} MB`,
      beside: '',
    },
  ])
} finally {
  bare.process.kill()
  await tilth.stop()
  forget(folder)
}
