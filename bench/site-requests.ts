import { readdirSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync } from 'node:zlib'
import autocannon from 'autocannon'
import { type Visit, visitHeader, writeVisit } from '#visits/visit'
import { bareServer } from './bare'
import { type Finding, ms, perSecond, quantile } from './report'
import { forget, key, owned, processorMs, type Running, secret, startTilth, temporaryFolder } from './running'
import { send, singleEvent, userAgent } from './senders'

const seconds = 6
const connections = 32

const browser = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-encoding': 'gzip, deflate, br',
  'user-agent': userAgent,
}

const paragraph =
  'A garden teaches patience, and so does measuring one: what grows is seen weeks after what was done for it. '

/** Twelve paragraphs with what posts have in them. */
const text = (n: number): string =>
  [
    `The beginning of post ${n}. ${paragraph.repeat(4)}`,
    '## What was done',
    ...Array.from({ length: 5 }, (_, i) => `${i}. ${paragraph.repeat(4)}`),
    '```ts\nconst bed = beds.find(({ soil }) => soil === "loam")\n```',
    '| bed | what |\n|---|---|\n| 1 | beans |\n| 2 | peas |',
    '## What came of it',
    ...Array.from({ length: 5 }, () => paragraph.repeat(4)),
  ].join('\n\n')

async function call<Said>(address: string, path: string, body: object): Promise<Said> {
  const answer = await fetch(`${address}/api/v1/projects/bench${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const message = await answer.text()
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${message}`)
  // the format that our own API's description states
  return JSON.parse(message) as Said
}

async function publish(address: string, n: number, more: object = {}): Promise<string> {
  const post = { kind: 'post', title: `Post number ${n}`, slug: `post-${n}`, tags: ['garden'], body: text(n) }
  const { id } = await call<{ id: string }>(address, '/posts', { ...post, ...more })
  await call(address, `/posts/${id}/publish`, {})
  return id
}

const twoVariants = {
  key: 'opening',
  kind: 'variants',
  variants: [
    { key: 'short', percentage: 50 },
    { key: 'long', percentage: 50 },
  ],
  environments: { production: { isOn: true, conditions: [{ conditions: [], percentage: 100 }] } },
}

/** Thirty posts, one of which shows each visitor one of two openings, and one whose title is tried. */
async function write({ address }: Running): Promise<void> {
  await call(address, '/flags', twoVariants)
  for (let n = 0; n < 30; n++) await publish(address, n)
  const openings = ['short', 'long'].map((is) => `:::variant{of=opening is=${is}}\nThe ${is} opening.\n:::`)
  await publish(address, 30, { body: `${openings.join('\n\n')}\n\n${text(30)}` })
  const tried = await publish(address, 31)
  await call(address, `/posts/${tried}/trial`, { variants: [{ title: 'Another title' }], metric: 'clicks' })
}

const pages: readonly { what: string; path: string; hoped: string }[] = [
  { what: 'a cached post', path: '/blog/post-3', hoped: ' (hoped for: 0.4)' },
  { what: 'a post that shows one of two variants', path: '/blog/post-30', hoped: ' (hoped for: 0.4)' },
  { what: '`/blog`, with a title that is tried', path: '/blog', hoped: '' },
]

interface Answer {
  status: number
  headers: NodeJS.Dict<string | string[]>
  bytes: Buffer
}

const read = (
  from: string | { socketPath: string; path: string },
  headers: Record<string, string>,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = typeof from === 'string' ? get(from, { headers }) : get({ ...from, headers })
    request.once('error', reject)
    request.once('response', (answer) => {
      const told = { status: answer.statusCode ?? 0, headers: answer.headers }
      buffer(answer).then((bytes) => resolve({ ...told, bytes }), reject)
    })
  })

/** Until what was begun while it was written is rendered anew, and packed as well as it will be. */
async function settled(address: string, path: string): Promise<Answer> {
  for (let n = 0; n < 300; n++) {
    const answer = await read(address + path, browser)
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}.`)
    if (n > 50 && answer.headers['x-tilth-cache'] === 'hit') return answer
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${path} is not kept.`)
}

/** The same bytes, with as much said of them. */
const sameBytes = ({ bytes, headers }: Answer): Promise<{ address: string; process: { kill(): void } }> => {
  const { connection: _c, 'keep-alive': _k, date: _d, ...sentHeaders } = headers
  return bareServer(
    `globalThis.bytes ??= Buffer.from('${bytes.toString('base64')}', 'base64')
     response.writeHead(200, ${JSON.stringify(sentHeaders)}); response.end(globalThis.bytes)`,
  )
}

const ask = (url: string) => autocannon({ url, connections, duration: seconds, headers: browser })

interface Round {
  ours: Awaited<ReturnType<typeof ask>>
  bare: Awaited<ReturnType<typeof ask>>
  frontMs: number
}

async function aRound(url: string, bare: string, front: number): Promise<Round> {
  const before = processorMs(front)
  const ours = await ask(url)
  const frontMs = (processorMs(front) - before) / ours.requests.total
  return { ours, bare: await ask(bare), frontMs }
}

const ratioOf = ({ ours, bare }: Round): number => ours.requests.average / bare.requests.average

async function quiet({ what, path, hoped }: (typeof pages)[number], tilth: Running): Promise<Finding> {
  const bare = await sameBytes(await settled(tilth.address, path))
  try {
    const rounds: Round[] = []
    await ask(tilth.address + path)
    for (let n = 0; n < 3; n++)
      rounds.push(await aRound(tilth.address + path, bare.address, tilth.process.pid ?? 0))
    const [, middle] = rounds.toSorted((one, other) => ratioOf(one) - ratioOf(other))
    if (!middle) throw new Error('There were no rounds.')
    const failed = rounds.reduce((sum, { ours }) => sum + ours.non2xx + ours.errors, 0)
    return {
      what: `${what}, ${connections} connections, each a page view that is recorded`,
      measured: `${perSecond(middle.ours.requests.average)}, p50 ${ms(middle.ours.latency.p50)}, p99 ${ms(middle.ours.latency.p99)}`,
      beside:
        `bare \`node:http\` with the same bytes ${perSecond(middle.bare.requests.average)}, p99 ${ms(middle.bare.latency.p99)}: ` +
        `**ratio ${ratioOf(middle).toFixed(2)}**${hoped}; ${Math.round(middle.frontMs * 1000)} µs of processor each; ` +
        `middle of 3 rounds after a warm-up, ${failed} failed`,
    }
  } finally {
    bare.process.kill()
  }
}

async function besideEvents({ what, path }: (typeof pages)[number], { address }: Running): Promise<Finding> {
  const events = { url: `${address}/e/`, body: singleEvent(key), connections }
  const [sent, asked] = await Promise.all([send(events, { seconds }), ask(address + path)])
  return {
    what: `${what}, while events come on ${connections} more connections`,
    measured: `${perSecond(asked.requests.average)}, p50 ${ms(asked.latency.p50)}, p99 ${ms(asked.latency.p99)}`,
    beside: `${perSecond(sent.requests.average)} events beside it; ${asked.non2xx + asked.errors + sent.non2xx + sent.errors} failed`,
  }
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

/** The weight of a page in a browser: as it is, and as it is sent. */
async function weightOf({ what, path }: (typeof pages)[number], { address }: Running): Promise<Finding> {
  const { bytes } = await read(address + path, { ...browser, 'accept-encoding': 'identity' })
  const html = String(bytes)
  const linked = (pattern: RegExp): string[] => Array.from(html.matchAll(pattern), ([, to = '']) => to)
  const styles = linked(/<link\b[^>]*rel="stylesheet"[^>]*href="([^"]+)"/g)
  const scripts = linked(/<script\b[^>]*src="([^"]+)"/g)
  const packed = async (paths: readonly string[]): Promise<number> => {
    const files = await Promise.all(paths.map((one) => read(new URL(one, address).href, browser)))
    return files.reduce((sum, file) => sum + file.bytes.length, 0)
  }
  return {
    what: `${what}: what is sent of it`,
    measured: `HTML ${kilobytes(brotliCompressSync(bytes).length)}, CSS ${kilobytes(await packed(styles))}, script ${kilobytes(await packed(scripts))}`,
    beside: `compressed; HTML is ${kilobytes(bytes.length)} before; hoped for: at most 4 kB of script`,
  }
}

const visit: Visit = {
  projectId: 1,
  visitor: 'bench',
  isCookieless: true,
  decisions: {},
  payloads: {},
  withheld: [],
  isTried: false,
}

/** The same page at its own address, which the middleware does not look at, and at the one it sends there from. */
async function middleware(folder: string): Promise<Finding> {
  const socketPath = join(
    folder,
    'run',
    readdirSync(join(folder, 'run')).find((name) => name.endsWith('.sock')) ?? '',
  )
  const headers = { [visitHeader]: writeVisit(visit), host: 'localhost', accept: 'text/html' }
  const took: Record<string, number[]> = { '/blog': [], '/blog/seen/original': [] }
  for (let n = 0; n < 330; n++) {
    for (const [path, times] of Object.entries(took)) {
      const began = performance.now()
      await read({ socketPath, path }, headers)
      if (n >= 30) times.push(performance.now() - began)
    }
  }
  const [through = 0, past = 0] = Object.values(took).map((times) => quantile(times, 0.5))
  return {
    what: 'what the middleware adds to `/blog` when it is rendered',
    measured: ms(through - past),
    beside: `${ms(through)} with it, ${ms(past)} without; the middle of 300, and none of it when the page is kept`,
  }
}

/** Pages of a Tilth that runs, as browsers ask for them. */
export async function siteRequests(): Promise<Finding[]> {
  const folder = temporaryFolder()
  const tilth = await startTilth(folder, owned)
  try {
    await write(tilth)
    const found: Finding[] = []
    for (const page of pages) found.push(await quiet(page, tilth))
    for (const page of pages) found.push(await besideEvents(page, tilth))
    for (const page of pages) found.push(await weightOf(page, tilth))
    found.push(await middleware(folder))
    return found
  } finally {
    await tilth.stop()
    forget(folder)
  }
}
