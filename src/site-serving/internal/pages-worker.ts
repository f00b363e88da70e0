import type { ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { Agent, get, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forkProgram } from '#processes/fork-program'
import { type ChildHealth, type ProcessLog, supervise } from '#processes/supervise'
import { answerRefused, answerUnavailable, refusedPages, type UnavailableReason } from '#http/error-page'
import { mallocSettings, heapFlags } from '#http/node-limits'
import {
  activeHeader,
  changesHeader,
  pagesAlivePath,
  type PagesStartMessage,
  type PagesMessage,
} from '../pages-channel'
import { LoopLoad } from './loop-load'
import { RenderSlots } from './render-slots'
import {
  type RenderResponse,
  type RenderRequest,
  renderFromPages,
  forwardToPages,
  type ResponseReceiver,
} from '#http/forward'

const seconds = 1000

/** The time for which the pages may not respond, and the wait before they are restarted. */
const timings = {
  startWithinMs: 60 * seconds,
  probeEveryMs: seconds,
  deafAfterMs: 5 * seconds,
  busyAfterMs: 60 * seconds,
  backOffMs: { first: 250, most: 15 * seconds },
}

/** The most concurrent requests: with more, the last would wait too long for Next. */
const maxConcurrent = 512

export interface PagesSettings extends Omit<PagesStartMessage, 'socket' | 'environment'> {
  /** The compiled server/internal/pages.ts. */
  program: string
  /** The limit of its heap; Node's default if absent. */
  heapBytes?: number
  dataFolder: string
  /** Reports that the process exited or is ready. */
  report: ProcessLog
  /** Returns the number of changes of the store that the front knows. */
  changeCount?: () => number | undefined
  /** The destination of the pages' own log. */
  output?: NodeJS.WritableStream
}

export interface ForwardOptions {
  /** Headers for the pages process in addition to the browser's. */
  headers?: OutgoingHttpHeaders
  receive?: ResponseReceiver
}

/** A process that renders pages. Requests get a response in every state of it. */
export interface PagesWorker {
  /** The number of requests in progress. */
  activeCount(): number
  serve(request: IncomingMessage, response: ServerResponse, passing?: ForwardOptions): void
  /** Renders a page that can be shared, or returns why it cannot. */
  render(request: RenderRequest): Promise<RenderResponse | UnavailableReason>
  send(message: PagesMessage): void
  health(): ChildHealth
  ready(): Promise<void>
  stop(): Promise<void>
}

/** `index` numbers the workers of a front. */
export function startPagesWorker(
  {
    program,
    heapBytes,
    dataFolder,
    report,
    output = process.stdout,
    changeCount = () => undefined,
    ...begin
  }: PagesSettings,
  index: number,
): PagesWorker {
  const socket = socketIn(dataFolder, index === 0 ? 'pages.sock' : `pages-${index}.sock`)
  const load = new LoopLoad(2 * timings.probeEveryMs)
  const agent = new Agent({ keepAlive: true, maxSockets: 128, maxFreeSockets: 32 })
  const target = { socket, agent, isBusy: load.isBusy }
  /** The latest message of each kind, sent again to a restarted pages process. */
  const sentMessages = new Map<string, PagesMessage>()
  let lastWords = ''
  let activeCount = 0
  const slots = new RenderSlots(load.isBusy)

  const child = supervise({
    name: nameOf(index),
    ...timings,
    spawn() {
      lastWords = ''
      const spawned = spawnPages({ program, heapBytes, output })
      spawned.stderr?.on('data', (words) => (lastWords = `${lastWords}${words}`.slice(-500)))
      const beginning = { ...begin, socket, environment: postgresEnvironment() }
      for (const message of [{ begin: beginning }, ...sentMessages.values()]) spawned.send(message)
      return spawned
    },
    isAlive: () => isAlive(socket, load),
    stop: { signal: 'SIGTERM', withinMs: 6 * seconds },
    log: report,
    lastOutput: () => lastWords,
  })

  function unavailable(): UnavailableReason | undefined {
    const { status } = child.health()
    if (status !== 'ready') return status
    return activeCount >= maxConcurrent ? 'busy' : undefined
  }

  return {
    activeCount: () => activeCount,
    serve(request, response, options) {
      const refused = refusalFor(request)
      if (refused) return answerRefused(request, response, refused)
      const reason = unavailable()
      if (reason) return answerUnavailable(request, response, reason)
      activeCount += 1
      response.once('close', () => (activeCount -= 1))
      forwardToPages(request, response, { ...target, ...knowingChanges({ ...options }, changeCount) })
    },
    async render(renderRequest) {
      const reason = unavailable()
      if (reason) return reason
      activeCount += 1
      const render = () => renderFromPages(knowingChanges(renderRequest, changeCount), target)
      try {
        // calls wait for slots of their own, in the front
        if (renderRequest.body) return await render()
        return (await slots.run(pathIn(renderRequest), render)) ?? 'busy'
      } finally {
        activeCount -= 1
      }
    },
    send: (message) => child.send(rememberMessage(message, sentMessages)),
    health: () => child.health(),
    ready: () => child.ready(),
    stop: () => child.stop().finally(() => agent.destroy()),
  }
}

/** Replaces what a browser may have sent. */
const knowingChanges = <Asked extends { headers?: OutgoingHttpHeaders }>(
  request: Asked,
  changeCount: () => number | undefined,
) => ({ ...request, headers: { ...request.headers, [changesHeader]: String(changeCount() ?? 0) } })

const pathIn = ({ path }: RenderRequest): string => path.split('?', 1)[0] ?? path

const nameOf = (index: number): string => (index === 0 ? 'pages process' : `pages process ${index + 1}`)

function rememberMessage(message: PagesMessage, sentMessages: Map<string, PagesMessage>): PagesMessage {
  for (const kind of Object.keys(message)) sentMessages.set(kind, message)
  return message
}

/** The longest socket path that all systems allow is 103 bytes. */
const maxSocketPath = 100

function socketIn(dataFolder: string, name: string): string {
  const folder = join(dataFolder, 'run')
  const socket = join(folder, name)
  if (Buffer.byteLength(socket) > maxSocketPath) return join(mkdtempSync(join(tmpdir(), 'tilth-')), name)

  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return socket
}

function spawnPages({
  program,
  heapBytes,
  output,
}: Pick<PagesSettings, 'program' | 'heapBytes'> & { output: NodeJS.WritableStream }): ChildProcess {
  const execArgv = heapBytes === undefined ? [] : heapFlags(heapBytes)
  const child = forkProgram(program, [], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv,
    env: inheritedEnvironment(),
  })
  child.stdout?.pipe(output, { end: false })
  return child
}

/**
 * General variables of programs. The front reads and validates settings once, and options of its own Node do not apply
 * to the child. A clock that is set for the front by Debian's "faketime" is the child's as well.
 */
const inheritedVariables =
  /^(?:PATH|HOME|TMPDIR|TZ|LANG|LANGUAGE|LC_\w+|(?:LD|DYLD)_LIBRARY_PATH|LD_PRELOAD|FAKETIME\w*|UV_THREADPOOL_SIZE|NODE_COMPILE_CACHE|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR))$/

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

function isAlive(socketPath: string, load: LoopLoad): Promise<boolean> {
  return new Promise((resolve) => {
    get({ socketPath, path: pagesAlivePath, agent: false }, (answer) => {
      answer.resume()
      load.note(Number(answer.headers[activeHeader]))
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
