import type { IncomingMessage, ServerResponse } from 'node:http'
import { networkOf, originOf } from '../projects/origin'
import { imagesAddress } from '../posts/images'
import { StoreAway } from '../store/store'
import type { Desk, Dialect } from '../wire/dialect'
import { type Match, openMatching } from '../wire/matching'
import { answerApi } from './api'
import { type Arrival, cleanHeaders, readArrival } from './arrival'
import { type Body, BodyIncomplete, forgetTheRest, watchBody } from './body'
import { type BuiltFiles, builtFilesAddress } from './built-files'
import type { Config } from './config'
import { maySeeDetail, readiness, type Vitals, withoutDetail } from './health'
import { isFromOurselves, isOneHost, isOurs } from './hosts'
import { showImage, takeImage, uploadsAddress } from './images-door'
import { answerLetter } from './letter-pages'
import { bodyLimits, type Limits } from './limits'
import type { Live } from './live'
import type { Log } from './log'
import type { Metrics } from './metrics'
import type { Product } from './product'
import { type Format, type Refusal, refuse } from './refusals'
import { whoWatches } from './watching'
import type { SiteDoor } from './site-door'
import { answerForm, formsAddress, mostFormBytes, openFormTurnstile } from './site-forms'
import { openTurnstile, type Turnstile } from './turnstile'
import { answerDialect } from './wire-exchange'

/** What stands behind the door by now; it grows while Tilth starts. */
export interface House extends Omit<Vitals, 'pages'> {
  product?: Product
  /** What there is to say of it while Tilth waits for it; later the product knows. */
  store?: Vitals['store']
  /** Where events are handed in; absent until they can be. */
  desk?: Desk
  live?: Live
  builtFiles?: BuiltFiles
  /** The public site, once there are pages; until then its addresses are any page's. */
  site?: SiteDoor
  pages?: Vitals['pages'] & {
    serve(
      request: IncomingMessage,
      response: ServerResponse,
      visiting?: { framedBy?: readonly string[] },
    ): void
  }
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
  /** How to end each answer that has no end of its own. */
  streams: Set<() => void>
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  arrival: Arrival
}

type Answerer = (exchange: Exchange, body: Body) => void | Promise<void>

interface Route extends Manners {
  name: string
  /** How this request is answered; undefined where it is another route's. */
  answererOf: (exchange: Exchange) => Answerer | undefined
}

/** The route of a request, and how that answers it. */
interface Way {
  route: Route
  answer: Answerer
}

/** What is expected of a request before its route sees it. */
interface Manners {
  format: Format
  /**
   * Sites proxy trackers and SDKs through names of their own, and projects show their site under names of theirs; the
   * studio and its sessions belong to ours alone.
   */
  hosts: 'any' | 'ours' | 'sites'
  /** Whether a change must come from a page of ours: everywhere that a browser's cookies count. */
  ownOrigin: boolean
  methods: ReadonlySet<string>
  mostBodyBytes: number
  /** Whether others are to read its headers, who take them at their word. SDKs say nothing that is ours to say. */
  isPassedOn: boolean
}

const reading = new Set(['GET', 'HEAD'])
const everyday = new Set([...reading, 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])

const probes: Manners = {
  format: 'line',
  hosts: 'any',
  ownOrigin: false,
  methods: reading,
  mostBodyBytes: bodyLimits.none,
  isPassedOn: false,
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
  isPassedOn: true,
}

const openSites: Manners = { ...pages, hosts: 'sites', isPassedOn: false }

const exactly =
  (address: string, answer: Answerer): Route['answererOf'] =>
  ({ arrival: { path } }) =>
    path === address ? answer : undefined
const under =
  (address: string, answer: Answerer): Route['answererOf'] =>
  ({ arrival: { path } }) =>
    path === address || path.startsWith(`${address}/`) ? answer : undefined

/** Everything Tilth answers, by the first that matches. Health stands before even this list: see `openDoor`. */
const routesOf = (door: DoorSettings): readonly Route[] => [
  {
    name: 'ready',
    answererOf: exactly('/_tilth/ready', (exchange) => tellReadiness(exchange, door)),
    ...probes,
  },
  {
    name: 'metrics',
    answererOf: exactly('/_tilth/metrics', (exchange) => tellMetrics(exchange, door)),
    ...probes,
  },
  {
    name: 'live',
    answererOf: under('/_tilth/live', (exchange) => showLive(exchange, door)),
    ...pages,
    format: 'api',
    methods: reading,
  },
  builtFilesRoute(door),
  {
    name: 'images',
    answererOf: under(imagesAddress, (exchange) => showImage(exchange, door.house.product)),
    ...probes,
  },
  {
    name: 'uploads',
    answererOf: under(uploadsAddress, (exchange, body) => takeImage(exchange, body, door.house.product)),
    ...pages,
    format: 'api',
    methods: new Set(['POST']),
    mostBodyBytes: bodyLimits.image,
    isPassedOn: false,
  },
  formsRoute(door),
  letterRoute(door),
  wireRoute(door),
  { name: 'api', answererOf: under('/api/v1', (exchange, body) => callApi(exchange, body, door)), ...api },
  shareRoute(door),
  siteRoute(door),
  { name: 'pages', answererOf: () => (exchange) => showPage(exchange, door), ...pages },
]

function builtFilesRoute({ house }: DoorSettings): Route {
  return {
    name: 'built files',
    answererOf({ arrival: { path } }) {
      const { builtFiles } = house
      if (!path.startsWith(builtFilesAddress) || !builtFiles?.has(path)) return undefined
      return ({ request, response }) => builtFiles.serve(path, request, response)
    },
    ...pages,
    hosts: 'sites',
    methods: reading,
    isPassedOn: false,
  }
}

function siteRoute({ house }: DoorSettings): Route {
  return {
    name: 'site',
    answererOf: ({ arrival: { path } }) =>
      house.site?.owns(path) ? (exchange) => house.site?.answer(exchange) : undefined,
    ...openSites,
  }
}

/** What visitors send from pages of a site, with or without a script. */
function formsRoute({ house }: DoorSettings): Route {
  const maySend = openFormTurnstile()
  return {
    name: 'forms',
    answererOf: under(formsAddress, (exchange, body) => answerForm(exchange, body, house.product, maySend)),
    ...openSites,
    methods: new Set(['POST']),
    mostBodyBytes: mostFormBytes,
  }
}

/** What follows the question mark. */
const searchOf = ({ url = '' }: IncomingMessage, { path }: Arrival): string => url.slice(path.length + 1)

/** Every address of every dialect, under any prefix. */
function wireRoute({ dialects = [], house, streams }: DoorSettings): Route {
  const find = openMatching(dialects)
  return {
    name: 'wire',
    answererOf({ request, arrival }) {
      const match = find(request.method ?? '', arrival.path, searchOf(request, arrival))
      return match && ((exchange, body) => answerMatch(exchange, body, match, { desk: house.desk, streams }))
    },
    ...wire,
  }
}

async function answerMatch(
  exchange: Exchange,
  body: Body,
  match: Match,
  { desk, streams }: Pick<House, 'desk'> & Pick<DoorSettings, 'streams'>,
): Promise<void> {
  if (desk) return await answerDialect(exchange, body, match, { desk, streams })
  sayId(exchange)
  refuse(exchange.request, exchange.response, 'starting', 'wire')
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
  const way = wayOf(exchange, routes)
  const { route } = way
  keepAccount(exchange, route, door)
  pass(exchange, way, door).catch((problem: unknown) => {
    if (problem instanceof BodyIncomplete) return
    const isAway = problem instanceof StoreAway
    if (!isAway)
      door.log.error({ err: problem, requestId: arrival.requestId, route: route.name }, 'a request failed')
    sayId(exchange)
    refuse(request, response, isAway ? 'starting' : 'failed', route.format)
  })
}

/** Dialects say it with the rest of their headers: each one that is said apart costs an event a microsecond. */
function sayId({ response, arrival }: Exchange): void {
  if (!response.headersSent) response.setHeader('x-request-id', arrival.requestId)
}

async function pass(exchange: Exchange, { route, answer }: Way, door: DoorSettings): Promise<void> {
  const { request, response, arrival } = exchange
  const no = objection(exchange, route, door)
  if (no) return turnAway(exchange, no, route, door)

  const rules = { mostBytes: route.mostBodyBytes, idleMs: door.limits.bodyIdleMs }
  const body = watchBody(request, response, rules, (why) => turnAway(exchange, why, route, door))
  if (!body) return
  if (route.format !== 'wire') sayId(exchange)
  if (route.isPassedOn) cleanHeaders(request, arrival)
  await answer(exchange, body)
}

/** An address that cannot be decoded is nobody's: then no route has to be ready for one. */
function wayOf(exchange: Exchange, routes: readonly Route[]): Way {
  if (!isDecodable(exchange.arrival.path)) return nobodys
  for (const route of routes) {
    const answer = route.answererOf(exchange)
    if (answer) return { route, answer }
  }
  return nobodys
}

const refuseAddress: Answerer = ({ request, response }) =>
  refuse(request, response, 'malformed-address', 'page')
const nobodys: Way = {
  route: { name: 'nobody', answererOf: () => refuseAddress, ...pages },
  answer: refuseAddress,
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
  { no: 'wrong-host', when: ({ arrival }, { hosts }, door) => !isAt(arrival, hosts, door) },
  { no: 'foreign-origin', when: (exchange, { ownOrigin }) => ownOrigin && !isSentByOurPages(exchange) },
]

const isAt = ({ host }: Arrival, hosts: Manners['hosts'], { addresses, house }: DoorSettings): boolean =>
  hosts === 'any' || isOurs(host, addresses()) || (hosts === 'sites' && house.site?.isSite(host) === true)

const objection = (exchange: Exchange, route: Route, door: DoorSettings): Refusal | undefined =>
  rules.find(({ when }) => when(exchange, route, door))?.no

/** A probe of the oldest HTTP names no host; everybody else names exactly one. */
function namesHostsOddly({ rawHeaders, httpVersion }: IncomingMessage, { host }: Arrival): boolean {
  const hosts = hostsIn(rawHeaders)
  if (hosts === 0) return httpVersion !== '1.0'
  return hosts > 1 || !isOneHost(host)
}

/** Names and values take turns. */
function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts
}

function isDecodable(path: string): boolean {
  if (path.includes('\\')) return false
  if (!path.includes('%')) return true
  try {
    decodeURIComponent(path)
    return true
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
  exchange: Exchange,
  why: Refusal,
  { format, mostBodyBytes }: Route,
  { limits }: DoorSettings,
): void {
  const { request, response } = exchange
  sayId(exchange)
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
  response.on('close', () => {
    const ms = performance.now() - began
    const status = response.headersSent ? response.statusCode : 499
    metrics.answered(name, status, ms / 1000)
    const level = status >= 500 ? 'warn' : 'debug'
    if (log.isLevelEnabled(level)) log[level](lineAbout(request, arrival, status, ms), 'answered')
  })
}

const lineAbout = (request: IncomingMessage, arrival: Arrival, status: number, ms: number) => ({
  requestId: arrival.requestId,
  method: request.method,
  path: arrival.path,
  status,
  ms: Math.round(ms),
  address: networkOf(arrival.client),
})

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
  const all = await readiness({ ...house, store: house.product ?? house.store })
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

async function callApi(
  { request, response, arrival }: Exchange,
  body: Body,
  { house }: DoorSettings,
): Promise<void> {
  if (!house.product) return refuse(request, response, 'starting', 'api')
  const left = new AbortController()
  response.once('close', () => left.abort())
  const answer = await answerApi(
    {
      method: request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET'),
      path: arrival.path.slice('/api/v1'.length),
      query: new URLSearchParams(request.url?.slice(arrival.path.length + 1)),
      authorization: request.headers.authorization,
      body: () => body.read(),
      origin: originOf({
        address: arrival.client,
        userAgent: request.headers['user-agent'] ?? '',
        requestId: arrival.requestId,
      }),
      signal: left.signal,
    },
    house.product,
  )
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value)
  answerJson(response, answer.status, answer.body)
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
  else refuse(request, response, house.store ? 'without-store' : 'starting', 'page')
}

/** Mail programs send what a link asks for from anywhere: it is what was sealed in it that counts, and no cookie. */
function letterRoute(door: DoorSettings): Route {
  const mayLook = openTurnstile(looks)
  return {
    name: 'letters',
    answererOf: under('/_tilth/letters', (exchange) => showLetter(exchange, door, mayLook)),
    ...pages,
    ownOrigin: false,
    methods: new Set([...reading, 'POST']),
    isPassedOn: false,
  }
}

async function showLetter(
  { request, response, arrival }: Exchange,
  { house: { product } }: DoorSettings,
  mayLook: Turnstile,
): Promise<void> {
  if (!product) return refuse(request, response, 'starting', 'page')
  if (!mayLook(networkOf(arrival.client))) return refuse(request, response, 'too-often', 'page')
  const [, , , token = ''] = arrival.path.split('/')
  await answerLetter(request, response, token, product)
}

/** A page is asked for once, or every minute; somebody who guesses addresses asks all the time. */
const looks = { most: 300, perMs: 60_000 }

function shareRoute(door: DoorSettings): Route {
  const mayLook = openTurnstile(looks)
  return {
    name: 'share',
    answererOf: under('/share', (exchange) => showShare(exchange, door, mayLook)),
    ...pages,
  }
}

/** A page for people outside, which may stand in frames of hosts that its owner listed. */
async function showShare(
  { request, response, arrival }: Exchange,
  { house: { product, pages: shown } }: DoorSettings,
  mayLook: Turnstile,
): Promise<void> {
  if (!product || !shown) return refuse(request, response, 'starting', 'page')
  if (!mayLook(networkOf(arrival.client))) return refuse(request, response, 'too-often', 'page')
  const [, , token = ''] = arrival.path.split('/')
  const framedBy = await product.shares.framedBy(token)
  response.setHeader('x-robots-tag', 'noindex, nofollow')
  if (!response.destroyed) shown.serve(request, response, { framedBy })
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
