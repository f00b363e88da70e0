import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { parseVisitorCookie } from '#ingest/cookies'
import { newUuid } from '#ingest/uuid'
import type { Site } from '#posts/site'
import { expiredVisitorCookie, visitorCookieFor } from '#visits/cookie'
import type { Exposures } from '#visits/exposures'
import type { VisitRecorder } from '#visits/recorder'
import { visitEvent, isPrefetch, viewedProperties } from '#visits/views'
import { type Visit, visitHeader, writeVisit } from '#visits/visit'
import type { StartedVisit, VisitRequest, Visits } from '#visits/visits'
import type { World } from '#world/world'
import {
  type TrustedRequest,
  cleanHeaders,
  sameHost,
  type Exchange,
  type RequestHead,
  type RequestToAnswer,
} from '#http/trusted-request'
import { answerUnavailable } from '#http/error-page'
import type { CachedPage } from './internal/cached-page'
import { type EncodedPage, encodeCachedPage, sendCachedPage } from './internal/cached-response'
import type { SetupRedirect } from './internal/setup-redirect'
import { addressKey, type PageCache, type ServedPage, type PageCacheRequest } from './internal/page-cache'
import type { PagesProcess } from './pages-process'
import type { SiteCalls } from './site-calls'
import { serveUncached } from './uncached-pages'

interface SiteHandlerDependencies {
  visits: Visits
  cache: PageCache
  pages: Pick<PagesProcess, 'serve'>
  exposures: Exposures
  recorder: Pick<VisitRecorder, 'note'>
  /** Finds the site of a host. */
  siteAt: (host: string) => Site | undefined
  /** Whether a project has named this host as its own. */
  isClaimed: (host: string) => boolean
  calls?: SiteCalls | undefined
  /** Absent where a site folder has the front page. */
  setup?: SetupRedirect | undefined
  world: World
}

/** The public site: every address that is not the studio's, an SDK's or Tilth's own. */
export interface SiteHandler {
  owns(path: string): boolean
  /** Whether a host serves a site; such a host serves nothing else. */
  isSite(host: string): boolean
  answer(exchange: Exchange): void | Promise<void>
  /** Routes of the site folder, and forms of its pages. Absent without such a folder. */
  calls?: SiteCalls | undefined
  /** The response to a request for a page in memory; undefined for any other request, of which nothing has come yet. */
  cachedPage(request: RequestToAnswer): EncodedPage | undefined
}

/** Paths that are not the site's. */
const reservedPaths = /^\/(?:studio|share|api|ofrep|_next|_tilth)(?:\/|$)/

export function openSiteHandler(dependencies: SiteHandlerDependencies): SiteHandler {
  return {
    owns: (path) => !reservedPaths.test(path),
    calls: dependencies.calls,
    isSite: (host) => isSite(host, dependencies),
    answer: (exchange) => answerSiteRequest(exchange, dependencies),
    cachedPage: (request) => cachedPageFor(request, dependencies),
  }
}

function isSite(host: string, { siteAt, isClaimed }: SiteHandlerDependencies): boolean {
  const origin = URL.parse(siteAt(host)?.origin ?? '')
  return isClaimed(host) || (origin !== null && sameHost(host, origin))
}

function answerSiteRequest(exchange: Exchange, dependencies: SiteHandlerDependencies): void | Promise<void> {
  const redirect = setupRedirectFor(exchange, dependencies)
  if (!redirect) return answerFromSite(exchange, dependencies)
  return redirect.answer(exchange).then((isAnswered) => {
    if (!isAnswered) return answerFromSite(exchange, dependencies)
    return undefined
  })
}

/** A host that serves a site and nothing else has no set-up to lead to. */
function setupRedirectFor(
  asked: RequestToAnswer,
  dependencies: SiteHandlerDependencies,
): SetupRedirect | undefined {
  const { setup } = dependencies
  if (!setup?.concerns(asked) || dependencies.isClaimed(asked.trustedRequest.host)) return undefined
  return setup
}

function answerFromSite(exchange: Exchange, dependencies: SiteHandlerDependencies): void | Promise<void> {
  const { response, trustedRequest } = exchange
  const site = dependencies.siteAt(trustedRequest.host)
  if (!site?.isOn) return serveWithoutVisit(exchange, dependencies)
  if (trustedRequest.path.startsWith(variantPath)) return redirectTo('/blog', response)
  const asks = visitRequestOf(exchange, site, dependencies.world.now())
  return showPage(exchange, dependencies.visits.begin(asks), dependencies)
}

function cachedPageFor(
  siteRequest: RequestToAnswer,
  dependencies: SiteHandlerDependencies,
): EncodedPage | undefined {
  const { request, trustedRequest } = siteRequest
  if (setupRedirectFor(siteRequest, dependencies)) return undefined
  const site = dependencies.siteAt(trustedRequest.host)
  if (!site?.isOn || trustedRequest.path.startsWith(variantPath) || !isPageRequest(request)) return undefined
  const asks = visitRequestOf(siteRequest, site, dependencies.world.now())
  const started = dependencies.visits.begin(asks)
  const pageRequest = pageRequestOf(siteRequest, started.visit)
  const found = dependencies.cache.fresh(pageRequest)
  if (!found) return undefined
  const headers = responseHeaders(found, pageRequest, started, siteRequest, dependencies)
  return encodeCachedPage(found, request, { visit: started.visit, headers })
}

/** The internal path of the variants of /blog in Next; requests for it are redirected to /blog. */
const variantPath = '/blog/seen/'

function redirectTo(location: string, response: ServerResponse): void {
  response.writeHead(308, { location, 'cache-control': 'no-store' }).end()
}

function serveWithoutVisit(
  { request, response, trustedRequest }: Exchange,
  { pages }: SiteHandlerDependencies,
): void {
  cleanHeaders(request, trustedRequest)
  serveUncached(request, response, pages)
}

export const visitRequestOf = (
  { request: { headers }, trustedRequest: { host, client } }: RequestToAnswer,
  { projectId, visitors }: Site,
  receivedAt: Date,
): VisitRequest => ({ projectId, visitors, host, address: client, headers, receivedAt })

/** Whether the request is for a page. Payloads for Next's code in the browser are never cached. */
const isPageRequest = ({ method, headers }: RequestHead): boolean =>
  (method === 'GET' || method === 'HEAD') && !('rsc' in headers) && !('next-action' in headers)

function showPage(
  exchange: Exchange,
  started: StartedVisit,
  dependencies: SiteHandlerDependencies,
): void | Promise<void> {
  const { request, response } = exchange
  if (!isPageRequest(request)) return servePayload(started.visit, exchange, dependencies)
  const pageRequest = pageRequestOf(exchange, started.visit)
  const found = dependencies.cache.find(pageRequest)
  if (!(found instanceof Promise)) return sendPage(found, pageRequest, started, exchange, dependencies)
  return found.then((later) =>
    typeof later === 'string'
      ? answerUnavailable(request, response, later)
      : sendPage(later, pageRequest, started, exchange, dependencies),
  )
}

function servePayload(
  visit: Visit,
  { request, response, trustedRequest }: Exchange,
  { pages }: SiteHandlerDependencies,
): void {
  cleanHeaders(request, trustedRequest)
  serveUncached(request, response, pages, { headers: { [visitHeader]: writeVisit(visit) } })
}

/** The query parameters that select a page. All others, campaigns above all, are ignored. */
const pageParameters = ['page', 'part', 'q', 'preview']
const maxValueLength = 2000

function pageQuery({ url = '' }: RequestHead, { path }: TrustedRequest): URLSearchParams {
  const parameters = new URLSearchParams(url.slice(path.length + 1))
  const query = new URLSearchParams()
  for (const name of pageParameters) {
    const value = parameters.get(name)
    if (value !== null && value !== '') query.set(name, value.slice(0, maxValueLength))
  }
  return query
}

/** Forwards only the headers that select a page, because the response is shared between visitors. */
export function pageRequestOf({ request, trustedRequest }: RequestToAnswer, visit: Visit): PageCacheRequest {
  const { protocol, path, requestId } = trustedRequest
  const host = trustedRequest.host.toLowerCase()
  const query = request.url === path ? '' : pageQuery(request, trustedRequest).toString()
  const target = query === '' ? path : `${path}?${query}`
  const accept = preferredOf(request.headers)
  return {
    address: addressKey(visit.projectId, protocol, host, accept, target),
    visit,
    isShared: !visit.isTried && !isPreview(query),
    path: target,
    headers: {
      host,
      accept,
      // to unknown user agents, Next sends the head of a page after its body
      'user-agent': 'Tilth',
      'x-forwarded-host': host,
      'x-forwarded-proto': protocol,
      'x-request-id': requestId,
      'x-tilth-address': target,
    },
  }
}

const isPreview = (search: string): boolean => search.includes('preview=')

/** Negotiates the content type: JSON Feed for feed readers, Markdown for programs that accept it. */
const alternativeTypes = ['application/feed+json', 'text/markdown']

const preferredOf = ({ accept = '' }: IncomingHttpHeaders): string =>
  (!accept.includes('text/html') && alternativeTypes.find((form) => accept.includes(form))) || 'text/html'

function sendPage(
  served: ServedPage,
  pageRequest: PageCacheRequest,
  started: StartedVisit,
  exchange: Exchange,
  dependencies: SiteHandlerDependencies,
): void {
  const { request, response } = exchange
  const headers = responseHeaders(served, pageRequest, started, exchange, dependencies)
  sendCachedPage(served, request, response, { visit: started.visit, headers })
}

/** The headers of one response. The view is recorded, and one of them names it. */
function responseHeaders(
  { page }: ServedPage,
  pageRequest: PageCacheRequest,
  started: StartedVisit,
  siteRequest: RequestToAnswer,
  dependencies: SiteHandlerDependencies,
): OutgoingHttpHeaders {
  const { request, trustedRequest } = siteRequest
  const counted = pageRequest.isShared ? recordView(page, started, siteRequest, dependencies) : undefined
  return {
    'x-request-id': trustedRequest.requestId,
    ...(counted !== undefined && { 'server-timing': `view;desc="${counted}"` }),
    ...(!pageRequest.isShared && previewHeaders),
    ...(pageRequest.isShared && isPrefetch(request.headers) && exposureHeaders(page, started.visit)),
    ...(page.isDocument && cookieOf(started, siteRequest)),
  }
}

/** Previews may be kept neither by search engines nor by shared caches. */
const previewHeaders = { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' }

/** Lists the decided variants in a header, so that the script can report the exposures of a prefetched page later. */
function exposureHeaders({ uses }: CachedPage, { decisions }: Visit): OutgoingHttpHeaders {
  const shown = uses.flatMap((key) => (Object.hasOwn(decisions, key) ? [[key, String(decisions[key])]] : []))
  return shown.length > 0 ? { 'x-tilth-shows': String(new URLSearchParams(shown)) } : {}
}

/** Sets the cookie of a new visitor. Expires an older cookie where visitors are now counted by the day. */
function cookieOf(
  { isNew, visit }: StartedVisit,
  { request: { headers }, trustedRequest }: RequestToAnswer,
): OutgoingHttpHeaders {
  const isSecure = trustedRequest.protocol === 'https'
  const isLeft = visit.isCookieless && parseVisitorCookie(headers.cookie) !== undefined
  if (!isNew && !isLeft) return {}
  return {
    'set-cookie': isNew ? visitorCookieFor(visit.visitor, isSecure) : expiredVisitorCookie(isSecure),
    'cache-control': 'private, no-cache',
  }
}

/** Records a view in the background. Returns its id if one is counted. */
function recordView(
  page: CachedPage,
  { visit, envelope }: StartedVisit,
  { request, trustedRequest }: RequestToAnswer,
  { exposures, recorder, world }: SiteHandlerDependencies,
): string | undefined {
  const name = viewNames[page.status]
  if (!name || !page.isDocument || !isView(request, page)) return undefined
  const view = newUuid(world)
  const address = `${trustedRequest.protocol}://${trustedRequest.host}${request.url}`
  const referrer = shownLater(request) ?? request.headers.referer
  const properties = viewedProperties({ address, title: page.title, referrer: referrer || undefined })
  const events = [visitEvent(visit, name, view, properties)]
  if (page.uses.length > 0) events.push(...exposures.eventsFor(page.uses, visit, address))
  recorder.note({ events, envelope })
  return view
}

const viewNames: Record<number, string> = { 200: '$pageview', 404: '$not_found' }

/** Whether a visitor sees the page. False for prefetches, frames and programs. */
const isView = ({ method, headers, url = '' }: RequestHead, { status }: CachedPage): boolean =>
  (shownLater({ method, headers }) !== undefined ||
    (method === 'GET' && !!headers.accept?.includes('text/html'))) &&
  documentDestinations(status).has(headers['sec-fetch-dest'] ?? 'document') &&
  !isPrefetch(headers) &&
  !isThanks.test(url)

/**
 * The referrer of a page that the browser had before it showed it, as after a prefetch: the script then asks for its head.
 * Undefined for every other request.
 */
const shownLater = ({ method, headers }: Pick<RequestHead, 'method' | 'headers'>): string | undefined =>
  method === 'HEAD' ? headers['x-tilth-shown']?.toString().slice(0, maxValueLength) : undefined

/** A document, or a fetch by the script that swaps pages; the script leaves missing pages to the browser. */
const documentDestinations = (status: number): ReadonlySet<string> =>
  status === 200 ? swappedDestinations : loadedDestinations
const loadedDestinations: ReadonlySet<string> = new Set(['document'])
const swappedDestinations: ReadonlySet<string> = new Set(['document', 'empty'])

/** A visitor without scripts sees the same page again after sending a form; it is not counted twice. */
const isThanks = /[?&]sent=/
