import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { Agent, get, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EngineAddress } from '../engine/engine'
import { type ChildHealth, type ProcessLog, supervise } from '../processes/supervise'
import { answerRefused, answerUnavailable, refusedPages, type Unavailable } from './honest-page'
import { alivePath, type PagesBeginning, type PagesMessage } from './pages-channel'
import { type Answered, type Asked, askPages, passOn, type Receive } from './pass-on'

const seconds = 1000

/** More than Next could work off before the last of them had waited too long. */
const mostUnderWay = 512

interface PagesSettings extends Omit<PagesBeginning, 'socket'> {
  /** The compiled server/pages.ts. */
  program: string
  dataFolder: string
  /** Where it is told that the process was lost, or is ready. */
  report: ProcessLog
  /** Where the pages' own log goes. */
  output?: NodeJS.WritableStream
}

interface Passing {
  /** Said to the pages besides what the browser said. */
  headers?: OutgoingHttpHeaders
  receive?: Receive
}

/** The pages process as the front sees it. It is answered for, whatever state it is in. */
export interface Pages {
  serve(request: IncomingMessage, response: ServerResponse, passing?: Passing): void
  /** A page for everybody who gets it, or why there is none. */
  render(asked: Asked): Promise<Answered | Unavailable>
  /** An engine that is started again may come up on another port. */
  engineMoved(address: EngineAddress): void
  health(): ChildHealth
  ready(): Promise<void>
  stop(): Promise<void>
}

export function startPages({
  program,
  dataFolder,
  report,
  output = process.stdout,
  ...begin
}: PagesSettings): Pages {
  const socket = socketIn(dataFolder)
  const agent = new Agent({ keepAlive: true, maxSockets: 128, maxFreeSockets: 32 })
  let engine: EngineAddress | undefined
  let lastWords = ''
  let underWay = 0

  const child = supervise({
    name: 'pages process',
    spawn() {
      lastWords = ''
      const spawned = spawnPages(program, output)
      spawned.stderr?.on('data', (words) => (lastWords = `${lastWords}${words}`.slice(-500)))
      spawned.send({ begin: { ...begin, socket } } satisfies PagesMessage)
      if (engine) spawned.send({ engine } satisfies PagesMessage)
      return spawned
    },
    isAlive: () => isAlive(socket),
    startWithinMs: 60 * seconds,
    probeEveryMs: seconds,
    deafAfterMs: 5 * seconds,
    stop: { signal: 'SIGTERM', withinMs: 6 * seconds },
    backOffMs: { first: 250, most: 15 * seconds },
    log: report,
    lastWords: () => lastWords,
  })

  function unavailable(): Unavailable | undefined {
    const { status } = child.health()
    if (status !== 'ready') return status
    return underWay >= mostUnderWay ? 'busy' : undefined
  }

  return {
    serve(request, response, passing) {
      const refused = refusalOf(request)
      if (refused) return answerRefused(request, response, refused)

      const why = unavailable()
      if (why) return answerUnavailable(request, response, why)

      underWay += 1
      response.once('close', () => (underWay -= 1))
      passOn(request, response, { socket, agent, ...passing })
    },
    async render(asked) {
      const why = unavailable()
      if (why) return why

      underWay += 1
      try {
        return await askPages(asked, { socket, agent })
      } finally {
        underWay -= 1
      }
    },
    engineMoved(address) {
      engine = address
      child.send({ engine } satisfies PagesMessage)
    },
    health: () => child.health(),
    ready: () => child.ready(),
    async stop() {
      await child.stop()
      agent.destroy()
    },
  }
}

/** The longest name a unix socket may have everywhere is 103 bytes. */
const longestSocketName = 100

function socketIn(dataFolder: string): string {
  const folder = join(dataFolder, 'run')
  const socket = join(folder, 'pages.sock')
  if (Buffer.byteLength(socket) > longestSocketName)
    return join(mkdtempSync(join(tmpdir(), 'tilth-')), 'pages.sock')

  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return socket
}

function spawnPages(program: string, output: NodeJS.WritableStream): ChildProcess {
  const child = fork(program, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [], env: surroundings() })
  child.stdout?.pipe(output, { end: false })
  return child
}

/** What is set from outside is read and checked once, by the front. Among it are passwords that pages have no use for. */
function surroundings(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TILTH_'))
  return { ...Object.fromEntries(inherited), NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
}

function isAlive(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    get({ socketPath, path: alivePath, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 204)
    }).on('error', () => resolve(false))
  })
}

/** Pages are read. Beyond that they only take actions, which come from a script or, before it has loaded, from a form. */
function refusalOf({ method, headers }: IncomingMessage) {
  if (method === 'GET' || method === 'HEAD') return undefined

  const isAction = 'next-action' in headers || headers['content-type']?.startsWith('multipart/form-data')
  return method === 'POST' && isAction ? undefined : refusedPages[405]
}
