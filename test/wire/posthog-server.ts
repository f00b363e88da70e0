import type { IngestChoices } from '../product/ingest-fixture'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { readConfig } from '#server/config'
import { openFront } from '#server/internal/front'
import { openLog } from '#server/log'
import type { Flag } from '#flags/flag'
import type { Survey } from '#surveys/survey'
import { posthog } from '#wire/posthog/posthog'
import { someWireServices, type TestWireServices } from './posthog-fixture'

export interface WireServer {
  address: string
  /** A customer's site: its pages, and below `/ingest` whatever the other address answers. */
  site: string
  wire: TestWireServices
  /** The requests in order: `POST /e/`. */
  requestLines: string[]
}

/** The real front with this dialect; the desk behind it remembers what it was given. */
export async function aWireServer(
  pages: Readonly<Record<string, string>> = {},
  flags: readonly Flag[] = [],
  surveys: readonly Survey[] = [],
  settings: IngestChoices = {},
): Promise<WireServer> {
  const wire = await someWireServices(settings, flags, surveys)
  const requestLines: string[] = []
  const disk = async () => ({ freeBytes: 1, usedBytes: 0, trouble: undefined })
  const front = await openFront({
    config: aConfig(),
    log: openLog({
      level: 'debug',
      format: 'json',
      destination: { write: (line) => note(line, requestLines) },
    }),
    dialects: [posthog],
  })
  front.use({ wire, disk })
  onTestFinished(() => front.drain())
  const address = `http://127.0.0.1:${front.port}`
  return { address, site: await aSite(pages, front.port), wire, requestLines }
}

function aConfig() {
  const reading = readConfig({ PORT: '0' })
  if (!reading.readable) throw new Error(reading.problems.join(' '))
  return reading.config
}

/** Adds the request that a log line of the front reports. */
function note(line: string, requests: string[]): void {
  const { method, path } = logged.safeParse(JSON.parse(line)).data ?? {}
  if (path) requests.push(`${method} ${path}`)
}

const logged = z.looseObject({ method: z.string(), path: z.string() })

/** A customer's site: its pages, and below `/ingest` whatever is behind the port. */
export async function aSite(pages: Readonly<Record<string, string>>, port: number): Promise<string> {
  const server = createServer((incoming, response) => {
    if (incoming.url?.startsWith('/ingest/')) passOn(incoming, response, port)
    else show(pages[incoming.url ?? ''], response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // a server that listens on a port has an address that is no text
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function show(page: string | undefined, response: ServerResponse): void {
  const type = page?.startsWith('<') ? 'text/html; charset=utf-8' : 'application/javascript'
  response.writeHead(page === undefined ? 404 : 200, { 'content-type': type }).end(page)
}

/** As a reverse proxy does, with the path as it is. */
function passOn(incoming: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url, headers } = incoming
  const outgoing = request({ port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  outgoing.on('error', () => response.destroy())
  incoming.pipe(outgoing)
}

/** posthog-js as an app has it that installs the package, which older versions have under another name here. */
export async function installedScript(packageName = 'posthog-js'): Promise<string> {
  const made = await build({
    stdin: {
      contents: `import posthog from '${packageName}'\nwindow.posthog = posthog`,
      resolveDir: join(import.meta.dirname, '../..'),
    },
    bundle: true,
    format: 'iife',
    write: false,
    logLevel: 'error',
  })
  return made.outputFiles[0]?.text ?? ''
}

/** For posthog-node, which gives flags up after three seconds. */
export const patientClient = { requestTimeout: 60_000, featureFlagsRequestTimeoutMs: 60_000 }

/**
 * Headless browsers are robots to posthog-js; three seconds are long for a test that waits for events, and short for
 * flags on a busy machine.
 */
const settings = {
  opt_out_useragent_filter: true,
  request_queue_config: { flush_interval_ms: 250 },
  feature_flag_request_timeout_ms: 60_000,
}

const rest = '<main><button id="buy" class="cta primary" data-plan="pro">Buy now</button></main>'

/** A page that loads posthog-js from the server, as the snippet of the vendor's own instructions does. */
export function snippetPage(key: string, host: string, more: object = {}, before = ''): string {
  const config = { api_host: host, ...settings, ...more }
  return `<!doctype html><title>Shop</title><script>${before}
    const queue = (window.posthog = [])
    queue._i = [[${JSON.stringify(key)}, ${JSON.stringify(config)}, 'posthog']]
    queue.people = []
    queue.__SV = 1
    for (const name of ['capture', 'identify', 'register']) queue[name] = (...args) => queue.push([name, ...args])
    queue.capture('before loading', { early: true })
  </script><script async crossorigin="anonymous" src="${host}/static/array.js"></script>${rest}`
}

/** A page of an app that brings posthog-js along. */
export function installedPage(
  key: string,
  host: string,
  more: object = {},
  script = '/installed.js',
): string {
  const config = { api_host: host, ...settings, ...more }
  return `<!doctype html><title>App</title><script src="${script}"></script>
    <script>posthog.init(${JSON.stringify(key)}, ${JSON.stringify(config)})</script>${rest}`
}

/** A page with the snippet that our own documentation gives, let in although it runs in a robot. */
export function docsPage(key: string, host: string): string {
  const docs = readFileSync(join(import.meta.dirname, '../../docs/sdk-posthog.md'), 'utf8')
  const [, snippet = ''] = /```html\n([^]*?)```/.exec(docs) ?? []
  const mine = snippet.replace('https://tilth.example.com', host).replace('phc_…', key)
  return `<!doctype html><title>Docs</title>${mine.replace('defaults:', 'opt_out_useragent_filter: true, defaults:')}`
}
