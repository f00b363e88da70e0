import { Console } from 'node:console'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { flushCompileCache } from 'node:module'
import { Writable } from 'node:stream'
import next from 'next'
import { exitWithParent } from '#processes/parent'
import type { CollectionState } from '#ingest/collection-state'
import { RelocatableEngine } from '#engine/relocatable-engine'
import { type Log, openLog } from './log'
import { fetchOwnPages, ownPagesOrigin, ownPagesVariable } from '#site-serving/own-pages-fetch'
import { pagesAlivePath, type PagesStartMessage, type PagesMessage } from '#site-serving/pages-channel'
import { PageFailures } from './page-failures'
import { openProduct, type Product } from './product'
import { maxVisitBytes, visits, withVisit } from '#site-serving/rendered-visits'

/** Longer than the front keeps an idle connection, so that it never asks on one that is just being closed. */
const keepAliveMs = 75_000

exitWithParent()
// A terminal's Ctrl-C reaches every process at once. The front decides what stops when.
process.on('SIGINT', () => {})
process.on('message', onMessage)

let engine: RelocatableEngine | undefined
/** The latest state that the front sent. */
const collection: { state: CollectionState | undefined } = { state: undefined }

/** The first message says how to begin, all later ones where the engine has moved to. */
function onMessage(message: PagesMessage) {
  if ('begin' in message) beginOrExit(message.begin)
  else if ('engine' in message) engine?.moveTo(message.engine)
  else collection.state = message.collection
}

function beginOrExit(beginning: PagesStartMessage) {
  Object.assign(process.env, beginning.environment)
  const log = openLog(beginning.log).child({ process: 'pages' })
  const exitWith = (error: unknown) => {
    log.fatal({ err: error }, 'uncaught exception in the pages process')
    process.exit(1)
  }

  // Next's own listeners would log an uncaught exception and carry on in an unknown state.
  process.prependListener('uncaughtException', exitWith)
  // A rejected promise without a handler belongs to one request, which has failed already. Other requests go on.
  process.on('unhandledRejection', (error) =>
    log.error({ err: error }, 'unhandled promise rejection in the pages process'),
  )
  redirectConsole(log)
  engine = new RelocatableEngine(log)
  begin(beginning, { log, engine }).catch(exitWith)
}

async function begin(
  { folder, socket, store, reachingOut: outbound, siteFolder, backupPlan }: PagesStartMessage,
  dependencies: { log: Log; engine: RelocatableEngine },
) {
  const product = await openProduct({
    store,
    engine: dependencies.engine,
    outbound,
    siteFolder,
    backupPlan,
    onTrouble: (problem) => dependencies.log.warn({ err: problem }, 'a sign-in by the provider failed'),
  })
  shareWithNext({ product, log: dependencies.log, visit: visits, collection, failures: new PageFailures() })

  routeOwnFetchesToSocket(socket)
  const server = createServer({ maxHeaderSize: maxVisitBytes }, listener(await startNext(folder)))
  server.keepAliveTimeout = keepAliveMs
  await listen(server, socket)
  product.prepared.prepareAll()
  flushCompileCache()
  process.once('SIGTERM', () => void stop(server, [product, dependencies.engine]))
}

/** Before Next prepares, which wraps the `fetch` that it finds. */
function routeOwnFetchesToSocket(socket: string) {
  process.env[ownPagesVariable] = ownPagesOrigin
  globalThis.fetch = fetchOwnPages(socket, globalThis.fetch)
}

/** Next writes to the console, in lines of its own making. */
function redirectConsole(log: Log) {
  const stdout = lines((line) => log.debug({ by: 'next' }, line))
  const stderr = lines((line) => log[hasDigest(line) ? 'debug' : 'warn']({ by: 'next' }, line))
  globalThis.console = new Console({ stdout, stderr })
}

/** Such an exception is in the log already, where instrumentation.ts has put it. */
const hasDigest = (line: string) => /\bdigest: '/.test(line)

const lines = (say: (line: string) => void) =>
  new Writable({
    write(chunk, _encoding, done) {
      say(String(chunk).trimEnd())
      done()
    },
  })

/** Next compiles modules once for each use, so what there must be one of goes where every copy finds it. */
function shareWithNext(ours: {
  product: Product
  log: Log
  visit: typeof visits
  collection: typeof collection
  failures: PageFailures
}) {
  for (const [name, value] of Object.entries(ours)) {
    Object.defineProperty(globalThis, Symbol.for(`tilth.${name}`), { value })
  }
}

async function startNext(folder: string): Promise<RequestListener> {
  const app = next({ dev: false, dir: folder, quiet: true })
  await app.prepare()
  const answer = app.getRequestHandler()
  return withVisit((request, response) => void answer(request, response))
}

const listener =
  (pages: RequestListener): RequestListener =>
  (request, response) =>
    request.url === pagesAlivePath ? void response.writeHead(204).end() : pages(request, response)

async function listen(server: Server, socket: string) {
  // One that was killed leaves its socket behind.
  rmSync(socket, { force: true })
  process.umask(0o077)
  server.listen(socket)
  await once(server, 'listening')
}

/** Pages under way are finished; the front asks for no further ones, but keeps its connections for the case that it did. */
async function stop(server: Server, dependents: { close(): Promise<void> }[]) {
  server.close()
  const hangUp = setInterval(() => server.closeIdleConnections(), 50)
  await once(server, 'close')
  clearInterval(hangUp)
  for (const part of dependents) await part.close()
  process.exit(0)
}
