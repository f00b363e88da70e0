import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { build } from 'esbuild'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { IncomingEvent } from '#events/event'
import type { Flag } from '#flags/flag'
import type { Dialect, WireResponse } from '#wire/dialect'
import { type RouteMatch, createRouteMatcher } from '#wire/route-matcher'
import { createTrackerScripts } from '#wire/tracker-scripts'
import { patienceMs } from '../running/patience'
import { buildTrackers } from '../../tracker/build'
import { firstOfEach, sortedByTime } from './sorted-events'
import { recordingWireServices, type RecordingWireServices, trackersWith } from './trackers-fixture'

/** A page of the site: its markup, or its markup with a status of its own. */
type Markup = string | { status: number; html: string }

export interface TrackedSite {
  /** The address of the site, by a host name other than localhost, and so by plain http without a secure context. */
  address: string
  /** The same trackers, as another origin serves them. */
  elsewhere: string
  wire: RecordingWireServices
  /** All events, each once, by the clock of the visitor. */
  events: () => IncomingEvent[]
  show: (path: string, markup: Markup) => void
  /** Every tracker request with what was answered. */
  responses: { method: string; path: string; status: number; headers: IncomingMessage['headers'] }[]
  close: () => Promise<void>
}

/**
 * A site of a test's own pages, with the trackers below any of its paths. `WIRE_TARGET` names a running Tilth: then each
 * request goes there as well, and it is that Tilth's answer that the browser gets.
 */
export async function openTrackedSite({
  flags,
  dialectsWith = (scripts) => trackersWith(createTrackerScripts(scripts)),
}: {
  flags?: readonly Flag[]
  /** The dialects that the site serves, with our scripts in a folder. */
  dialectsWith?: (scripts: string) => readonly Dialect[]
} = {}): Promise<TrackedSite> {
  const folder = await mkdtemp(join(tmpdir(), 'tilth-site-'))
  await buildTrackers(folder)
  const find = createRouteMatcher(dialectsWith(folder))
  const wire = recordingWireServices(undefined, flags)
  const pages = new Map<string, Markup>()
  const answers: TrackedSite['responses'] = []

  const server = createServer((request, response) => {
    void answer(request, response).catch((problem: unknown) => response.destroy(problem as Error))
  })
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers } = request
    const { pathname, search } = new URL(request.url ?? '/', 'http://site')
    const match = find(method, pathname, search.slice(1))
    if (!match) return showPage(pages.get(pathname), response)
    const wireResponse = method === 'OPTIONS' ? preflightResponse : await answerOf(match, request, wire)
    answers.push({ method, path: pathname, status: wireResponse.status, headers })
    response.writeHead(wireResponse.status, wireResponse.headers).end(wireResponse.body)
  }
  const port = await listening(server)
  return {
    address: `http://site.test:${port}`,
    elsewhere: `http://tilth.test:${port}`,
    wire,
    events: () => sortedByTime(firstOfEach(wire.events())),
    responses: answers,
    show: (path, markup) => void pages.set(path, markup),
    async close() {
      server.closeAllConnections()
      await Promise.all([new Promise((resolve) => server.close(resolve)), rm(folder, { recursive: true })])
    },
  }
}

/** The front's response to a preflight, for every dialect alike. */
const preflightResponse: WireResponse = {
  status: 204,
  headers: {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': 'content-type, x-umami-cache',
  },
}

const listening = (server: ReturnType<typeof createServer>): Promise<number> =>
  new Promise((resolve) => {
    // a server that listens on a port has an address of this form
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })

function showPage(markup: Markup | undefined, response: ServerResponse): void {
  const { status, html } = typeof markup === 'string' ? { status: 200, html: markup } : (markup ?? nothing)
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html)
}

const nothing = { status: 404, html: '' }

async function answerOf(
  match: RouteMatch,
  request: IncomingMessage,
  wire: RecordingWireServices,
): Promise<WireResponse> {
  const body = await buffer(request)
  const { method = 'GET', headers, url = '/' } = request
  const { route, ...place } = match
  const query = new URL(url, 'http://site').searchParams
  const sent = { method, ...place, query, headers, body, address: '203.0.113.7', receivedAt: new Date() }
  const answer = await route.respond(sent, wire)
  const target = process.env.WIRE_TARGET
  return target === undefined ? answer : answerOfTarget(new URL(url, target), { method, headers, body })
}

async function answerOfTarget(
  url: URL,
  { method, headers, body }: { method: string; headers: IncomingMessage['headers']; body: Buffer },
): Promise<WireResponse> {
  const passed = Object.entries(headers).filter(
    ([name]) => !/^(?:host|connection|content-length|accept-encoding)$/.test(name),
  )
  const response = await fetch(url, {
    method,
    headers: passed.map(([name, value]) => [name, String(value)]),
    ...(method === 'POST' && { body: new Uint8Array(body) }),
  })
  const entries = [...response.headers].filter(
    ([name]) => !/^(?:content-length|content-encoding|transfer-encoding|connection|keep-alive)$/.test(name),
  )
  return {
    status: response.status,
    headers: Object.fromEntries(entries),
    body: new Uint8Array(await response.arrayBuffer()),
  }
}

/** A package as a page without a bundler of its own can load it: what `code` assigns to the window is there. */
export async function bundle(code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'iife',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
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
  '--host-resolver-rules=MAP *.test 127.0.0.1',
]

const executablePath = process.env.WHOLE_CHROMIUM ?? process.env.CHROMIUM ?? '/usr/bin/chromium'

/** The small Chromium has no memory of pages for the way back. */
export const hasBackForwardCache = !executablePath.includes('headless-shell')

/** Chromium, keeping pages in memory for the way back as it does outside of tests. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    headless: true,
    args: quiet,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })

const agent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** Waits until the page was drawn, and until the observers that its scripts began before have heard of it. */
export const untilDrawn = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const heardOf = (type: string) =>
      new Promise((resolve) => new PerformanceObserver(resolve).observe({ type, buffered: true }))
    await Promise.all([heardOf('paint'), heardOf('largest-contentful-paint')])
  })

/** A page of a visitor that trackers take for a person, though a program drives the browser. */
export async function aVisitor(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ userAgent: agent, ...options })
  context.setDefaultTimeout(patienceMs)
  await context.addInitScript(() =>
    Object.assign(window, { __tilth: true, __plausible: true, __vercel: true }),
  )
  return context.newPage()
}
