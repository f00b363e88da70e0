import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { Agent, get, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EngineAddress } from '#engine/engine'
import type { CollectionState } from '#ingest/collection-state'
import { type ChildHealth, type ProcessLog, supervise } from '#processes/supervise'
import { answerRefused, answerUnavailable, refusedPages, type UnavailableReason } from '#http/error-page'
import { mallocSettings, heapFlags } from '#http/node-limits'
import { pagesAlivePath, type PagesStartMessage, type PagesMessage } from './pages-channel'
import {
  type RenderResponse,
  type RenderRequest,
  renderFromPages,
  forwardToPages,
  type ResponseReceiver,
} from '#http/forward'

const seconds = 1000

/** How long the pages may not respond, and how soon they are restarted. */
const timings = {
  startWithinMs: 60 * seconds,
  probeEveryMs: seconds,
  deafAfterMs: 5 * seconds,
  busyAfterMs: 60 * seconds,
  backOffMs: { first: 250, most: 15 * seconds },
}

/** With more concurrent requests, the last would wait too long for Next. */
const maxConcurrent = 512

interface PagesSettings extends Omit<PagesStartMessage, 'socket' | 'environment'> {
  /** The compiled server/pages.ts. */
  program: string
  /** The limit of its heap; Node's default if absent. */
  heapBytes?: number
  dataFolder: string
  /** Reports that the process exited or is ready. */
  report: ProcessLog
  /** The destination of the pages' own log. */
  output?: NodeJS.WritableStream
}

interface ForwardOptions {
  /** Headers for the pages process in addition to the browser's. */
  headers?: OutgoingHttpHeaders
  receive?: ResponseReceiver
}

/** The pages process as the front server sees it. Requests get a response in every state of it. */
export interface PagesProcess {
  serve(request: IncomingMessage, response: ServerResponse, passing?: ForwardOptions): void
  /** Renders a page that can be shared, or returns why it cannot. */
  render(asked: RenderRequest): Promise<RenderResponse | UnavailableReason>
  /** A restarted engine may listen on another port. */
  setEngineAddress(address: EngineAddress): void
  /** Sends how far storing lags, for pages with figures. */
  setCollectionState(state: CollectionState): void
  health(): ChildHealth
  ready(): Promise<void>
  stop(): Promise<void>
}

export function startPagesProcess({
  program,
  heapBytes,
  dataFolder,
  report,
  output = process.stdout,
  ...begin
}: PagesSettings): PagesProcess {
  const socket = socketIn(dataFolder)
  const agent = new Agent({ keepAlive: true, maxSockets: 128, maxFreeSockets: 32 })
  /** The latest message of each kind, sent again to a restarted pages process. */
  const sentMessages = new Map<string, PagesMessage>()
  let lastWords = ''
  let activeCount = 0

  const child = supervise({
    name: 'pages process',
    ...timings,
    spawn() {
      lastWords = ''
      const spawned = spawnPages({ program, heapBytes, output })
      spawned.stderr?.on('data', (words) => (lastWords = `${lastWords}${words}`.slice(-500)))
      const beginning = { ...begin, socket, environment: postgresEnvironment() }
      for (const message of [{ begin: beginning }, ...sentMessages.values()]) spawned.send(message)
      return spawned
    },
    isAlive: () => isAlive(socket),
    stop: { signal: 'SIGTERM', withinMs: 6 * seconds },
    log: report,
    lastOutput: () => lastWords,
  })

  const tell = (message: PagesMessage): void => child.send(rememberMessage(message, sentMessages))

  function unavailable(): UnavailableReason | undefined {
    const { status } = child.health()
    if (status !== 'ready') return status
    return activeCount >= maxConcurrent ? 'busy' : undefined
  }

  return {
    serve(request, response, options) {
      const refused = refusalFor(request)
      if (refused) return answerRefused(request, response, refused)

      const reason = unavailable()
      if (reason) return answerUnavailable(request, response, reason)

      activeCount += 1
      response.once('close', () => (activeCount -= 1))
      forwardToPages(request, response, { socket, agent, ...options })
    },
    async render(renderRequest) {
      const reason = unavailable()
      if (reason) return reason

      activeCount += 1
      try {
        return await renderFromPages(renderRequest, { socket, agent })
      } finally {
        activeCount -= 1
      }
    },
    setEngineAddress: (engine) => tell({ engine }),
    setCollectionState: (collection) => tell({ collection }),
    health: () => child.health(),
    ready: () => child.ready(),
    async stop() {
      await child.stop()
      agent.destroy()
    },
  }
}

function rememberMessage(message: PagesMessage, sentMessages: Map<string, PagesMessage>): PagesMessage {
  for (const kind of Object.keys(message)) sentMessages.set(kind, message)
  return message
}

/** The longest socket path that all systems allow is 103 bytes. */
const maxSocketPath = 100

function socketIn(dataFolder: string): string {
  const folder = join(dataFolder, 'run')
  const socket = join(folder, 'pages.sock')
  if (Buffer.byteLength(socket) > maxSocketPath)
    return join(mkdtempSync(join(tmpdir(), 'tilth-')), 'pages.sock')

  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return socket
}

function spawnPages({
  program,
  heapBytes,
  output,
}: Pick<PagesSettings, 'program' | 'heapBytes'> & { output: NodeJS.WritableStream }): ChildProcess {
  const execArgv = heapBytes === undefined ? [] : heapFlags(heapBytes)
  const child = fork(program, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv,
    env: inheritedEnvironment(),
  })
  child.stdout?.pipe(output, { end: false })
  return child
}

/**
 * General variables of programs. The front reads and validates settings once, and options of its own Node do not apply
 * to the child.
 */
const inheritedVariables =
  /^(?:PATH|HOME|TMPDIR|TZ|LANG|LANGUAGE|LC_\w+|(?:LD|DYLD)_LIBRARY_PATH|UV_THREADPOOL_SIZE|NODE_COMPILE_CACHE|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR))$/

function inheritedEnvironment(): NodeJS.ProcessEnv {
  return {
    ...environmentWhere(inheritedVariables),
    ...mallocSettings,
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
  }
}

/**
 * Postgres' own settings, passwords included: sent in a message, because an inherited environment can be read in /proc.
 */
const postgresEnvironment = (): Record<string, string> => environmentWhere(/^PG/)

function environmentWhere(name: RegExp): Record<string, string> {
  const entries = Object.entries(process.env).filter(([each]) => name.test(each))
  return Object.fromEntries(entries.flatMap(([each, value]) => (value === undefined ? [] : [[each, value]])))
}

function isAlive(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    get({ socketPath, path: pagesAlivePath, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 204)
    }).on('error', () => resolve(false))
  })
}

/** Pages accept reads and actions. Actions come from a script or, before it has loaded, from a form. */
function refusalFor({ method, headers }: IncomingMessage) {
  if (method === 'GET' || method === 'HEAD') return undefined

  const isAction = 'next-action' in headers || headers['content-type']?.startsWith('multipart/form-data')
  return method === 'POST' && isAction ? undefined : refusedPages[405]
}
