import { Console } from 'node:console'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { flushCompileCache } from 'node:module'
import { Writable } from 'node:stream'
import next from 'next'
import { dieWithParent } from '../processes/parent'
import { FollowedEngine } from './followed-engine'
import { type Log, openLog } from './log'
import { alivePath, type PagesBeginning, type PagesMessage } from './pages-channel'
import { openProduct, type Product } from './product'
import { longestVisit, visits, withVisit } from './visited-pages'

/** Longer than the front keeps an idle connection, so that it never asks on one that is just being closed. */
const keepAliveMs = 75_000

dieWithParent()
// A terminal's Ctrl-C reaches every process at once. The front decides what stops when.
process.on('SIGINT', () => {})
process.on('message', hear)

let engine: FollowedEngine | undefined

/** The first message says how to begin, all later ones where the engine has moved to. */
function hear(message: PagesMessage) {
  if ('begin' in message) beginOrFall(message.begin)
  else engine?.moveTo(message.engine)
}

function beginOrFall(beginning: PagesBeginning) {
  const log = openLog(beginning.log).child({ process: 'pages' })
  const fall = (error: unknown) => {
    log.fatal({ err: error }, 'the pages fell over an exception that nobody caught')
    process.exit(1)
  }

  // Next's own listeners would log what nobody caught and carry on in whatever state that left us in.
  process.prependListener('uncaughtException', fall)
  // A promise that failed unheeded belonged to one request, whose answer is lost already. The others' are not.
  process.on('unhandledRejection', (error) =>
    log.error({ err: error }, 'a promise failed that nobody waited for'),
  )
  sendConsoleTo(log)
  engine = new FollowedEngine(log)
  begin(beginning, { log, engine }).catch(fall)
}

async function begin(
  { folder, socket, store, reachingOut, siteFolder }: PagesBeginning,
  ground: { log: Log; engine: FollowedEngine },
) {
  const product = await openProduct({ store, engine: ground.engine, reachingOut, siteFolder })
  share({ product, log: ground.log, visit: visits })

  const server = createServer({ maxHeaderSize: longestVisit }, listener(await startNext(folder)))
  server.keepAliveTimeout = keepAliveMs
  await listen(server, socket)
  flushCompileCache()
  process.once('SIGTERM', () => void stop(server, [product, ground.engine]))
}

/** Next writes to the console, in lines of its own making. */
function sendConsoleTo(log: Log) {
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
function share(ours: { product: Product; log: Log; visit: typeof visits }) {
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
    request.url === alivePath ? void response.writeHead(204).end() : pages(request, response)

async function listen(server: Server, socket: string) {
  // One that was killed leaves its socket behind.
  rmSync(socket, { force: true })
  process.umask(0o077)
  server.listen(socket)
  await once(server, 'listening')
}

/** Pages under way are finished; the front asks for no further ones, but keeps its connections for the case that it did. */
async function stop(server: Server, behind: { close(): Promise<void> }[]) {
  server.close()
  const hangUp = setInterval(() => server.closeIdleConnections(), 50)
  await once(server, 'close')
  clearInterval(hangUp)
  for (const part of behind) await part.close()
  process.exit(0)
}
