import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { networkOf, requestOrigin } from '#projects/origin'
import { imagesPath } from '#posts/images'
import { PicturesUnavailableError } from '#posts/shared-pictures'
import { StoreUnreachableError, StoreUnavailableError } from '#store/store'
import type { WireServices, WireResponse, Dialect } from '#wire/dialect'
import { type RouteMatch, createRouteMatcher } from '#wire/route-matcher'
import { type ApiResponse, handleApiRequest } from '#api/endpoints'
import { handlePosthogRequest } from '#api/posthog/handle'
import {
  type TrustedRequest,
  cleanHeaders,
  readTrustedRequest,
  type Exchange,
  type RequestHead,
  type RequestToAnswer,
} from '#http/trusted-request'
import { formatHeaders, type PlainHandler, type PlainResponse } from '#http/fast-lane/fast-lane'
import {
  type RequestBody,
  IncompleteBodyError,
  discardRemainingBody,
  watchBody,
  type ReceivedBytes,
} from '#http/body'
import { type BuiltFiles, builtFilesPath } from '#http/built-files'
import { type KitChanges, kitChangesPath, type KitFiles, streamKitChanges } from '#http/kit-files'
import type { Config } from '../config'
import { maySeeDetail, readiness, type HealthProbes, withoutDetail } from '#http/health'
import { isSameOriginChange, isSingleHost, isOurs } from '#http/hosts'
import { countryFlagsPath, serveCountryFlag } from '#http/country-flags'
import { serveImage, uploadImage, uploadsPath } from '#http/uploads'
import { importUploadsPath, receiveImportFiles } from '#http/import-uploads'
import { crossOriginHeaders } from '#http/cross-origin'
import { answerJson } from '#http/json-response'
import { answerStream, StreamedBody } from '#http/streamed-body'
import { answerLetter } from '#site-serving/letter-pages'
import { answerNewsletter } from '#site-serving/newsletter-pages'
import { answerUnsubscribe } from '#site-serving/survey-letter-pages'
import { newsletterPath } from '#letters/subscription-links'
import { unsubscribePath } from '#surveys/mailings/unsubscribe-links'
import { bodyLimits, type Limits } from '#http/limits'
import type { ActionLimits } from '#http/action-limits'
import { receiveForm } from '#http/receive-form'
import type { EventRequest, IngestGate } from '#http/ingest-gate'
import type { LiveFeed } from '#http/live-feed'
import type { Log } from '../log'
import type { Metrics } from './metrics'
import type { Product } from '../product'
import { type RefusalFormat, type FrontRefusal, refuse, wireRefusal } from '#http/refusals'
import { authenticateMember, memberOf } from '#http/watched-session'
import { strictTransportSecurity } from '#http/security-headers'
import type { SiteHandler } from '#site-serving/site-request'
import { answerForm, formsPath, maxFormBytes, openFormRateLimiter } from '#site-serving/site-forms'
import { answerSurveyPage, maxSurveyFormBytes, type SurveyPageDependencies } from '#site-serving/survey-pages'
import type { StaticPages } from '#site-serving/static-pages'
import {
  answerStaticDecisions,
  answerStaticPage,
  staticDecisionsPath,
  staticPagePath,
} from '#site-serving/static-requests'
import { operator } from '#projects/access'
import { openRateLimiter, type RateLimiter } from '#world/rate-limiter'
import type { BodyMemory } from '#wire/body-memory'
import { answerDialect, dialectResponse, senderOf } from '#http/wire-exchange'

/** The services that are ready to answer requests; more are added while Tilth starts. */
export interface RunningServices extends Omit<HealthProbes, 'pages'> {
  product?: Product
  /** The store's state while Tilth waits for it; later the product has it. */
  store?: HealthProbes['store']
  /** Accepts events; absent until the journal is open. */
  wire?: WireServices
  live?: LiveFeed
  builtFiles?: BuiltFiles
  /** The files of the site folder that browsers load, if there is one. */
  kitFiles?: KitFiles
  /** Tells of changes of the site folder, where a team is at work on it. */
  kitChanges?: KitChanges
  /** The public site; absent until the pages process is ready. Until then its addresses show the starting page. */
  site?: SiteHandler
  /** Pages for sites on other servers; present with `site`. */
  staticPages?: StaticPages
  pages?: HealthProbes['pages'] & {
    serve(
      request: IncomingMessage,
      response: ServerResponse,
      visiting?: { framedBy?: readonly string[] },
    ): void
  }
}

interface RequestHandlerSettings {
  config: Pick<Config, 'trustedProxies' | 'metricsToken' | 'sendsHsts'>
  /** The addresses of this Tilth. */
  addresses: () => readonly URL[]
  services: RunningServices
  limits: Limits
  metrics: Metrics
  log: Log
  /** Admits requests with events. */
  gate: IngestGate
  /** The limit of an SDK's request body, by the available memory. */
  largestWireBody: number
  /** Limits the memory of large bodies as they arrive, and that of events until they are on disk. */
  receivedBytes: ReceivedBytes
  bodyMemory: BodyMemory
  /** Limits concurrent changes through the pages. */
  actionLimits: ActionLimits
  /** The dialects of SDKs. */
  dialects?: readonly Dialect[]
  /** Functions that end the open streams. */
  streams: Set<() => void>
}

type RouteHandler = (exchange: Exchange, body: RequestBody) => void | Promise<void>

/** Answers a plain request; undefined where its route's other handler has to, and nothing has come of it yet. */
type PlainRouteHandler = (body: Buffer) => PlainResponse | undefined | Promise<PlainResponse | undefined>

interface Route extends RoutePolicy {
  name: string
  /** Returns the handler of a request; undefined where it belongs to another route. */
  handlerFor: (request: RequestToAnswer) => RouteHandler | undefined
  /** Returns the handler of a plain request in the fast lane; only routes that are asked very often have one. */
  plainHandlerFor?: (request: RequestToAnswer) => PlainRouteHandler | undefined
}

/** The route of a request, and its handler. */
interface RoutedHandler {
  route: Route
  handler: RouteHandler
}

/** Requirements that a request must meet before its route handles it. */
interface RoutePolicy {
  format: RefusalFormat
  /**
   * The allowed hosts. Sites proxy trackers and SDKs through their own hosts, and projects have hosts for their
   * sites; the studio and its sessions are only on Tilth's own.
   */
  hosts: 'any' | 'ours' | 'sites'
  /** Whether a change must come from a page of this Tilth: required wherever browsers' cookies count. */
  ownOrigin: boolean
  methods: ReadonlySet<string>
  maxBodyBytes: number
  /**
   * Whether the request is forwarded to code that trusts its headers, so that they are cleaned first. Its form, if it has
   * one, has then arrived and has a slot.
   */
  isForwarded: boolean
}

const readMethods = new Set(['GET', 'HEAD'])
const commonMethods = new Set([...readMethods, 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])

const probePolicy: RoutePolicy = {
  format: 'line',
  hosts: 'any',
  ownOrigin: false,
  methods: readMethods,
  maxBodyBytes: bodyLimits.none,
  isForwarded: false,
}
const wirePolicy: RoutePolicy = {
  ...probePolicy,
  format: 'wire',
  methods: commonMethods,
  maxBodyBytes: bodyLimits.wire,
}
// a key is sent deliberately, so any host name is allowed: another container uses the container's name
const apiPolicy: RoutePolicy = { ...wirePolicy, format: 'api', maxBodyBytes: bodyLimits.api }
const pagePolicy: RoutePolicy = {
  format: 'page',
  hosts: 'ours',
  ownOrigin: true,
  methods: commonMethods,
  maxBodyBytes: bodyLimits.page,
  isForwarded: true,
}

const sitePolicy: RoutePolicy = { ...pagePolicy, hosts: 'sites', isForwarded: false }

const exactly =
  (address: string, handler: RouteHandler): Route['handlerFor'] =>
  ({ trustedRequest: { path } }) =>
    path === address ? handler : undefined
const under =
  (address: string, handler: RouteHandler): Route['handlerFor'] =>
  ({ trustedRequest: { path } }) =>
    path === address || path.startsWith(`${address}/`) ? handler : undefined

/** All routes; the first match handles the request. `answerHealth` handles health checks before them. */
const routesOf = (settings: RequestHandlerSettings): readonly Route[] => [
  {
    name: 'ready',
    handlerFor: exactly('/_tilth/ready', (exchange) => answerReadiness(exchange, settings)),
    ...probePolicy,
  },
  {
    name: 'metrics',
    handlerFor: exactly('/_tilth/metrics', (exchange) => answerMetrics(exchange, settings)),
    ...probePolicy,
  },
  {
    name: 'live',
    handlerFor: under('/_tilth/live', (exchange) => showLive(exchange, settings)),
    ...pagePolicy,
    format: 'api',
    methods: readMethods,
  },
  builtFilesRoute(settings),
  pageDataRoute,
  kitFilesRoute(settings),
  {
    name: 'images',
    handlerFor: under(imagesPath, (exchange) => serveImage(exchange, settings.services.product)),
    ...probePolicy,
  },
  {
    name: 'country flags',
    handlerFor: under(countryFlagsPath, ({ request, response, trustedRequest: { path } }) =>
      serveCountryFlag(path, request.method, response),
    ),
    ...probePolicy,
  },
  {
    name: 'uploads',
    handlerFor: under(uploadsPath, (exchange, body) =>
      uploadImage(exchange, body, settings.services.product),
    ),
    ...pagePolicy,
    format: 'api',
    methods: new Set(['POST']),
    maxBodyBytes: bodyLimits.image,
    isForwarded: false,
  },
  importFilesRoute(settings),
  formsRoute(settings),
  surveyPagesRoute(settings),
  letterRoute(settings),
  surveyLetterRoute(settings),
  newsletterRoute(settings),
  ...staticSiteRoutes(settings),
  wireRoute(settings),
  {
    name: 'api',
    handlerFor: under('/api/v1', (exchange, body) => callApi(exchange, body, settings)),
    ...apiPolicy,
  },
  {
    // what is below /api and nowhere else; clients read JSON there, never a page
    name: 'posthog api',
    handlerFor: under('/api', (exchange, body) => callPosthogApi(exchange, body, settings)),
    ...apiPolicy,
  },
  shareRoute(settings),
  siteRoute(settings),
  { name: 'pages', handlerFor: () => (exchange) => showPage(exchange, settings), ...pagePolicy },
]

/** Files that members send to be imported. */
const importFilesRoute = ({ services }: RequestHandlerSettings): Route => ({
  name: 'import files',
  handlerFor: under(importUploadsPath, (exchange, body) =>
    receiveImportFiles(exchange, body, services.product),
  ),
  ...pagePolicy,
  format: 'api',
  methods: new Set(['POST']),
  isForwarded: false,
})

function builtFilesRoute({ services }: RequestHandlerSettings): Route {
  return {
    name: 'built files',
    handlerFor({ trustedRequest: { path } }) {
      const { builtFiles } = services
      if (!path.startsWith(builtFilesPath) || !builtFiles?.has(path)) return undefined
      return ({ request, response }) => builtFiles.serve(path, request, response)
    },
    ...pagePolicy,
    hosts: 'sites',
    methods: readMethods,
    isForwarded: false,
  }
}

/**
 * Data of pages, as the client of Next's Pages Router asks for them. No page has any, and 404 makes that client load the
 * document instead (next/dist/shared/lib/router/router.js, `fetchNextData`).
 */
const pageDataRoute: Route = {
  name: 'page data',
  handlerFor: under('/_next/data', ({ response }) => answerJson(response, 404, {})),
  ...pagePolicy,
  hosts: 'sites',
  methods: readMethods,
  isForwarded: false,
}

function kitFilesRoute({ services, streams }: RequestHandlerSettings): Route {
  return {
    name: 'site folder files',
    handlerFor({ trustedRequest: { path } }) {
      const { kitFiles, kitChanges } = services
      if (kitChanges && path === kitChangesPath)
        return ({ request, response }) => streamKitChanges(kitChanges, streams, request, response)
      if (!kitFiles?.has(path)) return undefined
      return ({ request, response }) => kitFiles.serve(path, request, response)
    },
    ...sitePolicy,
    methods: readMethods,
  }
}

function siteRoute(settings: RequestHandlerSettings): Route {
  const { services } = settings
  return {
    name: 'site',
    plainHandlerFor: (request) =>
      request.request.method === 'GET' && services.site?.owns(request.trustedRequest.path)
        ? () => cachedPageResponse(request, settings)
        : undefined,
    handlerFor: ({ trustedRequest: { path } }) =>
      services.site?.owns(path) ? (exchange) => services.site?.answer(exchange) : undefined,
    ...sitePolicy,
    // its forms have routes of their own
    methods: readMethods,
    maxBodyBytes: bodyLimits.none,
  }
}

/** The page that `site` has in memory for this visitor. */
function cachedPageResponse(
  request: RequestToAnswer,
  { services, config }: RequestHandlerSettings,
): PlainResponse | undefined {
  const found = services.site?.cachedPage(request)
  if (!found) return undefined
  const { status, page, own, body } = found
  const headerLines = formatPageHeaders(page, own)
  return {
    status,
    headerLines: config.sendsHsts && needsTls(request) ? headerLines + hstsLine : headerLines,
    body: body ?? '',
  }
}

const hstsLine = formatHeaders({ 'strict-transport-security': strictTransportSecurity })
const formattedHeaders = new WeakMap<object, string>()

/** Formats what all responses with a page have in common once, unless a response has another value for it. */
function formatPageHeaders(page: OutgoingHttpHeaders, own: OutgoingHttpHeaders): string {
  for (const name in own) if (name in page) return formatHeaders({ ...page, ...own })
  const known = formattedHeaders.get(page) ?? formatHeaders(page)
  formattedHeaders.set(page, known)
  return known + formatHeaders(own)
}

/** Sites whose pages are files on other servers: how these are rendered, and who decides for their visitors. */
const staticSiteRoutes = ({ services }: RequestHandlerSettings): Route[] => [
  {
    name: 'static page',
    handlerFor: exactly(staticPagePath, async (exchange, body) => {
      const { product, staticPages } = services
      if (product && staticPages) await answerStaticPage(exchange, body, product, staticPages)
      else refuse(exchange.request, exchange.response, 'starting', 'api')
    }),
    ...apiPolicy,
    methods: new Set(['POST']),
  },
  {
    name: 'static decisions',
    handlerFor: exactly(staticDecisionsPath, (exchange) => {
      const { product, staticPages } = services
      if (product && staticPages) answerStaticDecisions(exchange, product, staticPages)
      else refuse(exchange.request, exchange.response, 'starting', 'wire')
    }),
    ...wirePolicy,
    methods: readMethods,
  },
]

/** Forms of the site's pages, sent with or without a script. */
function formsRoute({ services }: RequestHandlerSettings): Route {
  const maySend = openFormRateLimiter()
  return {
    name: 'forms',
    handlerFor: under(formsPath, (exchange, body) =>
      answerForm(exchange, body, formDependenciesOf(services.product), maySend),
    ),
    ...sitePolicy,
    methods: new Set(['POST']),
    maxBodyBytes: maxFormBytes,
  }
}

/** Surveys at their own address, on every host: a link in a letter leads to whichever was known then. */
function surveyPagesRoute({ services }: RequestHandlerSettings): Route {
  const mayTryPin = openRateLimiter(pinRateLimit)
  const answer: RouteHandler = (exchange, body) =>
    answerSurveyPage(exchange, body, services.product && surveyPagesOf(services.product, mayTryPin))
  return {
    name: 'survey pages',
    handlerFor: ({ trustedRequest: { path } }) => (/^\/s\/[\w-]+$/.test(path) ? answer : undefined),
    ...sitePolicy,
    // the page of a survey may stand in a frame of another site, whose visitors still post to this one
    methods: new Set([...readMethods, 'POST']),
    maxBodyBytes: maxSurveyFormBytes,
  }
}

/** PINs are short: ten tries in a quarter of an hour. */
const pinRateLimit = { limit: 10, windowMs: 15 * 60_000 }

const surveyPagesOf = (
  {
    projects,
    intake,
    surveys: { answers: surveyAnswers, published: publishedSurveys },
    posts: { published },
  }: Product,
  mayTryPin: RateLimiter,
): SurveyPageDependencies => ({
  surveyAnswers,
  intake,
  mayTryPin,
  siteOf(projectId) {
    const site = published.site(projectId)
    return site?.isOn ? site : undefined
  },
  surveyWithId(id) {
    for (const project of projects.list(surveyReader)) {
      const survey = publishedSurveys.find(project.id, id)
      if (survey) return { survey, project }
    }
    return undefined
  },
})

const surveyReader = operator('survey pages')

/** The query string. */
const searchOf = ({ url = '' }: RequestHead, { path }: TrustedRequest): string => url.slice(path.length + 1)

/** The routes of every dialect, under any prefix. */
function wireRoute({
  dialects = [],
  services,
  streams,
  gate,
  bodyMemory,
  largestWireBody,
}: RequestHandlerSettings): Route {
  const find = createRouteMatcher(dialects)
  const matchOf = ({ request, trustedRequest }: RequestToAnswer): RouteMatch | undefined =>
    find(request.method ?? '', trustedRequest.path, searchOf(request, trustedRequest))
  return {
    name: 'wire',
    plainHandlerFor(request) {
      const { wire } = services
      const match = wire && request.request.method === 'POST' ? matchOf(request) : undefined
      return (
        match && wire && ((body) => plainDialectResponse(request, body, match, { wire, gate, bodyMemory }))
      )
    },
    handlerFor(request) {
      const match = matchOf(request)
      return (
        match &&
        ((exchange, body) =>
          answerMatch(exchange, body, match, { wire: services.wire, streams, gate, bodyMemory }))
      )
    },
    ...wirePolicy,
    maxBodyBytes: Math.min(wirePolicy.maxBodyBytes, largestWireBody),
  }
}

async function answerMatch(
  exchange: Exchange,
  body: RequestBody,
  match: RouteMatch,
  {
    wire,
    streams,
    gate,
    bodyMemory,
  }: Pick<RunningServices, 'wire'> & Pick<RequestHandlerSettings, 'streams' | 'gate' | 'bodyMemory'>,
): Promise<void> {
  const sendsEvents = match.route.takesEvents && exchange.request.method !== 'OPTIONS'
  if (sendsEvents) {
    exchange.response.once('close', () => noteIfRefused(exchange, match, exchange.response.statusCode, wire))
    if (!(await mayEnter(exchange, match, gate, bodyMemory))) return await refuseEvents(exchange, gate)
  }
  if (wire) return await answerDialect(exchange, body, match, { wire, streams, bodyMemory })
  setRequestId(exchange)
  refuse(exchange.request, exchange.response, 'starting', 'wire')
}

/** Waits for its turn, and for memory. Until then the body is not read, so that its sender waits too. */
async function mayEnter(
  exchange: Exchange,
  match: RouteMatch,
  gate: IngestGate,
  bodyMemory: BodyMemory,
): Promise<boolean> {
  const entering = eventRequestOf(exchange, match, lengthOf(exchange.request))
  const leave = await gate.enter(entering)
  if (!leave) return false
  const { response } = exchange
  if (response.destroyed) leave()
  else response.once('close', leave)
  return await bodyMemory.waitForSpaceToRead(entering.sender, entering.bodyBytes)
}

const eventRequestOf = (
  { request: { headers }, trustedRequest }: RequestToAnswer,
  match: RouteMatch,
  bodyBytes: number,
  isInMemory = false,
): EventRequest => ({
  sender: senderOf(trustedRequest),
  bodyBytes,
  isInMemory,
  sendsAgain: sendsAgain(headers, match),
})

/** A body that does not say its length may be large. */
const lengthOf = ({ headers }: IncomingMessage): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : presumedBodyBytes

const presumedBodyBytes = 64 * 1024

/** A page cannot read the answer to a beacon, so that no client sends one again. */
const sendsAgain = (headers: RequestHead['headers'], match: RouteMatch): boolean =>
  match.sendsAgain && headers['sec-fetch-mode'] !== 'no-cors'

/** Counts events that were answered 503, for those who run Tilth and for its projects. */
function noteIfRefused(
  { request }: RequestToAnswer,
  match: RouteMatch,
  status: number,
  wire: WireServices | undefined,
): void {
  if (status !== 503) return
  wire?.noteRefusal({
    dialect: match.dialect,
    reason: sendsAgain(request.headers, match) ? 'not-now' : 'lost',
  })
}

/** Events that are refused, or find no memory, are left to `answerMatch`, which refuses them. */
async function plainDialectResponse(
  request: RequestToAnswer,
  bytes: Buffer,
  match: RouteMatch,
  { wire, gate, bodyMemory }: { wire: WireServices } & Pick<RequestHandlerSettings, 'gate' | 'bodyMemory'>,
): Promise<PlainResponse | undefined> {
  const respond = () =>
    dialectResponse(request, { bytes, receivedAt: new Date() }, match, { wire, bodyMemory })
  if (!match.route.takesEvents) return plainResponse(request, match, await respond())
  const leave = await gate.enter(eventRequestOf(request, match, bytes.length, true))
  if (!leave) return undefined
  try {
    const answer = await respond()
    if (answer) noteIfRefused(request, match, answer.status, wire)
    return plainResponse(request, match, answer)
  } finally {
    leave()
  }
}

function plainResponse(
  request: RequestToAnswer,
  match: RouteMatch,
  answer: WireResponse | undefined,
): PlainResponse | undefined {
  if (!answer) return undefined
  if (answer.stream) throw new Error(`The response to POST ${match.path} is a stream.`)
  const { status, headers = {}, body = '' } = answer
  const hasBody = status !== 204 && status !== 304
  const length = hasBody ? `content-length: ${Buffer.byteLength(body)}\r\n` : ''
  const id = `x-request-id: ${request.trustedRequest.requestId}\r\n`
  return { status, headerLines: id + formatHeaders(headers) + length, body: hasBody ? body : '' }
}

/** Reads and discards the body, so that the connection stays open and a retry needs no new one. */
async function refuseEvents(
  { request, response, trustedRequest }: Exchange,
  gate: IngestGate,
): Promise<void> {
  await gate.refuse()
  if (response.destroyed) return
  response.setHeader('x-request-id', trustedRequest.requestId)
  discardRemainingBody(request, { mostBytes: 2 * bodyLimits.wire, idleMs: lingerAfterRefusalMs })
  refuse(request, response, 'overloaded', 'wire')
}

const lingerAfterRefusalMs = 2000

interface RequestHandlers {
  answer: (request: IncomingMessage, response: ServerResponse) => void
  /** Returns a handler for a request of the fast lane; undefined where `answer` has to handle it. */
  findPlain: (request: RequestHead, peer: string) => PlainHandler | undefined
}

/** Creates the handlers of all requests, which also catch and log what they throw. */
export function createRequestHandlers(settings: RequestHandlerSettings): RequestHandlers {
  const routes = routesOf(settings)
  return {
    answer(request, response) {
      if (request.url === '/_tilth/health') return answerHealth(request, response, settings)
      handleRequest(request, response, routes, settings)
    },
    findPlain: (request, peer) => findPlainHandler(request, peer, routes, settings),
  }
}

/** The rules for all requests hold here too: what they refuse is left to `handleRequest`. */
function findPlainHandler(
  request: RequestHead,
  peer: string,
  routes: readonly Route[],
  settings: RequestHandlerSettings,
): PlainHandler | undefined {
  const arrived = { ...request, socket: { remoteAddress: peer } }
  const asked = { request, trustedRequest: readTrustedRequest(arrived, proxiesOf(settings)) }
  const routed = matchPlainRoute(asked, routes)
  if (!routed) return undefined
  const { route, handler } = routed
  const { host } = asked.trustedRequest
  if (!isSingleHost(host) || !isAt(asked.trustedRequest, route.hosts, settings)) return undefined
  return {
    maxBodyBytes: route.maxBodyBytes,
    answer: (body) => answerPlainly(asked, route, () => handler(body), settings),
  }
}

function matchPlainRoute(
  request: RequestToAnswer,
  routes: readonly Route[],
): { route: Route; handler: PlainRouteHandler } | undefined {
  for (const route of routes) {
    const handler = route.plainHandlerFor?.(request)
    if (handler) return { route, handler }
    if (route.handlerFor(request)) return undefined
  }
  return undefined
}

/** Records the response. A failure of a dialect is answered here, because the request may have been stored. */
function answerPlainly(
  request: RequestToAnswer,
  route: Route,
  respond: () => ReturnType<PlainRouteHandler>,
  settings: RequestHandlerSettings,
): ReturnType<PlainRouteHandler> {
  const began = performance.now()
  const record = (response: PlainResponse | undefined): PlainResponse | undefined => {
    if (response) recordResponse(request, route, { status: response.status, began }, settings)
    return response
  }
  const fail = (problem: unknown): PlainResponse | undefined => {
    // a page is asked for again, by `answer`
    if (route.format !== 'wire') return undefined
    const refusal = logFailure(problem, request.trustedRequest, route, settings)
    const { status, headers, body } = wireRefusal(request.request, refusal)
    const id = { 'x-request-id': request.trustedRequest.requestId }
    return record({ status, headerLines: formatHeaders({ ...headers, ...id }), body })
  }
  try {
    const response = respond()
    return response instanceof Promise ? response.then(record).catch(fail) : record(response)
  } catch (problem) {
    return fail(problem)
  }
}

const proxiesOf = ({ config: { trustedProxies: trusted }, addresses }: RequestHandlerSettings) => ({
  trusted,
  addresses,
})

function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  routes: readonly Route[],
  settings: RequestHandlerSettings,
): void {
  const trustedRequest = readTrustedRequest(request, proxiesOf(settings))
  const exchange = { request, response, trustedRequest }
  const routed = matchRoute(exchange, routes)
  const { route } = routed
  recordRequest(exchange, route, settings)
  runRoute(exchange, routed, settings).catch((problem: unknown) => {
    if (problem instanceof IncompleteBodyError) return
    const refusal = logFailure(problem, trustedRequest, route, settings)
    setRequestId(exchange)
    refuse(request, response, refusal, route.format)
  })
}

function logFailure(
  problem: unknown,
  { requestId }: TrustedRequest,
  route: Route,
  { log }: RequestHandlerSettings,
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

const needsTls = ({ trustedRequest }: RequestToAnswer): boolean =>
  trustedRequest.protocol === 'https' && !hasNoTls.test(trustedRequest.host)

function setTransportSecurity(exchange: Exchange): void {
  const { response } = exchange
  if (needsTls(exchange)) response.setHeader('strict-transport-security', strictTransportSecurity)
}

async function runRoute(
  exchange: Exchange,
  { route, handler }: RoutedHandler,
  settings: RequestHandlerSettings,
): Promise<void> {
  const { request, trustedRequest } = exchange
  const no = refusalBefore(exchange, route, settings)
  if (no) return refuseRequest(exchange, no, route, settings)

  const isPageForm = route.isForwarded && request.method === 'POST' && settings.services.pages !== undefined
  const body = isPageForm
    ? await receivePageForm(exchange, route, settings)
    : watchRouteBody(exchange, route, settings)
  if (!body) return
  if (route.format !== 'wire') {
    setRequestId(exchange)
    if (settings.config.sendsHsts) setTransportSecurity(exchange)
  }
  if (route.isForwarded) cleanHeaders(request, trustedRequest)
  await handler(exchange, body)
}

const watchRouteBody = (
  exchange: Exchange,
  route: Route,
  settings: RequestHandlerSettings,
): RequestBody | undefined =>
  watchBody(
    exchange.request,
    exchange.response,
    { ...bodyTimesOf(settings), mostBytes: route.maxBodyBytes, received: settings.receivedBytes },
    (refusal) => refuseRequest(exchange, refusal, route, settings),
  )

const bodyTimesOf = ({ limits }: RequestHandlerSettings) => ({
  idleMs: limits.bodyIdleMs,
  rate: limits.bodyRate,
})

const receivePageForm = (
  exchange: Exchange,
  route: Route,
  settings: RequestHandlerSettings,
): Promise<RequestBody | undefined> =>
  receiveForm(exchange, {
    isSignedIn: () => isSignedIn(exchange, settings.services.product),
    limits: settings.actionLimits,
    body: bodyTimesOf(settings),
    refuse: (refusal, maxBodyBytes) => refuseRequest(exchange, refusal, { ...route, maxBodyBytes }, settings),
  })

async function isSignedIn(
  { request, trustedRequest }: Exchange,
  product: Pick<Product, 'signIn'> | undefined,
): Promise<boolean> {
  if (!product || !request.headers.cookie) return false
  return (await memberOf(request, trustedRequest, product, { isUse: false })) !== undefined
}

/** Refuses an address that cannot be decoded, so that no route has to handle one. */
function matchRoute(exchange: Exchange, routes: readonly Route[]): RoutedHandler {
  if (!isDecodable(exchange.trustedRequest.path)) return unknownRoute
  for (const route of routes) {
    const handler = route.handlerFor(exchange)
    if (handler) return { route, handler }
  }
  return unknownRoute
}

const refuseAddress: RouteHandler = ({ request, response }) =>
  refuse(request, response, 'malformed-address', 'page')
const unknownRoute: RoutedHandler = {
  route: { name: 'nobody', handlerFor: () => refuseAddress, ...pagePolicy },
  handler: refuseAddress,
}

interface RefusalRule {
  refusal: FrontRefusal
  applies: (exchange: Exchange, route: Route, settings: RequestHandlerSettings) => boolean
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
    applies: ({ trustedRequest }, { hosts }, settings) => !isAt(trustedRequest, hosts, settings),
  },
  {
    refusal: 'foreign-origin',
    applies: (exchange, { ownOrigin }) => ownOrigin && !isSameSiteFetch(exchange),
  },
]

const isAt = (
  { host }: TrustedRequest,
  hosts: RoutePolicy['hosts'],
  { addresses, services }: RequestHandlerSettings,
): boolean =>
  hosts === 'any' || isOurs(host, addresses()) || (hosts === 'sites' && services.site?.isSite(host) === true)

const refusalBefore = (
  exchange: Exchange,
  route: Route,
  settings: RequestHandlerSettings,
): FrontRefusal | undefined => rules.find(({ applies }) => applies(exchange, route, settings))?.refusal

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
  { limits }: RequestHandlerSettings,
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
function recordRequest(exchange: Exchange, route: Route, settings: RequestHandlerSettings): void {
  const { response } = exchange
  const began = performance.now()
  response.on('close', () => {
    const status = response.headersSent ? response.statusCode : 499
    recordResponse(exchange, route, { status, began }, settings)
  })
}

function recordResponse(
  { request, trustedRequest }: RequestToAnswer,
  { name }: Route,
  { status, began }: { status: number; began: number },
  { metrics, log }: RequestHandlerSettings,
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

const alive = '{"status":"alive"}\n'
const aliveHeaders = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'content-length': String(alive.length),
}

/** Monitors request this every second, so it has no rules, no id and no log. */
function answerHealth(
  request: IncomingMessage,
  response: ServerResponse,
  { metrics }: RequestHandlerSettings,
): void {
  metrics.countHealthCheck()
  response.writeHead(200, aliveHeaders)
  response.end(request.method === 'HEAD' ? undefined : alive)
}

async function answerReadiness(
  { request, response, trustedRequest }: Exchange,
  { services, config }: RequestHandlerSettings,
): Promise<void> {
  const all = await readiness({
    ...services,
    store: services.product ?? services.store,
    collection: stateReader(services.product),
    deliveries: deliveriesReader(services.product),
  })
  const shownReadiness = maySeeDetail(request, trustedRequest, config.metricsToken) ? all : withoutDetail(all)
  if (!all.ready) response.setHeader('retry-after', '1')
  answerJson(response, all.ready ? 200 : 503, shownReadiness)
}

function stateReader(product: Product | undefined): HealthProbes['collection'] {
  const intake = product?.intake
  return intake && (() => intake.state())
}

const deliveriesReader = (product: Product | undefined): HealthProbes['deliveries'] =>
  product && (() => product.deliveryTroubles())

async function answerMetrics(
  { request, response, trustedRequest }: Exchange,
  { metrics, config }: RequestHandlerSettings,
): Promise<void> {
  if (!maySeeDetail(request, trustedRequest, config.metricsToken))
    return refuse(request, response, 'no-access', 'line')
  const text = await metrics.text()
  response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' })
  response.end(request.method === 'HEAD' ? undefined : text)
}

async function callApi(
  { request, response, trustedRequest }: Exchange,
  body: RequestBody,
  { services, log }: RequestHandlerSettings,
): Promise<void> {
  if (!services.product) return refuse(request, response, 'starting', 'api')
  const left = new AbortController()
  response.once('close', () => left.abort())
  const answer = await handleApiRequest(
    {
      method: request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET'),
      path: trustedRequest.path.slice('/api/v1'.length),
      query: new URLSearchParams(request.url?.slice(trustedRequest.path.length + 1)),
      authorization: request.headers.authorization,
      body: () => body.read(),
      origin: requestOrigin({
        address: trustedRequest.client,
        userAgent: request.headers['user-agent'] ?? '',
        requestId: trustedRequest.requestId,
      }),
      signal: left.signal,
    },
    services.product,
  )
  await sendApiResponse(answer, { request, response, trustedRequest }, log)
}

async function sendApiResponse(
  answer: ApiResponse,
  { response, trustedRequest }: Exchange,
  log: Log,
): Promise<void> {
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value)
  if (answer.trouble)
    log.warn(
      { err: answer.trouble, requestId: trustedRequest.requestId },
      'the engine did not answer a question',
    )
  if (!(answer.body instanceof StreamedBody)) return answerJson(response, answer.status, answer.body)
  const failure = await answerStream(response, answer.body)
  if (failure)
    log.warn({ err: failure, requestId: trustedRequest.requestId }, 'an export was cut by a failure')
}

/** The address as the caller sees it, which links to further pages repeat. */
const addressOf = ({ request: { url = '' }, trustedRequest: { protocol, host } }: Exchange): URL =>
  URL.parse(`${protocol}://${host}${url}`) ?? new URL(url, 'http://localhost')

/** PostHog's API for scripts. A browser must be able to read that there is nothing, so the answer is open to all. */
async function callPosthogApi(
  exchange: Exchange,
  body: RequestBody,
  { services, log }: RequestHandlerSettings,
): Promise<void> {
  const { request, response, trustedRequest } = exchange
  if (!services.product) return refuse(request, response, 'starting', 'api')
  const left = new AbortController()
  response.once('close', () => left.abort())
  for (const [name, value] of Object.entries(crossOriginHeaders(request, false)))
    response.setHeader(name, value)
  const answer = await handlePosthogRequest(
    {
      method: request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET'),
      address: addressOf(exchange),
      authorization: request.headers.authorization,
      body: () => body.read(),
      origin: requestOrigin({
        address: trustedRequest.client,
        userAgent: request.headers['user-agent'] ?? '',
        requestId: trustedRequest.requestId,
      }),
      signal: left.signal,
      receivedAt: new Date(),
    },
    services.product,
  )
  await sendApiResponse(answer, exchange, log)
}

async function showLive(
  { request, response, trustedRequest }: Exchange,
  { services: { product, live } }: RequestHandlerSettings,
): Promise<void> {
  if (!product || !live) return refuse(request, response, 'starting', 'api')
  const session = await authenticateMember(request, trustedRequest, product)
  const again = () => authenticateMember(request, trustedRequest, product, { isUse: false })
  if (session) live.addWatcher({ ...session, reauthenticate: again }, request, response)
  else refuse(request, response, 'no-access', 'api')
}

function showPage({ request, response }: Exchange, { services }: RequestHandlerSettings): void {
  if (services.pages) services.pages.serve(request, response)
  else refuse(request, response, services.store ? 'without-store' : 'starting', 'page')
}

/** Mail programs send these requests from anywhere: the sealed link counts, not a cookie. */
function letterRoute(settings: RequestHandlerSettings): Route {
  const mayLook = openRateLimiter(shareRateLimit)
  return {
    name: 'letters',
    handlerFor: under('/_tilth/letters', (exchange) => showLetter(exchange, settings, mayLook)),
    ...pagePolicy,
    ownOrigin: false,
    methods: new Set([...readMethods, 'POST']),
    maxBodyBytes: bodyLimits.none,
    isForwarded: false,
  }
}

/** The same for letters with surveys. */
function surveyLetterRoute({ services }: RequestHandlerSettings): Route {
  const mayLook = openRateLimiter(shareRateLimit)
  return {
    name: 'letters with surveys',
    handlerFor: under(unsubscribePath, async (exchange) => {
      const { request, response, trustedRequest } = exchange
      if (!services.product) return refuse(request, response, 'starting', 'page')
      if (!mayLook(networkOf(trustedRequest.client))) return refuse(request, response, 'too-often', 'page')
      await answerUnsubscribe(exchange, services.product.surveys.unsubscribing)
    }),
    ...pagePolicy,
    ownOrigin: false,
    methods: new Set([...readMethods, 'POST']),
    maxBodyBytes: bodyLimits.none,
    isForwarded: false,
  }
}

const formDependenciesOf = (product: Product | undefined) =>
  product && {
    published: product.posts.published,
    comments: product.posts.comments,
    subscriptions: product.letters.subscriptions,
    intake: product.intake,
  }

/** Links of posts that were sent by e-mail: on every host of a site, because each is sealed. */
function newsletterRoute({ services }: RequestHandlerSettings): Route {
  const mayLook = openRateLimiter(shareRateLimit)
  return {
    name: 'newsletter',
    handlerFor: under(newsletterPath, async (exchange) => {
      const { request, response, trustedRequest } = exchange
      const { product } = services
      if (!product?.intake) return refuse(request, response, 'starting', 'page')
      if (!mayLook(networkOf(trustedRequest.client))) return refuse(request, response, 'too-often', 'page')
      await answerNewsletter(exchange, product.letters, product.intake.context.world.now())
    }),
    ...sitePolicy,
    ownOrigin: false,
    methods: new Set([...readMethods, 'POST']),
    maxBodyBytes: bodyLimits.none,
  }
}

async function showLetter(
  { request, response, trustedRequest }: Exchange,
  { services: { product } }: RequestHandlerSettings,
  mayLook: RateLimiter,
): Promise<void> {
  if (!product) return refuse(request, response, 'starting', 'page')
  if (!mayLook(networkOf(trustedRequest.client))) return refuse(request, response, 'too-often', 'page')
  const [, , , token = ''] = trustedRequest.path.split('/')
  await answerLetter(request, response, token, product.alerts)
}

/**
 * The limit of a viewer's requests: a page is requested once, or every minute; an attacker who guesses addresses sends
 * many.
 */
const shareRateLimit = { limit: 300, windowMs: 60_000 }

function shareRoute(settings: RequestHandlerSettings): Route {
  const mayLook = openRateLimiter(shareRateLimit)
  return {
    name: 'share',
    handlerFor: under('/share', (exchange) => showShare(exchange, settings, mayLook)),
    ...pagePolicy,
  }
}

/** A shared page, which hosts listed by its owner may frame. */
async function showShare(
  { request, response, trustedRequest }: Exchange,
  { services: { product, pages: shown } }: RequestHandlerSettings,
  mayLook: RateLimiter,
): Promise<void> {
  if (!product || !shown) return refuse(request, response, 'starting', 'page')
  if (!mayLook(networkOf(trustedRequest.client))) return refuse(request, response, 'too-often', 'page')
  const [, , token = ''] = trustedRequest.path.split('/')
  const framedBy = await product.shares.framedBy(token)
  response.setHeader('x-robots-tag', 'noindex, nofollow')
  if (!response.destroyed) shown.serve(request, response, { framedBy })
}
