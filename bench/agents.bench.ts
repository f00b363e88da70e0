import autocannon from 'autocannon'
import { bareServer, parses } from './bare'
import { type Finding, ms, perSecond, report } from './report'
import { forget, key, owned, pause, type Running, secret, startTilth, temporaryFolder } from './running'
import { type Load, send, userAgent } from './senders'

const seconds = 6
const agents = 20
/** Each assistant has 60 calls a minute; with so many keys no call of a round is refused. */
const keys = 250

const message = (method: string, params: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
const list = message('tools/list', {})
const ask = message('tools/call', {
  name: 'run_query',
  arguments: { query: { kind: 'trend', series: [{ event: '$pageview' }], period: '30d' } },
})

async function makeKeys({ address }: Running): Promise<string[]> {
  const made: string[] = []
  for (let n = 0; n < keys; n++) {
    const answer = await fetch(`${address}/api/v1/projects/bench/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Assistant ${n}`, scopes: ['project:read', 'events:read'] }),
    })
    if (answer.status !== 201) throw new Error(`A key was answered ${answer.status}: ${await answer.text()}`)
    // the API's own shape
    const { text } = (await answer.json()) as { text: string }
    made.push(text)
  }
  return made
}

const headersOf = (text: string): Record<string, string> => ({
  authorization: `Bearer ${text}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
})

/** Sends one message over and over, each time with the next key. */
async function asAssistants(
  url: string,
  body: string,
  texts: readonly string[],
  { seconds: forSeconds, rate }: { seconds: number; rate?: number },
) {
  const { requests, latency, non2xx, errors } = await autocannon({
    url,
    connections: agents,
    duration: forSeconds,
    ...(rate !== undefined && { overallRate: rate }),
    requests: texts.map((text) => ({ method: 'POST' as const, body, headers: headersOf(text) })),
  })
  return { rate: requests.average, p50: latency.p50, p99: latency.p99, failed: non2xx + errors }
}

/** Sends events of three days ago, since answers of a project's first day are not kept, until they are counted. */
async function fill({ address }: Running, text: string): Promise<void> {
  const timestamp = new Date(Date.now() - 3 * 86_400_000).toISOString()
  const events = Array.from({ length: 1000 }, (_, n) => ({
    event: '$pageview',
    timestamp,
    properties: { distinct_id: `visitor-${n}`, $current_url: 'https://acme.example/' },
  }))
  const headers = { 'content-type': 'application/json', 'user-agent': userAgent }
  const sent = { method: 'POST', headers, body: JSON.stringify({ api_key: key, batch: events }) }
  await fetch(`${address}/batch/`, sent)
  for (let tries = 0; tries < 50; tries++) {
    await pause(1000)
    const asked = await fetch(`${address}/mcp`, { method: 'POST', headers: headersOf(text), body: ask })
    if ((await asked.text()).includes('“Page view”: 1,000')) return
  }
  throw new Error('The events were not counted.')
}

async function beside(
  what: string,
  tilth: Running,
  bare: string,
  body: string,
  texts: readonly string[],
): Promise<Finding> {
  const rounds = []
  for (let n = 0; n < 3; n++) {
    const ours = await asAssistants(`${tilth.address}/mcp`, body, texts, { seconds: 3 })
    const least = await asAssistants(bare, body, texts, { seconds: 3 })
    rounds.push({ ours, least, ratio: ours.rate / least.rate })
  }
  const [, middle] = rounds.toSorted((one, other) => one.ratio - other.ratio)
  if (!middle) throw new Error('There were no rounds.')
  const { ours, least, ratio } = middle
  const failed = rounds.reduce((sum, round) => sum + round.ours.failed, 0)
  return {
    what: `\`${what}\`, ${agents} connections`,
    measured: `${perSecond(ours.rate)}, p50 ${ms(ours.p50)}, p99 ${ms(ours.p99)}`,
    beside: `bare \`node:http\` that parses the same body ${perSecond(least.rate)}: **ratio ${ratio.toFixed(3)}**; middle of 3 rounds, ${failed} failed`,
  }
}

/** Flags as SDKs ask for them, alone, beside assistants that use their budget up evenly, and beside the fastest. */
async function flagsMeanwhile(tilth: Running, texts: readonly string[]): Promise<Finding[]> {
  const load: Load = {
    url: `${tilth.address}/flags/?v=2`,
    body: JSON.stringify({ token: key, distinct_id: 'visitor-1', groups: {} }),
    connections: 8,
  }
  await send(load, { seconds: 2 })
  const alone = await send(load, { seconds })
  const found: Finding[] = []
  for (const [words, rate] of [
    ['one call a second each, which is their budget', agents],
    ['as fast as they are answered', undefined],
  ] as const) {
    const [asked, together] = await Promise.all([
      asAssistants(`${tilth.address}/mcp`, ask, texts, { seconds: seconds + 1, ...(rate && { rate }) }),
      send(load, { seconds }),
    ])
    found.push({
      what: `\`/flags\`, 8 connections, while ${agents} assistants ask ${words}`,
      measured: `p50 ${ms(together.latency.p50)}, p99 ${ms(together.latency.p99)}, ${perSecond(together.requests.average)}`,
      beside: `without them p50 ${ms(alone.latency.p50)}, p99 ${ms(alone.latency.p99)}, ${perSecond(alone.requests.average)}: **p99 ${(together.latency.p99 / alone.latency.p99).toFixed(1)} times**; the assistants were answered ${perSecond(asked.rate)}, ${together.non2xx + together.errors} flags failed`,
    })
  }
  return found
}

const folder = temporaryFolder()
const tilth = await startTilth(folder, owned)
const bare = await bareServer(parses)
const findings: Finding[] = []
try {
  const [first = '', ...texts] = await makeKeys(tilth)
  await fill(tilth, first)
  // the first use of a key is written down
  for (const text of texts)
    await fetch(`${tilth.address}/mcp`, { method: 'POST', headers: headersOf(text), body: list })
  findings.push(
    await beside('tools/list', tilth, bare.address, list, texts),
    await beside('run_query', tilth, bare.address, ask, texts.slice(0, keys / 2)),
    ...(await flagsMeanwhile(tilth, texts.slice(keys / 2))),
  )
} finally {
  bare.process.kill()
  await tilth.stop()
  forget(folder)
}
report('agents', 'Assistants', findings, [
  `\`run_query\` asks the same trend over and over, with ${keys} keys in turn, so that no budget of a minute ends. Other builds and tests ran on the same cores.`,
])
