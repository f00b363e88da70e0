import type { IncomingMessage, ServerResponse } from 'node:http'
import { originOf } from '../projects/origin'
import type { Desk, Dialect } from '../wire/dialect'
import { openMatching } from '../wire/matching'
import { answerApi } from './api'
import { type Arrival, cleanHeaders, readArrival } from './arrival'
import { BodyIncomplete, forgetTheRest, readBody, watchBody } from './body'
import type { Config } from './config'
import { maySeeDetail, readiness, type Vitals, withoutDetail } from './health'
import { isFromOurselves, isOneHost, isOurs } from './hosts'
import { bodyLimits, type Limits } from './limits'
import type { Live } from './live'
import type { Log } from './log'
import type { Metrics } from './metrics'
import type { Product } from './product'
import { type Format, type Refusal, refuse } from './refusals'
import { whoWatches } from './watching'
import { answerDialect } from './wire-exchange'

/** What stands behind the door by now; it grows while Tilth starts. */
export interface House extends Omit<Vitals, 'store' | 'pages'> {
  product?: Product
  /** Where events are handed in; absent until they can be. */
  desk?: Desk
  live?: Live
  pages?: Vitals['pages'] & { serve(request: IncomingMessage, response: ServerResponse): void }
}

export interface DoorSettings {
  config: Pick<Config, 'trustedProxies' | 'metricsToken'>
  /** Under which names we answer. */
  addresses: () => readonly URL[]
  house: House
  limits: Limits
  metrics: Metrics
  log: Log
  /** How SDKs may talk to us. */
  dialects?: readonly Dialect[]
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  arrival: Arrival
}

interface Route extends Manners {
  name: string
  matches: (path: string, method: string, search: string) => boolean
  answer: (exchange: Exchange) => void | Promise<void>
}

/** What is expected of a request before its route sees it. */
interface Manners {
  format: Format
  /** Sites proxy trackers and SDKs through names of their own; pages and sessions belong to ours alone. */
  hosts: 'any' | 'ours'
  /** Whether a change must come from a page of ours: everywhere that a browser's cookies count. */
  ownOrigin: boolean
  methods: ReadonlySet<string>
  mostBodyBytes: number
}

const reading = new Set(['GET', 'HEAD'])
const everyday = new Set([...reading, 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])

const probes: Manners = {
  format: 'line',
  hosts: 'any',
  ownOrigin: false,
  methods: reading,
  mostBodyBytes: bodyLimits.none,
}
const wire: Manners = { ...probes, format: 'wire', methods: everyday, mostBodyBytes: bodyLimits.wire }
// a key is sent on purpose, by whatever name the caller reaches us: another container knows us by our container's
const api: Manners = { ...wire, format: 'api', mostBodyBytes: bodyLimits.api }
const pages: Manners = {
  format: 'page',
  hosts: 'ours',
  ownOrigin: true,
  methods: everyday,
  mostBodyBytes: bodyLimits.page,
}

const exactly = (address: string) => (path: string) => path === address
const under = (address: string) => (path: string) => path === address || path.startsWith(`${address}/`)
const anything = () => true

/** Everything Tilth answers, by the first that matches. Health stands before even this list: see `openDoor`. */
const routesOf = (door: DoorSettings): readonly Route[] => [
  {
    name: 'ready',
    matches: exactly('/_tilth/ready'),
    answer: (exchange) => tellReadiness(exchange, door),
    ...probes,
  },
  {
    name: 'metrics',
    matches: exactly('/_tilth/metrics'),
    answer: (exchange) => tellMetrics(exchange, door),
    ...probes,
  },
  {
    name: 'live',
    matches: under('/_tilth/live'),
    answer: (exchange) => showLive(exchange, door),
    ...pages,
    format: 'api',
    methods: reading,
  },
  wireRoute(door),
  { name: 'api', matches: under('/api/v1'), answer: (exchange) => callApi(exchange, door), ...api },
  { name: 'pages', matches: anything, answer: (exchange) => showPage(exchange, door), ...pages },
]

/** What follows the question mark. */
const searchOf = ({ url = '' }: IncomingMessage, { path }: Arrival): string => url.slice(path.length + 1)

/** Every address of every dialect, under any prefix: which of them it is, is found again when it is answered. */
function wireRoute({ dialects = [], house }: DoorSettings): Route {
  const find = openMatching(dialects)
  return {
    name: 'wire',
    matches: (path, method, search) => find(method, path, search) !== undefined,
    async answer(exchange) {
      const { request, response, arrival } = exchange
      const match = find(request.method ?? '', arrival.path, searchOf(request, arrival))
      if (match && house.desk) await answerDialect(exchange, match, house.desk)
      else refuse(request, response, 'starting', 'wire')
    },
    ...wire,
  }
}

/** The first thing that sees a request, and the last that sees what went wrong with it. */
export function openDoor(door: DoorSettings): (request: IncomingMessage, response: ServerResponse) => void {
  const routes = routesOf(door)
  return (request, response) => {
    if (request.url === '/_tilth/health') return tellHealth(request, response, door)
    admit(request, response, routes, door)
  }
}

function admit(
  request: IncomingMessage,
  response: ServerResponse,
  routes: readonly Route[],
  door: DoorSettings,
): void {
  const arrival = readArrival(request, { trusted: door.config.trustedProxies, addresses: door.addresses })
  const exchange = { request, response, arrival }
  const route = routeOf(exchange, routes)
  response.setHeader('x-request-id', arrival.requestId)
  keepAccount(exchange, route, door)
  pass(exchange, route, door).catch((problem: unknown) => {
    if (problem instanceof BodyIncomplete) return
    door.log.error({ err: problem, requestId: arrival.requestId, route: route.name }, 'a request failed')
    refuse(request, response, 'failed', route.format)
  })
}

async function pass(exchange: Exchange, route: Route, door: DoorSettings): Promise<void> {
  const { request, response, arrival } = exchange
  const no = objection(exchange, route, door)
  if (no) return turnAway(exchange, no, route, door)

  watchBody(request, response, { mostBytes: route.mostBodyBytes, idleMs: door.limits.bodyIdleMs }, (why) =>
    turnAway(exchange, why, route, door),
  )
  if (response.writableEnded) return
  cleanHeaders(request, arrival)
  await route.answer(exchange)
}

/** An address that cannot be decoded is nobody's: then no route has to be ready for one. */
function routeOf({ request, arrival }: Exchange, routes: readonly Route[]): Route {
  const { path } = arrival
  const search = searchOf(request, arrival)
  const find = () => routes.find(({ matches }) => matches(path, request.method ?? '', search))
  return (isDecodable(path) && find()) || nobodys
}

const nobodys: Route = {
  name: 'nobody',
  matches: anything,
  answer: ({ request, response }) => refuse(request, response, 'malformed-address', 'page'),
  ...pages,
}

interface Rule {
  no: Refusal
  when: (exchange: Exchange, route: Route, door: DoorSettings) => boolean
}

/** Why a request gets no further, by the first that holds. */
const rules: readonly Rule[] = [
  { no: 'malformed-request', when: ({ arrival }) => !arrival.path.startsWith('/') },
  { no: 'malformed-request', when: ({ request, arrival }) => namesHostsOddly(request, arrival) },
  { no: 'malformed-address', when: ({ arrival }) => !isDecodable(arrival.path) },
  { no: 'wrong-method', when: ({ request }, { methods }) => !methods.has(request.method ?? '') },
  {
    no: 'wrong-host',
    when: ({ arrival }, { hosts }, door) => hosts === 'ours' && !isOurs(arrival.host, door.addresses()),
  },
  { no: 'foreign-origin', when: (exchange, { ownOrigin }) => ownOrigin && !isSentByOurPages(exchange) },
]

const objection = (exchange: Exchange, route: Route, door: DoorSettings): Refusal | undefined =>
  rules.find(({ when }) => when(exchange, route, door))?.no

/** A probe of the oldest HTTP names no host; everybody else names exactly one. */
function namesHostsOddly({ rawHeaders, httpVersion }: IncomingMessage, { host }: Arrival): boolean {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
  if (hosts === 0) return httpVersion !== '1.0'
  return hosts > 1 || !isOneHost(host)
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return !path.includes('\\')
  } catch {
    return false
  }
}

function isSentByOurPages({ request: { method, headers }, arrival }: Exchange): boolean {
  const site = headers['sec-fetch-site']
  return isFromOurselves(
    { method, origin: headers.origin, site: Array.isArray(site) ? site[0] : site },
    arrival,
  )
}

function turnAway(
  { request, response }: Exchange,
  why: Refusal,
  { format, mostBodyBytes }: Route,
  { limits }: DoorSettings,
): void {
  // who asked before sending may now send the body or the next request: on this connection nobody could tell which
  if (request.headers.expect) response.setHeader('connection', 'close')
  forgetTheRest(request, { mostBytes: 2 * mostBodyBytes, ms: limits.lingerMs })
  refuse(request, response, why, format)
}

/** One line and one count for every request, whoever answered it and however it ended. */
function keepAccount(
  { request, response, arrival }: Exchange,
  { name }: Route,
  { metrics, log }: DoorSettings,
): void {
  const began = performance.now()
  response.once('close', () => {
    const ms = performance.now() - began
    const status = response.headersSent ? response.statusCode : 499
    metrics.answered(name, status, ms / 1000)
    const { address } = originOf({ address: arrival.client, userAgent: '', requestId: arrival.requestId })
    const line = {
      requestId: arrival.requestId,
      method: request.method,
      path: arrival.path,
      status,
      ms: Math.round(ms),
      address,
    }
    if (status >= 500) log.warn(line, 'answered')
    else log.debug(line, 'answered')
  })
}

const alive = '{"status":"alive"}\n'
const aliveHeaders = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'content-length': String(alive.length),
}

/** Asked every second by whoever watches us, perhaps by many: no rule, no id, no log. */
function tellHealth(request: IncomingMessage, response: ServerResponse, { metrics }: DoorSettings): void {
  metrics.answeredHealth()
  response.writeHead(200, aliveHeaders)
  response.end(request.method === 'HEAD' ? undefined : alive)
}

async function tellReadiness(
  { request, response, arrival }: Exchange,
  { house, config }: DoorSettings,
): Promise<void> {
  const all = await readiness({ ...house, store: house.product })
  const told = maySeeDetail(request, arrival, config.metricsToken) ? all : withoutDetail(all)
  if (!all.ready) response.setHeader('retry-after', '1')
  answerJson(response, all.ready ? 200 : 503, told)
}

async function tellMetrics(
  { request, response, arrival }: Exchange,
  { metrics, config }: DoorSettings,
): Promise<void> {
  if (!maySeeDetail(request, arrival, config.metricsToken))
    return refuse(request, response, 'no-access', 'line')
  const text = await metrics.text()
  response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' })
  response.end(request.method === 'HEAD' ? undefined : text)
}

async function callApi({ request, response, arrival }: Exchange, { house }: DoorSettings): Promise<void> {
  if (!house.product) return refuse(request, response, 'starting', 'api')
  const { status, headers, body } = await answerApi(
    {
      method: request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET'),
      path: arrival.path.slice('/api/v1'.length),
      query: new URLSearchParams(request.url?.slice(arrival.path.length + 1)),
      authorization: request.headers.authorization,
      body: () => readBody(request),
      origin: originOf({
        address: arrival.client,
        userAgent: request.headers['user-agent'] ?? '',
        requestId: arrival.requestId,
      }),
    },
    house.product,
  )
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value)
  answerJson(response, status, body)
}

async function showLive(
  { request, response, arrival }: Exchange,
  { house: { product, live } }: DoorSettings,
): Promise<void> {
  if (!product || !live) return refuse(request, response, 'starting', 'api')
  const watching = await whoWatches(request, arrival, product)
  if (watching) live.watch(watching.project, watching.viewer, request, response)
  else refuse(request, response, 'no-access', 'api')
}

function showPage({ request, response }: Exchange, { house }: DoorSettings): void {
  if (house.pages) house.pages.serve(request, response)
  else refuse(request, response, 'starting', 'page')
}

function answerJson(response: ServerResponse, status: number, body: unknown): void {
  if (body === undefined) return void response.writeHead(status, { 'cache-control': 'no-store' }).end()
  const text = `${JSON.stringify(body)}\n`
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(text)
}
