import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ActionLimits } from '#http/action-limits'
import {
  discardRemainingBody,
  IncompleteBodyError,
  type ReceivedBytes,
  type RequestBody,
  watchBody,
} from '#http/body'
import { isOurs, isSameOriginChange, isSingleHost } from '#http/hosts'
import type { Limits } from '#http/limits'
import { receiveForm } from '#http/receive-form'
import { type FrontRefusal, refuse } from '#http/refusals'
import { strictTransportSecurity } from '#http/security-headers'
import {
  cleanHeaders,
  type Exchange,
  readTrustedRequest,
  type RequestHead,
  type RequestToAnswer,
  type TrustedRequest,
} from '#http/trusted-request'
import { memberOf } from '#http/watched-session'
import { PicturesUnavailableError } from '#posts/shared-pictures'
import { networkOf } from '#projects/origin'
import { StoreUnavailableError, StoreUnreachableError } from '#store/store'
import type { Config } from '../config'
import type { Log } from '../log'
import type { Metrics } from './metrics'
import type { RunningServices } from './ready'
import { pagePolicy, type Route, type RouteHandler, type RoutePolicy } from './route'
import type { UnknownHosts } from './unknown-hosts'

/** The surroundings of every route. */
export interface FrontContext {
  config: Pick<Config, 'trustedProxies' | 'metricsToken' | 'sendsHsts'>
  /** The addresses of this Tilth. */
  addresses: () => readonly URL[]
  services: RunningServices
  limits: Limits
  metrics: Metrics
  log: Log
  /** Limits the memory of large bodies as they arrive. */
  receivedBytes: ReceivedBytes
  /** Limits concurrent changes through the pages. */
  actionLimits: ActionLimits
  unknownHosts: UnknownHosts
}

/** Answers a request by the first route that matches, and catches and logs what that throws. */
export function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  routes: readonly Route[],
  context: FrontContext,
): void {
  const trustedRequest = readTrustedRequest(request, proxiesOf(context))
  const exchange = { request, response, trustedRequest }
  const routed = matchRoute(exchange, routes, context)
  const { route } = routed
  recordRequest(exchange, route, context)
  runRoute(exchange, routed, context).catch((problem: unknown) => {
    if (problem instanceof IncompleteBodyError) return
    const refusal = logFailure(problem, trustedRequest, route, context)
    setRequestId(exchange)
    refuse(request, response, refusal, route.format)
  })
}

export const proxiesOf = ({ config: { trustedProxies: trusted }, addresses }: FrontContext) => ({
  trusted,
  addresses,
})

export function logFailure(
  problem: unknown,
  { requestId }: TrustedRequest,
  route: Route,
  { log }: FrontContext,
): FrontRefusal {
  const refusal = refusalForError(problem)
  const about = { err: problem, requestId, route: route.name }
  if (refusal === 'failed') log.error(about, 'a request failed')
  else if (refusal === 'pictures-away') log.warn(about, 'the bucket of pictures could not serve a request')
  else if (refusal !== 'starting') log.warn(about, 'the store could not serve a request')
  return refusal
}

function refusalForError(problem: unknown): FrontRefusal {
  if (problem instanceof StoreUnavailableError) return `store-${problem.trouble}`
  if (problem instanceof PicturesUnavailableError) return 'pictures-away'
  return problem instanceof StoreUnreachableError ? 'starting' : 'failed'
}

/** Adds the id to the dialect's headers: a separate call costs an event a microsecond. */
function setRequestId({ response, trustedRequest }: Exchange): void {
  if (!response.headersSent) response.setHeader('x-request-id', trustedRequest.requestId)
}

/** This machine's names are shared with programs without TLS. */
const hasNoTls = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i

export const needsTls = ({ trustedRequest }: RequestToAnswer): boolean =>
  trustedRequest.protocol === 'https' && !hasNoTls.test(trustedRequest.host)

function setTransportSecurity(exchange: Exchange): void {
  const { response } = exchange
  if (needsTls(exchange)) response.setHeader('strict-transport-security', strictTransportSecurity)
}

/** The route of a request, and its handler. */
interface RoutedHandler {
  route: Route
  handler: RouteHandler
}

async function runRoute(
  exchange: Exchange,
  { route, handler }: RoutedHandler,
  context: FrontContext,
): Promise<void> {
  const { request, trustedRequest } = exchange
  const first = refusalBefore(exchange, route, context)
  const mayBeNewSite = first === 'wrong-host' && route.hosts === 'sites'
  const no = mayBeNewSite ? await refusalAfterLookUp(exchange, route, context) : first
  if (no) return refuseRequest(exchange, no, route, context)

  const isPageForm = route.isForwarded && request.method === 'POST' && context.services.pages !== undefined
  const body = isPageForm
    ? await receivePageForm(exchange, route, context)
    : watchRouteBody(exchange, route, context)
  if (!body) return
  if (route.format !== 'wire') {
    setRequestId(exchange)
    if (context.config.sendsHsts) setTransportSecurity(exchange)
  }
  if (route.isForwarded) cleanHeaders(request, trustedRequest)
  await handler(exchange, body)
}

const watchRouteBody = (exchange: Exchange, route: Route, context: FrontContext): RequestBody | undefined =>
  watchBody(
    exchange.request,
    exchange.response,
    { ...bodyTimesOf(context), mostBytes: route.maxBodyBytes, received: context.receivedBytes },
    (refusal) => refuseRequest(exchange, refusal, route, context),
  )

const bodyTimesOf = ({ limits }: FrontContext) => ({
  idleMs: limits.bodyIdleMs,
  rate: limits.bodyRate,
})

const receivePageForm = (
  exchange: Exchange,
  route: Route,
  context: FrontContext,
): Promise<RequestBody | undefined> =>
  receiveForm(exchange, {
    isSignedIn: () => isSignedIn(exchange, context.services),
    limits: context.actionLimits,
    body: bodyTimesOf(context),
    refuse: (refusal, maxBodyBytes) => refuseRequest(exchange, refusal, { ...route, maxBodyBytes }, context),
  })

async function isSignedIn(
  { request, trustedRequest }: Exchange,
  { product }: RunningServices,
): Promise<boolean> {
  if (!product || !request.headers.cookie) return false
  return (await memberOf(request, trustedRequest, product, { isUse: false })) !== undefined
}

/** Refuses an address that cannot be decoded, so that no route has to handle one. */
function matchRoute(exchange: Exchange, routes: readonly Route[], { services }: FrontContext): RoutedHandler {
  if (!isDecodable(exchange.trustedRequest.path)) return unknownRoute
  for (const route of routes) {
    const handler = route.handlerFor(exchange, services)
    if (handler) return { route, handler }
  }
  return unknownRoute
}

const refuseAddress: RouteHandler = ({ request, response }) =>
  refuse(request, response, 'malformed-address', 'page')
const unknownRoute: RoutedHandler = {
  route: { name: 'unknown', handlerFor: () => refuseAddress, ...pagePolicy },
  handler: refuseAddress,
}

interface RefusalRule {
  refusal: FrontRefusal
  applies: (exchange: Exchange, route: Route, context: FrontContext) => boolean
}

/** Reasons to refuse a request; the first match counts. */
const rules: readonly RefusalRule[] = [
  { refusal: 'malformed-request', applies: ({ trustedRequest }) => !trustedRequest.path.startsWith('/') },
  {
    refusal: 'malformed-request',
    applies: ({ request, trustedRequest }) => hasAmbiguousHost(request, trustedRequest),
  },
  { refusal: 'malformed-address', applies: ({ trustedRequest }) => !isDecodable(trustedRequest.path) },
  { refusal: 'wrong-method', applies: ({ request }, { methods }) => !methods.has(request.method ?? '') },
  {
    refusal: 'wrong-host',
    applies: ({ trustedRequest }, { hosts }, context) => !isAt(trustedRequest, hosts, context),
  },
  {
    refusal: 'foreign-origin',
    applies: (exchange, { ownOrigin }) => ownOrigin && !isSameSiteFetch(exchange),
  },
]

export const isAt = (
  { host }: TrustedRequest,
  hosts: RoutePolicy['hosts'],
  { addresses, services }: FrontContext,
): boolean =>
  hosts === 'any' || isOurs(host, addresses()) || (hosts === 'sites' && services.site?.isSite(host) === true)

const refusalBefore = (exchange: Exchange, route: Route, context: FrontContext): FrontRefusal | undefined =>
  rules.find(({ applies }) => applies(exchange, route, context))?.refusal

/** Asks the store about a host without a site, and judges the request again. */
async function refusalAfterLookUp(
  exchange: Exchange,
  route: Route,
  context: FrontContext,
): Promise<FrontRefusal | undefined> {
  await context.unknownHosts.lookUp(exchange.trustedRequest.host, context.services)
  return refusalBefore(exchange, route, context)
}

/** HTTP/1.0 probes may omit the host; all other requests have exactly one. */
function hasAmbiguousHost({ rawHeaders, httpVersion }: IncomingMessage, { host }: TrustedRequest): boolean {
  const hosts = hostsIn(rawHeaders)
  if (hosts === 0) return httpVersion !== '1.0'
  return hosts > 1 || !isSingleHost(host)
}

/** The list alternates between names and values. */
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

function isSameSiteFetch({ request: { method, headers }, trustedRequest }: Exchange): boolean {
  const site = headers['sec-fetch-site']
  return isSameOriginChange(
    { method, origin: headers.origin, site: Array.isArray(site) ? site[0] : site },
    trustedRequest,
  )
}

function refuseRequest(
  exchange: Exchange,
  refusal: FrontRefusal,
  { format, maxBodyBytes }: Route,
  { limits }: FrontContext,
): void {
  const { request, response } = exchange
  setRequestId(exchange)
  // after `Expect`, the client may send the body or the next request, which cannot be distinguished; of a longer body
  // the rest is never read
  const isCut = Number(request.headers['content-length'] ?? 0) > 2 * maxBodyBytes
  if (request.headers.expect || isCut) response.setHeader('connection', 'close')
  discardRemainingBody(request, { mostBytes: 2 * maxBodyBytes, idleMs: limits.lingerMs })
  refuse(request, response, refusal, format, maxBodyBytes)
}

/** Logs and counts every request, including refused and aborted ones. */
function recordRequest(exchange: Exchange, route: Route, context: FrontContext): void {
  const { response } = exchange
  const began = performance.now()
  response.on('close', () => {
    const status = response.headersSent ? response.statusCode : 499
    recordResponse(exchange, route, { status, began }, context)
  })
}

export function recordResponse(
  { request, trustedRequest }: RequestToAnswer,
  { name }: Route,
  { status, began }: { status: number; began: number },
  { metrics, log }: FrontContext,
): void {
  const ms = performance.now() - began
  metrics.countResponse(name, status, ms / 1000)
  const level = status >= 500 ? 'warn' : 'debug'
  if (log.isLevelEnabled(level)) log[level](logLineFor(request, trustedRequest, status, ms), 'answered')
}

const logLineFor = (request: RequestHead, trustedRequest: TrustedRequest, status: number, ms: number) => ({
  requestId: trustedRequest.requestId,
  method: request.method,
  path: trustedRequest.path,
  status,
  ms: Math.round(ms),
  address: networkOf(trustedRequest.client),
})
