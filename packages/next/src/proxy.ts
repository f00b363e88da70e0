import { type NextFetchEvent, type NextRequest, NextResponse } from 'next/server.js'
import { readConfig, type TilthConfig, type TilthOptions } from './config'
import { Remembered } from './remembered'
import { type Sender, senderOf } from './sender'
import { askForVisit, sendEvents } from './tilth-server'
import { away, isCounted, openVisit, sealVisit, type Visit, visitHeader } from './visit'
import { previewCookie, readVisitorIds, visitorCookie } from './visitor-ids'

export type { TilthOptions }

/** Begins a visit for every request: `export const proxy = tilthProxy()`, or `middleware` in Next 15. */
export function tilthProxy(options: TilthOptions = {}) {
  return async (request: NextRequest, event: NextFetchEvent): Promise<NextResponse> =>
    (await beginVisit(request, event, options)).next()
}

/**
 * Passes a request on to Tilth, so that events of browsers come by the app's own address. The path is kept: Tilth
 * answers below any prefix.
 */
export function passToTilth(request: NextRequest, options: TilthOptions = {}): NextResponse {
  const config = readConfig(options)
  const { pathname, search } = request.nextUrl
  return config ? NextResponse.rewrite(new URL(pathname + search, config.address)) : NextResponse.next()
}

/** A visit in a proxy that does more than begin it. Each of its responses carries the visit to the page. */
export interface ProxyVisit {
  /** Every decision, by key; empty if Tilth did not answer in time. */
  flags: Visit['flags']
  next(): NextResponse
  /** Shows another page of the app at this address. */
  rewrite(path: string | URL): NextResponse
}

const rememberMs = 60_000
/** Visits of the last documents, for what a browser fetches from them. */
const visits = new Remembered<Visit>(10_000, rememberMs)

/** Asks Tilth once for each document: who the visitor is, and every decision for them. */
export async function beginVisit(
  request: NextRequest,
  event: NextFetchEvent,
  options: TilthOptions = {},
): Promise<ProxyVisit> {
  const config = readConfig(options)
  const { visit, isNew = false, isSent = false } = (config && (await findVisit(request, config))) ?? {}
  const headers = new Headers(request.headers)
  headers.set(visitHeader, visit && config ? await sealVisit(visit, config.secretKey) : away)

  const finish = (response: NextResponse): NextResponse => {
    if (!visit || !config) return response
    if (isNew && visit.visitor !== undefined) setVisitorCookie(response, visit.visitor, request)
    if (visit.isViewCounted && !isSent) {
      response.headers.append('server-timing', 'view')
      event.waitUntil(recordView(visit, request, config))
    }
    return response
  }
  return {
    flags: visit?.flags ?? {},
    next: () => finish(NextResponse.next({ request: { headers } })),
    rewrite: (path) => finish(NextResponse.rewrite(new URL(path, request.url), { request: { headers } })),
  }
}

interface FoundVisit {
  visit: Visit
  /** Whether the visitor has to get a cookie. */
  isNew?: boolean
  /** Whether another run of the proxy has sent the view. */
  isSent?: boolean
}

/** Payloads of pages that a browser moves on to show what the document showed. */
async function findVisit(request: NextRequest, config: TilthConfig): Promise<FoundVisit | undefined> {
  // some hosts send a rewritten request through the proxy again
  const begun = await openVisit(request.headers.get(visitHeader), config.secretKey)
  if (begun) return { visit: begun, isSent: true }
  const read = (name: string): string | undefined => request.cookies.get(name)?.value
  const { visitor, deviceId, isKnownToPosthog } = readVisitorIds(read, config.project)
  const isDocument = asksForDocument(request)
  const url = urlOf(request)
  const known = isDocument || visitor === undefined ? undefined : visits.get(visitor)
  if (known) return { visit: { ...known, url, isViewCounted: false } }

  const sender = senderOf(request.headers, config.trustedProxies)
  const context = { url, visitor, deviceId, preview: read(previewCookie), sender }
  const answer = await askForVisit(context, config)
  if (!answer) return undefined
  const { isNew, visitor: id, ...decided } = answer
  const visit: Visit = { ...decided, visitor: id ?? undefined, isKnownToPosthog, url, isViewCounted: false }
  if (id !== null) visits.set(id, visit)
  return { visit: { ...visit, isViewCounted: isDocument && isView(request) && isCounted(visit) }, isNew }
}

/** By what browsers say of every request; those on plain http say only what they accept. */
function asksForDocument({ headers }: NextRequest): boolean {
  const destination = headers.get('sec-fetch-dest')
  return destination === null
    ? headers.get('accept')?.includes('text/html') === true
    : destination === 'document'
}

/** Pages that a browser prepares are counted by their script, when they are shown. */
const isView = ({ method, headers }: NextRequest): boolean =>
  method === 'GET' && !/prefetch|prerender/.test(`${headers.get('sec-purpose')} ${headers.get('purpose')}`)

function urlOf(request: NextRequest): string {
  const { pathname, search } = request.nextUrl
  const host = request.headers.get('x-forwarded-host') ?? request.headers.get('host') ?? request.nextUrl.host
  return `${isSecure(request) ? 'https' : 'http'}://${host}${pathname}${search}`
}

const isSecure = ({ headers, nextUrl }: NextRequest): boolean =>
  (headers.get('x-forwarded-proto')?.split(',')[0] ?? nextUrl.protocol).startsWith('https')

const aYearInSeconds = 365 * 24 * 3600

const setVisitorCookie = (response: NextResponse, visitor: string, request: NextRequest): void => {
  response.cookies.set(visitorCookie, visitor, {
    path: '/',
    maxAge: aYearInSeconds,
    sameSite: 'lax',
    secure: isSecure(request),
  })
}

function recordView({ visitor, url }: Visit, { headers }: NextRequest, config: TilthConfig): Promise<void> {
  const sender: Sender = senderOf(headers, config.trustedProxies)
  const view = { uuid: crypto.randomUUID(), name: '$pageview' }
  return sendEvents([view], { visitor, url, referrer: headers.get('referer') ?? '', sender }, config)
}
