import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { writeKey } from '../crashlab/product-process'

export interface SteadyReport {
  sent: number
  /** The number of answers by path and status. */
  answers: Record<string, number>
  /** Answers other than 2xx, and requests without one. */
  refused: number
  p99Ms: number
  longestMs: number
}

export const emptyReport = (): SteadyReport => ({ sent: 0, answers: {}, refused: 0, p99Ms: 0, longestMs: 0 })

interface SmallRequest {
  path: string
  method?: 'GET'
  headers?: Record<string, string>
  body?: unknown
}

const page = 'http://127.0.0.1/pricing'
const basic = `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`

/** A single event of each dialect, and what pages ask for beside events. */
const smallRequests: readonly (() => SmallRequest)[] = [
  () => ({ path: '/api/event', body: { n: 'pageview', u: page, d: '127.0.0.1', r: null } }),
  () => ({
    path: '/i/v0/e/',
    body: { api_key: writeKey, event: '$pageview', properties: { distinct_id: crypto.randomUUID() } },
  }),
  () => ({
    path: '/api/send',
    body: { type: 'event', payload: { website: writeKey, hostname: '127.0.0.1', url: '/pricing' } },
  }),
  () => ({ path: '/_vercel/insights/view', body: { o: page, ts: Date.now(), v: '0.1.3' } }),
  () => ({ path: `/count/${writeKey}?p=/pricing`, method: 'GET' }),
  () => ({ path: `/matomo.php?idsite=${writeKey}&rec=1&url=${encodeURIComponent(page)}` }),
  () => ({ path: '/append', body: { type: 'pageview', hostname: '127.0.0.1', path: '/pricing' } }),
  () => ({ path: `/g/collect?v=2&tid=${writeKey}&cid=1.2&en=page_view&dl=${encodeURIComponent(page)}` }),
  () => ({
    path: '/v1/t',
    headers: { authorization: basic },
    body: { event: 'signup', anonymousId: crypto.randomUUID(), messageId: crypto.randomUUID() },
  }),
  () => ({
    path: '/2/httpapi',
    body: { api_key: writeKey, events: [{ event_type: 'signup', device_id: crypto.randomUUID() }] },
  }),
  () => ({
    path: '/track?verbose=1',
    body: [{ event: 'signup', properties: { token: writeKey, distinct_id: crypto.randomUUID() } }],
  }),
  () => ({
    path: '/_tilth/event',
    body: { key: writeKey, url: page, events: [{ name: '$pageview', uuid: crypto.randomUUID() }] },
  }),
  () => ({ path: '/flags/?v=2', body: { token: writeKey, distinct_id: 'ana' } }),
  () => ({ path: `/api/surveys/?token=${writeKey}`, method: 'GET' }),
  () => ({ path: '/', method: 'GET' }),
]

const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** Sends a small request of each kind in turn, at a steady rate, until something is over. */
export async function sendSteadily(
  address: string,
  { perSecond, until }: { perSecond: number; until: Promise<unknown> },
  report: SteadyReport,
): Promise<void> {
  let isOver = false
  const end = (): void => void (isOver = true)
  until.then(end, end)
  const agent = new Agent({ keepAlive: true })
  const times: number[] = []
  const underWay: Promise<void>[] = []
  const began = performance.now()
  for (const ofKind of inTurn(smallRequests, () => isOver)) {
    underWay.push(sendOne(address, ofKind(), agent, report, times))
    const dueAt = began + (++report.sent * 1000) / perSecond
    await delay(Math.max(0, dueAt - performance.now()))
  }
  await Promise.all(underWay)
  agent.destroy()
  times.sort((one, other) => one - other)
  report.p99Ms = Math.round(times[Math.floor(times.length * 0.99)] ?? 0)
  report.longestMs = Math.round(times.at(-1) ?? 0)
}

function* inTurn<Kind>(kinds: readonly Kind[], isOver: () => boolean): Generator<Kind> {
  while (!isOver()) for (const kind of kinds) if (!isOver()) yield kind
}

async function sendOne(
  address: string,
  small: SmallRequest,
  agent: Agent,
  report: SteadyReport,
  times: number[],
): Promise<void> {
  const began = performance.now()
  const status = await statusOf(address, small, agent)
  times.push(performance.now() - began)
  const answer = `${small.path.split('?', 1)[0]} ${status || 'nothing'}`
  report.answers[answer] = (report.answers[answer] ?? 0) + 1
  if (status < 200 || status > 299) report.refused++
}

/** 0 if there was no answer. */
const statusOf = (
  address: string,
  { path, method = 'POST', headers = {}, body }: { method?: string } & Omit<SmallRequest, 'method'>,
  agent: Agent,
): Promise<number> =>
  new Promise((resolve) => {
    const text = body === undefined ? '' : JSON.stringify(body)
    const sent = request(
      address + path,
      {
        method,
        agent,
        headers: {
          'content-type': 'application/json',
          'user-agent': userAgent,
          'content-length': Buffer.byteLength(text),
          ...headers,
        },
      },
      (answer) => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode ?? 0))
        answer.on('error', () => resolve(0))
      },
    )
    sent.on('error', () => resolve(0))
    sent.end(text)
  })
