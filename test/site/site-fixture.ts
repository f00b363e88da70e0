import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { type RouteMatch, createRouteMatcher } from '#wire/route-matcher'
import { createTrackerScripts } from '#wire/tracker-scripts'
import { tilth } from '#wire/tilth/tilth'
import { patienceMs } from '../running/patience'
import { buildTrackers } from '../../tracker/build'
import { firstOfEach, sortedByTime } from '../wire/sorted-events'
import { recordingWireServices, pageOf } from '../wire/trackers-fixture'

interface TestPage {
  title: string
  body: string
  head?: string
  /** Of the root of the document. */
  lang?: string
  weight?: string
  /** Attributes of the script's tag; usually the key that its views are counted by. */
  tag?: string
  status?: number
  headers?: Record<string, string>
}

/** A browser's request to the site: 'document /a', 'fetch /a' by a click, 'prefetch /a' before one. */
type SiteRequestLine = `${'document' | 'fetch' | 'prefetch'} ${string}`

/**
 * A site of a test's own pages with the script that Tilth's pages have. Like the front, it counts the views of what it
 * answers to browsers itself, and says so.
 */
export async function openTestSite() {
  const folder = await mkdtemp(join(tmpdir(), 'tilth-site-'))
  await buildTrackers(folder)
  const find = createRouteMatcher([tilth(createTrackerScripts(folder))])
  const wire = recordingWireServices()
  const pages = new Map<string, TestPage | ((request: IncomingMessage) => TestPage | Promise<TestPage>)>()
  const files = new Map<string, { type: string; text: string }>()
  const handlers = new Map<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>>()
  const requests: SiteRequestLine[] = []
  const counted: string[] = []
  const referrers: unknown[] = []
  const unchanged: string[] = []

  const server = createServer((request, response) => {
    void answer(request, response).catch((problem: unknown) => response.destroy(problem as Error))
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? '/', 'http://site')
    const match = find(request.method ?? 'GET', pathname)
    if (match) return answerTracker(match, request, response)
    const handler = [...handlers].find(([path]) => pathname.startsWith(path))?.[1]
    if (handler) return handler(request, response)
    const file = files.get(pathname)
    if (file) return void response.writeHead(200, { 'content-type': file.type }).end(file.text)
    if (pathname === '/favicon.ico') return void response.writeHead(404).end()
    if (request.method !== 'HEAD') requests.push(`${kindOf(request)} ${pathname}${search}`)
    const known = pages.get(pathname + search) ?? pages.get(pathname) ?? missingPage
    send(typeof known === 'function' ? await known(request) : known, request, response)
  }

  async function answerTracker(
    { route, ...place }: RouteMatch,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { method = 'GET', headers, url = '/' } = request
    const query = new URL(url, 'http://site').searchParams
    const body = await buffer(request)
    const address = '203.0.113.7'
    const wireResponse = await route.respond(
      { method, ...place, query, headers, body, address, receivedAt: new Date() },
      wire,
    )
    response.writeHead(wireResponse.status, wireResponse.headers).end(wireResponse.body)
  }

  function send(page: TestPage, request: IncomingMessage, response: ServerResponse): void {
    const { status = 200, headers } = page
    const isCounted = status === 200 && !isPrefetch(request)
    if (isCounted) counted.push(new URL(request.url ?? '/', 'http://site').pathname)
    if (isCounted) referrers.push(request.headers['x-tilth-shown'] ?? request.headers.referer)
    const html = pageHtml(page)
    const etag = `"${createHash('sha256').update(html).digest('base64url')}"`
    const isKnown = request.headers['if-none-match'] === etag && status === 200
    if (isKnown) unchanged.push(new URL(request.url ?? '/', 'http://site').pathname)
    response.writeHead(isKnown ? 304 : status, {
      etag,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': policyOf(html),
      ...(isCounted && { 'server-timing': `view;desc="${counted.length}"` }),
      ...headers,
    })
    response.end(isKnown ? undefined : html)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // a server that listens on a port has an address of this form
  const { port } = server.address() as AddressInfo
  return {
    address: `http://localhost:${port}`,
    desk: wire,
    asked: requests,
    /** Views that the server counted. */
    counted,
    referrers,
    /** The addresses that browsers had in their caches. */
    unchanged,
    /** All events, each once, by the clock of the visitor. */
    events: () => sortedByTime(firstOfEach(wire.events())),
    /** Views that the script counted. */
    views: () =>
      sortedByTime(firstOfEach(wire.events()))
        .filter(({ name }) => name === '$pageview')
        .map((event) => new URL(pageOf(event)).pathname),
    show: (path: string, page: TestPage | ((request: IncomingMessage) => TestPage | Promise<TestPage>)) =>
      void pages.set(path, page),
    /** Answers everything below a path by code of the product. */
    handle: (path: string, handler: (request: IncomingMessage, response: ServerResponse) => Promise<void>) =>
      void handlers.set(path, handler),
    file: (path: string, type: string, text: string) => void files.set(path, { type, text }),
    async close() {
      server.closeAllConnections()
      await Promise.all([new Promise((resolve) => server.close(resolve)), rm(folder, { recursive: true })])
    },
  }
}

export type TestSite = Awaited<ReturnType<typeof openTestSite>>

const missingPage: TestPage = { title: 'Gone', body: '<main><h1>Gone</h1></main>', status: 404 }

const isPrefetch = ({ headers }: IncomingMessage): boolean =>
  'x-tilth-prefetch' in headers || 'sec-purpose' in headers

function kindOf(request: IncomingMessage): 'document' | 'fetch' | 'prefetch' {
  if (isPrefetch(request)) return 'prefetch'
  return request.headers['sec-fetch-dest'] === 'empty' ? 'fetch' : 'document'
}

const pageHtml = ({
  title,
  body,
  head = '',
  lang = 'en',
  weight = 'static',
  tag = ' data-project="key-1"',
}: TestPage): string =>
  `<!doctype html><html lang="${lang}" data-weight="${weight}"><head><title>${title}</title>${head}` +
  `<script async="" src="/_tilth/site.js"${tag}></script></head><body>${body}</body></html>`

/** As the front says it of the pages it keeps. */
function policyOf(html: string): string {
  const hashes = Array.from(
    html.matchAll(/<style>([^]*?)<\/style>/g),
    ([, style = '']) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  )
  const own = ['img-src', 'connect-src', 'script-src', 'frame-src', 'form-action'].map(
    (what) => `${what} 'self'`,
  )
  return ["default-src 'none'", ...own, `style-src 'self' ${hashes.join(' ')}`].join('; ')
}

const quiet = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const executablePath = process.env.WHOLE_CHROMIUM ?? process.env.CHROMIUM ?? '/usr/bin/chromium'

/** The small Chromium has no memory of pages for the way back. */
export const hasBackForwardCache = !executablePath.includes('headless-shell')

/** Chromium, which keeps pages in memory for the way back only if a test asks for it: that is another way to return. */
export const openBrowser = ({ keeping = false } = {}): Promise<Browser> =>
  chromium.launch({
    executablePath,
    headless: true,
    args: quiet,
    ...(keeping && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
  })

/** A visitor that trackers take for a person, on pages that may not try what their policy forbids. */
export async function aVisitor(
  browser: Browser,
  { forbidden = [], ...options }: BrowserContextOptions & { forbidden?: string[] } = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 800, height: 600 }, ...options })
  context.setDefaultTimeout(patienceMs)
  const violations: string[] = []
  await context.exposeFunction('reportViolation', (what: string) => violations.push(what))
  await context.addInitScript(() => {
    Object.assign(window, { __tilth: true })
    // links are followed in the document however long a busy machine takes (tracker/site/navigation.ts); a clock that a
    // test installs has the limit again
    const begin = window.setTimeout.bind(window)
    window.setTimeout = ((run: () => void, ms?: number) => (ms === 3800 ? 0 : begin(run, ms))) as typeof begin
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      // put there by exposeFunction
      const { reportViolation } = window as unknown as { reportViolation: (what: string) => void }
      reportViolation(`${effectiveDirective} forbids ${blockedURI.replace(location.origin, '')}`)
    })
  })
  onTestFinished(async () => {
    await context.close()
    expect([...new Set(violations)]).toEqual(forbidden)
  })
  return context.newPage()
}

/** From then on the page keeps a press on an island whose component is still to come. */
export const islandsAreKnown = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await customElements.whenDefined('tilth-island')
  })
