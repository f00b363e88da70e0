import { Console } from 'node:console'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Writable } from 'node:stream'
import { getHeapStatistics } from 'node:v8'
import next from 'next'
import { exitWithParent } from '#processes/parent'
import type { CollectionState } from '#ingest/collection-state'
import { RelocatableEngine } from '#engine/relocatable-engine'
import { type Log, openLog } from '../log'
import { fetchOwnPages, ownPagesOrigin, ownPagesVariable } from '#site-serving/own-pages-fetch'
import {
  changesHeader,
  activeHeader,
  pagesAlivePath,
  type PagesStartMessage,
  type PagesMessage,
} from '#site-serving/pages-channel'
import { PageFailures } from '../page-failures'
import { openProduct, type Product } from '../product'
import { parseAllowlist, writeAllowlist } from '#outbound/allowlist'
import { operator } from '#projects/access'
import { usualProject } from '#projects/demo-project'
import { ReadingThread } from '#posts/reading/reading-thread'
import { KitRenderer, type PagesKit } from '#site-kit/kit-renderer'
import { ListedPages } from '#site-kit/listed-pages'
import { ThemeFiles, themesFolder } from '#site-kit/theme-files'
import { maxVisitBytes, visits, withVisit } from '#site-serving/rendered-visits'

/** Longer than the front keeps an idle connection, so that the front never uses one that is being closed. */
const keepAliveMs = 75_000

exitWithParent()
// a terminal's Ctrl-C reaches every process; the front decides the order of the shutdown
process.on('SIGINT', () => {})
process.on('message', onMessage)

let engine: RelocatableEngine | undefined
/** The latest state that the front sent. */
const collection: { state: CollectionState | undefined } = { state: undefined }
/** The first message says what server components of the site folder get. */
let site: PagesStartMessage['site']
/** Signs the names of form actions, once the product is open. */
let formKey = ''
const newKitRenderer = () =>
  new KitRenderer({
    surroundings: () => ({
      settings: site?.settings ?? {},
      network: writeAllowlist(site?.reaches === undefined ? undefined : parseAllowlist(site.reaches)),
      formKey,
    }),
    onTrouble: (problem) => process.emitWarning(problem instanceof Error ? problem : String(problem)),
  })
/** Renders what a team has written for its site. */
const kitRenderer = newKitRenderer()
/** Answers its routes and forms. */
const kitCaller = newKitRenderer()

/** The first message contains the settings; later ones contain new addresses of the engine and new states. */
function onMessage(message: PagesMessage) {
  if ('begin' in message) beginOrExit(message.begin)
  else if ('engine' in message) engine?.moveTo(message.engine)
  else if ('kit' in message) for (const each of [kitRenderer, kitCaller]) each.use(message.kit)
  else collection.state = message.collection
}

function beginOrExit(beginning: PagesStartMessage) {
  Object.assign(process.env, beginning.environment)
  site = beginning.site
  const log = openLog(beginning.log).child({ process: 'pages' })
  const exitWith = (error: unknown) => {
    log.fatal({ err: error }, 'uncaught exception in the pages process')
    process.exit(1)
  }

  // Next's own listeners would log an uncaught exception and continue in an unknown state
  process.prependListener('uncaughtException', exitWith)
  // a rejected promise without a handler belongs to one failed request; other requests continue
  process.on('unhandledRejection', (error) =>
    log.error({ err: error }, 'unhandled promise rejection in the pages process'),
  )
  redirectConsole(log)
  engine = new RelocatableEngine(log)
  begin(beginning, { log, engine }).catch(exitWith)
}

async function begin(
  { folder, socket, store, reachingOut: outbound, siteFolder, exactUpTo, backupPlan }: PagesStartMessage,
  dependencies: { log: Log; engine: RelocatableEngine },
) {
  const product = await openProduct({
    store,
    engine: dependencies.engine,
    outbound,
    siteFolder,
    exactUpTo,
    pagesBuild: await readFile(join(folder, '.next', 'BUILD_ID'), 'utf8'),
    backupPlan,
    collection: () => collection.state,
    onTrouble: (problem) => dependencies.log.warn({ err: problem }, 'a sign-in by the provider failed'),
  })
  formKey = product.posts.formKey()
  const failures = new PageFailures()
  shareWithNext({
    product,
    log: dependencies.log,
    visit: visits,
    collection,
    failures,
    kit: {
      renderer: kitRenderer,
      caller: kitCaller,
      listed: new ListedPages({
        renderer: kitRenderer,
        onTrouble: (problem) => dependencies.log.warn({ err: problem }, 'a page is left out of lists'),
      }),
      themes: new ThemeFiles(themesFolder(folder)),
      projectId: () => usualProject(product.projects.list(siteViewer))?.id,
    },
  })

  routeOwnFetchesToSocket(socket)
  const catchUp = catchingUp(product, dependencies.log)
  const server = createServer(
    { maxHeaderSize: maxVisitBytes },
    listener(failures.markedBy(await startNext(folder)), catchUp),
  )
  server.keepAliveTimeout = keepAliveMs
  await listen(server, socket)
  product.posts.prepared.prepareAll(openReadingThread(dependencies.log))
  flushCompileCache()
  process.once('SIGTERM', () => void stop(server, [product, dependencies.engine]))
}

const siteViewer = operator('site')

/** A smaller heap belongs to a machine that has no memory for another thread's. */
const leastHeapBytes = 300e6

function openReadingThread(log: Log): ReadingThread | undefined {
  if (getHeapStatistics().heap_size_limit < leastHeapBytes) return undefined
  return new ReadingThread({
    program: join(import.meta.dirname, 'post-reading-program.js'),
    onTrouble: (problem) => log.warn({ err: problem }, 'the thread that reads posts has failed'),
  })
}

/** Must run before Next prepares, because Next wraps the existing `fetch`. */
function routeOwnFetchesToSocket(socket: string) {
  process.env[ownPagesVariable] = ownPagesOrigin
  globalThis.fetch = fetchOwnPages(socket, globalThis.fetch)
}

/** Next writes to the console, in its own format. */
function redirectConsole(log: Log) {
  const stdout = lines((line) => log.debug({ by: 'next' }, line))
  const stderr = lines((line) => log[hasDigest(line) ? 'debug' : 'warn']({ by: 'next' }, line))
  globalThis.console = new Console({ stdout, stderr })
}

/** Whether instrumentation.ts has logged the exception already. */
const hasDigest = (line: string) => /\bdigest: '/.test(line)

const lines = (say: (line: string) => void) =>
  new Writable({
    write(chunk, _encoding, done) {
      say(String(chunk).trimEnd())
      done()
    },
  })

/** Next compiles a module several times, so singletons are stored where every copy finds them. */
function shareWithNext(ours: {
  product: Product
  log: Log
  visit: typeof visits
  collection: typeof collection
  failures: PageFailures
  kit: PagesKit
}) {
  for (const [name, value] of Object.entries(ours)) {
    Object.defineProperty(globalThis, Symbol.for(`tilth.${name}`), { value })
  }
}

/** With less heap than this, pages are loaded when they are first opened. */
const preloadingHeapBytes = 120 * 1024 * 1024

async function startNext(folder: string): Promise<RequestListener> {
  // next.config.js reads it; Next reads that file at its start
  if (getHeapStatistics().heap_size_limit < preloadingHeapBytes) process.env['TILTH_PRELOADS_PAGES'] = 'no'
  const app = next({ dev: false, dir: folder, quiet: true })
  await app.prepare()
  const answer = app.getRequestHandler()
  return withVisit((request, response) => void answer(request, response))
}

const listener =
  (pages: RequestListener, catchUp: (changeCount: number) => Promise<void>): RequestListener =>
  (request, response) => {
    if (request.url === pagesAlivePath)
      response.writeHead(204, { [activeHeader]: performance.eventLoopUtilization().active }).end()
    else void catchUp(Number(request.headers[changesHeader] ?? 0)).then(() => pages(request, response))
  }

/** Reads what the front knows already, so that its page is not older. A store that fails does not hold a page up. */
const catchingUp =
  (product: Pick<Product, 'changes'>, log: Log) =>
  async (changeCount: number): Promise<void> => {
    try {
      await product.changes.catchUpTo(changeCount)
    } catch (error) {
      log.warn({ err: error }, 'a page is rendered without the latest changes')
    }
  }

async function listen(server: Server, socket: string) {
  // a killed process leaves its socket behind
  rmSync(socket, { force: true })
  process.umask(0o077)
  server.listen(socket)
  await once(server, 'listening')
}

/** Finishes pages in progress. The front requests no more, but keeps its connections open. */
async function stop(server: Server, dependents: { close(): Promise<void> }[]) {
  server.close()
  const hangUp = setInterval(() => server.closeIdleConnections(), 50)
  await once(server, 'close')
  clearInterval(hangUp)
  for (const part of dependents) await part.close()
  process.exit(0)
}
