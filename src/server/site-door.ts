import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { newUuid } from '../ingest/uuid'
import type { Site } from '../posts/site'
import { forgottenVisitor, visitorCookieFor, visitorIn } from '../visits/cookie'
import type { Exposures } from '../visits/exposures'
import type { Recorder } from '../visits/recorder'
import { anEventOf, isAhead, viewedProperties } from '../visits/views'
import { type Visit, visitHeader, writeVisit } from '../visits/visit'
import type { Begun, VisitRequest, Visits } from '../visits/visits'
import type { World } from '../world/world'
import { type Arrival, cleanHeaders, sameHost } from './arrival'
import { answerUnavailable } from './honest-page'
import type { KeptPage } from './kept-page'
import { answerKept } from './kept-answer'
import { addressKey, type PageCache, type Shown, type Wanted } from './page-cache'
import type { Pages } from './pages-child'
import { servePersonally } from './personal-pages'

export interface SiteDoorGround {
  visits: Visits
  cache: PageCache
  pages: Pick<Pages, 'serve'>
  exposures: Exposures
  recorder: Pick<Recorder, 'note'>
  /** Whose site is at a host, if anybody's. */
  siteAt: (host: string) => Site | undefined
  /** Whether a project has named this host as its own. */
  isClaimed: (host: string) => boolean
  world: World
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  arrival: Arrival
}

/** The public site: every address that is not the studio's, an SDK's or Tilth's own. */
export interface SiteDoor {
  owns(path: string): boolean
  /** Sites are reached by names of their own, under which there is nothing else. */
  isSite(host: string): boolean
  answer(exchange: Exchange): void | Promise<void>
}

/** What of our own stands beside the site. Of what begins with "/_tilth", the routes before this one have taken theirs. */
const notTheSites = /^\/(?:studio|share|api|ofrep|_next|_tilth(?!\/diagrams\/))(?:\/|$)/

export function openSiteDoor(ground: SiteDoorGround): SiteDoor {
  return {
    owns: (path) => !notTheSites.test(path),
    isSite: (host) => isSite(host, ground),
    answer: (exchange) => answer(exchange, ground),
  }
}

function isSite(host: string, { siteAt, isClaimed }: SiteDoorGround): boolean {
  const origin = URL.parse(siteAt(host)?.origin ?? '')
  return isClaimed(host) || (origin !== null && sameHost(host, origin))
}

function answer(exchange: Exchange, ground: SiteDoorGround): void | Promise<void> {
  const { response, arrival } = exchange
  const site = ground.siteAt(arrival.host)
  if (!site?.isOn) return withoutVisit(exchange, ground)
  if (arrival.path.startsWith(seenAddress)) return sendTo('/blog', response)
  const asks = visitRequestOf(exchange, site, ground.world.now())
  const places = ground.visits.readyFor(asks)
  const begin = (): void | Promise<void> => showPage(exchange, ground.visits.begin(asks), ground)
  return places ? places.then(begin) : begin()
}

/** Where Next keeps the variants of /blog; nobody is sent there. */
const seenAddress = '/blog/seen/'

function sendTo(location: string, response: ServerResponse): void {
  response.writeHead(308, { location, 'cache-control': 'no-store' }).end()
}

function withoutVisit({ request, response, arrival }: Exchange, { pages }: SiteDoorGround): void {
  cleanHeaders(request, arrival)
  servePersonally(request, response, pages)
}

const visitRequestOf = (
  { request: { headers }, arrival: { host, client } }: Exchange,
  { projectId, visitors }: Site,
  receivedAt: Date,
): VisitRequest => ({ projectId, visitors, host, address: client, headers, receivedAt })

/** Actions, and the payloads that Next's own code in the browser asks for, are answered to whoever asks, and kept nowhere. */
const isForAPage = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && !('rsc' in headers) && !('next-action' in headers)

function showPage(exchange: Exchange, begun: Begun, ground: SiteDoorGround): void | Promise<void> {
  const { request, response } = exchange
  if (!isForAPage(request)) return actFor(begun.visit, exchange, ground)
  const wanted = wantedOf(exchange, begun.visit)
  const found = ground.cache.find(wanted)
  if (!(found instanceof Promise)) return show(found, wanted, begun, exchange, ground)
  return found.then((later) =>
    typeof later === 'string'
      ? answerUnavailable(request, response, later)
      : show(later, wanted, begun, exchange, ground),
  )
}

function actFor(visit: Visit, { request, response, arrival }: Exchange, { pages }: SiteDoorGround): void {
  cleanHeaders(request, arrival)
  servePersonally(request, response, pages, { headers: { [visitHeader]: writeVisit(visit) } })
}

/** Of the question, what makes another page; whatever else is added to an address, campaigns above all, does not. */
const meaningful = ['page', 'part', 'q', 'preview']
const longestValue = 2000

function questionOf({ url = '' }: IncomingMessage, { path }: Arrival): URLSearchParams {
  const asked = new URLSearchParams(url.slice(path.length + 1))
  const kept = new URLSearchParams()
  for (const name of meaningful) {
    const value = asked.get(name)
    if (value !== null && value !== '') kept.set(name, value.slice(0, longestValue))
  }
  return kept
}

/** Everybody who gets a page is to get the same: of what this browser said, the pages hear no more than makes another page. */
function wantedOf({ request, arrival }: Exchange, visit: Visit): Wanted {
  const { protocol, path, requestId } = arrival
  const host = arrival.host.toLowerCase()
  const question = request.url === path ? '' : questionOf(request, arrival).toString()
  const asked = question === '' ? path : `${path}?${question}`
  const accept = preferredOf(request.headers)
  return {
    address: addressKey(visit.projectId, protocol, host, accept, asked),
    visit,
    isShared: !visit.isTried && !isPreview(question),
    path: asked,
    headers: {
      host,
      accept,
      // to those it does not know by name, Next sends the head of a page after its body
      'user-agent': 'Tilth',
      'x-forwarded-host': host,
      'x-forwarded-proto': protocol,
      'x-request-id': requestId,
      'x-tilth-address': asked,
    },
  }
}

const isPreview = (question: string): boolean => question.includes('preview=')

/** A reader of feeds is given posts as it reads them, and a program that reads Markdown a post as it was written. */
const otherForms = ['application/feed+json', 'text/markdown']

const preferredOf = ({ accept = '' }: IncomingHttpHeaders): string =>
  (!accept.includes('text/html') && otherForms.find((form) => accept.includes(form))) || 'text/html'

function show(shown: Shown, wanted: Wanted, begun: Begun, exchange: Exchange, ground: SiteDoorGround): void {
  const { request, response, arrival } = exchange
  const { page } = shown
  const counted = wanted.isShared ? note(page, begun, exchange, ground) : undefined
  const headers: OutgoingHttpHeaders = {
    'x-request-id': arrival.requestId,
    ...(counted !== undefined && { 'server-timing': `view;desc="${counted}"` }),
    ...(!wanted.isShared && alone),
    ...(wanted.isShared && isAhead(request.headers) && shownBy(page, begun.visit)),
    ...(page.isDocument && cookieOf(begun, exchange)),
  }
  answerKept(shown, request, response, { visit: begun.visit, headers })
}

/** Shown to one visitor: neither search engines nor caches on the way are to have it. */
const alone = { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' }

/** Nobody has seen a page that is fetched ahead: the script tells what it shows, once it is shown. */
function shownBy({ uses }: KeptPage, { decisions }: Visit): OutgoingHttpHeaders {
  const shown = uses.flatMap((key) => (Object.hasOwn(decisions, key) ? [[key, String(decisions[key])]] : []))
  return shown.length > 0 ? { 'x-tilth-shows': String(new URLSearchParams(shown)) } : {}
}

/** Beside the page, which stays the same for all others. Where visitors are of a day again, an older cookie goes. */
function cookieOf({ isNew, visit }: Begun, { request: { headers }, arrival }: Exchange): OutgoingHttpHeaders {
  const isSecure = arrival.protocol === 'https'
  const isLeft = visit.isCookieless && visitorIn(headers.cookie) !== undefined
  if (!isNew && !isLeft) return {}
  return {
    'set-cookie': isNew ? visitorCookieFor(visit.visitor, isSecure) : forgottenVisitor(isSecure),
    'cache-control': 'private, no-cache',
  }
}

/** The view's id, if one was counted. Nobody waits until it is written down. */
function note(
  page: KeptPage,
  { visit, envelope }: Begun,
  { request, arrival }: Exchange,
  { exposures, recorder, world }: SiteDoorGround,
): string | undefined {
  const name = viewNames[page.status]
  if (!name || !page.isDocument || !isLookedAt(request, page)) return undefined
  const view = newUuid(world)
  const address = `${arrival.protocol}://${arrival.host}${request.url}`
  const properties = viewedProperties({ address, title: page.title, referrer: request.headers.referer })
  const events = [anEventOf(visit, name, view, properties)]
  if (page.uses.length > 0) events.push(...exposures.of(page.uses, visit, address))
  recorder.note({ events, envelope })
  return view
}

const viewNames: Record<number, string> = { 200: '$pageview', 404: '$not_found' }

/** Whether somebody is about to see it: what is only fetched ahead, or for a frame or a program, is not. */
const isLookedAt = ({ method, headers, url = '' }: IncomingMessage, { status }: KeptPage): boolean =>
  method === 'GET' &&
  !!headers.accept?.includes('text/html') &&
  seenAs(status).has(headers['sec-fetch-dest'] ?? 'document') &&
  !isAhead(headers) &&
  !isThanks.test(url)

/** As a document, or by the script that puts a page in the place of another; it leaves one that is missing to the browser. */
const seenAs = (status: number): ReadonlySet<string> => (status === 200 ? swappedIn : loaded)
const loaded: ReadonlySet<string> = new Set(['document'])
const swappedIn: ReadonlySet<string> = new Set(['document', 'empty'])

/** Whoever sent a form without a script sees the same page once more. */
const isThanks = /[?&]sent=/
