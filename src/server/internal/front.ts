import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Dialect } from '#wire/dialect'
import type { Config } from '../config'
import { ActionLimits } from '#http/action-limits'
import { FastLane } from '#http/fast-lane/fast-lane'
import { findPlainHandler } from './plain-lane'
import type { RunningServices } from './ready'
import { routesOf } from './routes'
import { handleRequest } from './run-route'
import { UnknownHosts } from './unknown-hosts'
import { bodyMemoryOf, formMemoryOf } from '#engine/budget'
import { BodyMemory } from '#wire/body-memory'
import { ReceivedBytes } from '#http/body'
import { IngestGate } from '#http/ingest-gate'
import { answerHealth } from '#http/health'
import { answeringAddresses } from '#http/hosts'
import { type Limits, usualLimits } from '#http/limits'
import type { Log } from '../log'
import { Metrics } from './metrics'
import { rawResponse, refuseConnection } from '#http/refusals'
import { StartError } from '../start/internal/start-error'

interface FrontSettings {
  config: Config
  log: Log
  limits?: Limits
  /** The dialects of SDKs. */
  dialects?: readonly Dialect[]
}

/** Opens the port before slow services start, and responds in their place meanwhile. */
export interface Front {
  /** The address to print: the first of TILTH_URL, or the actual one. */
  address: URL
  /** All addresses in TILTH_URL, or the actual one: with PORT=0 only the front knows the port. */
  addresses: readonly URL[]
  port: number
  /** Answers with these services, too, from now on. All others are refused as starting, or are as they were. */
  use: (services: RunningServices) => void
  /** Ends every streamed response; clients reconnect to the services that run by then. */
  closeStreams: () => void
  /** Answers that it is not ready, so that a load balancer sends no more, and everything else as before. */
  announceStop: () => void
  /** Accepts no new requests, waits for those in progress, and aborts the rest after a while. */
  drain: () => Promise<void>
}

export async function openFront({
  config,
  log,
  limits = usualLimits(),
  dialects,
}: FrontSettings): Promise<Front> {
  const services: RunningServices = {}
  const server = createServerWithin(limits)
  const bodies = bodyMemoryOf(config.memoryBytes)
  const gate = new IngestGate({ connections: limits.connections, bodyBytes: bodies.receivedBytes })
  const actionLimits = new ActionLimits(formMemoryOf(config.memoryBytes))
  const metrics = new Metrics({
    engine: () => services.engine?.health(),
    pages: () => services.pages?.health(),
    openConnections: () => countConnections(server),
    staleMs: () => services.product?.changes.staleMs(),
    intake: () => services.intake?.counts(),
    collection: () => services.intake?.state(),
    jobs: () => services.product?.jobs?.counts(),
    refused: () => ({ events: gate.refused, actions: actionLimits.refused }),
    backups: () => services.product?.backupScheduler?.status(),
    deliveries: () => services.product?.deliveryCounts(),
  })
  let addresses: readonly URL[] = []
  const streams = new Set<() => void>()
  const context = {
    config,
    addresses: () => addresses,
    services,
    limits,
    metrics,
    log,
    receivedBytes: new ReceivedBytes(bodies.receivedBytes),
    actionLimits,
    unknownHosts: new UnknownHosts(),
  }
  const routes = routesOf({
    ...context,
    admission: { gate, bodyMemory: new BodyMemory(bodies) },
    largestWireBody: bodies.largestBytes,
    dialects,
    streams,
  })
  const lane = new FastLane(server, {
    find: (request, peer) => findPlainHandler(request, peer, routes, context),
    keepAliveMs: limits.keepAliveMs,
    patienceMs: Math.min(limits.headersMs, maxLanePatienceMs),
  })
  const activeResponses = new ActiveResponses(server, lane, limits.drainMs)
  answerAll(server, activeResponses, (request, response) => {
    if (request.url !== '/_tilth/health') return handleRequest(request, response, routes, context)
    metrics.countHealthCheck()
    answerHealth(request, response)
  })

  const port = await listen(server, config)
  const own = config.addressesAreGiven ? config.addresses : ([withPort(config.addresses[0], port)] as const)
  addresses = answeringAddresses(own)
  const closeStreams = (): void => streams.forEach((end) => end())
  return {
    address: own[0],
    addresses: own,
    port,
    use: (started) => void Object.assign(services, started),
    announceStop: () => void Object.assign(services, { stopping: true }),
    closeStreams,
    drain: () => drain(activeResponses, closeStreams, services),
  }
}

/** A request that is not complete after this time is received by `node:http`, with its own limits. */
const maxLanePatienceMs = 1000

/** Ends streams at once, so that their clients reconnect to the next front. */
async function drain(
  activeResponses: ActiveResponses,
  closeStreams: () => void,
  { live }: RunningServices,
): Promise<void> {
  const drained = activeResponses.drain()
  closeStreams()
  live?.close()
  await drained
}

function createServerWithin(limits: Limits): Server {
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    keepAliveTimeout: limits.keepAliveMs,
    // the front door refuses requests without a host itself
    requireHostHeader: false,
  })
  server.maxConnections = limits.connections
  server.maxHeadersCount = limits.headers
  return server
}

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

/** Handles everything that arrives on the port: requests, `Expect` headers, tunnels, and invalid HTTP. */
function answerAll(server: Server, activeResponses: ActiveResponses, answer: RequestHandler): void {
  const onRequest: RequestHandler = (request, response) => {
    activeResponses.add(response)
    answer(request, response)
  }
  server.on('request', onRequest)
  server.on('checkContinue', onRequest)
  server.on('connect', (_request, socket) => socket.end(rawResponse(405, 'This is no proxy.')))
  server.on('clientError', (problem: NodeJS.ErrnoException, socket) => {
    if (activeResponses.hasBegunAnswering(socket)) socket.destroy()
    else refuseConnection(problem, socket)
  })
}

/** The responses in progress, so that a stop can wait for them and a broken connection gets no second response. */
class ActiveResponses {
  private readonly responses = new Set<ServerResponse>()
  private isDraining = false

  constructor(
    private readonly server: Server,
    private readonly lane: FastLane,
    private readonly drainMs: number,
  ) {}

  add(response: ServerResponse): void {
    this.responses.add(response)
    if (this.isDraining) response.setHeader('connection', 'close')
    response.on('close', () => {
      this.responses.delete(response)
      if (this.isDraining) this.server.closeIdleConnections()
    })
  }

  hasBegunAnswering(socket: unknown): boolean {
    for (const response of this.responses) if (response.socket === socket && response.headersSent) return true
    return false
  }

  async drain(): Promise<void> {
    this.isDraining = true
    for (const response of this.responses)
      if (!response.headersSent) response.setHeader('connection', 'close')
    const closed = once(this.server, 'close')
    this.server.close()
    this.lane.drain()
    const timeout = setTimeout(() => {
      this.lane.destroy()
      this.server.closeAllConnections()
    }, this.drainMs)
    await closed
    clearTimeout(timeout)
  }
}

async function listen(server: Server, { port, host }: Config): Promise<number> {
  server.listen({ port, host, backlog: 1024 })
  try {
    await once(server, 'listening')
  } catch (problem) {
    throw new StartError(cannotListen(problem, port, host))
  }
  return portOf(server.address())
}

function cannotListen(problem: unknown, port: number, host: string | undefined): string {
  const code = problem instanceof Error && 'code' in problem ? String(problem.code) : String(problem)
  const remedy = remedies[code] ?? `cannot be opened (${code}): set PORT or TILTH_HOST to what can`
  return `Port ${port}${host ? ` of ${host}` : ''} ${remedy}.`
}

const remedies: Record<string, string> = {
  EADDRINUSE: 'is taken by another program: stop that one, or set PORT to another number, such as PORT=3001',
  EACCES: 'may only be opened by the system’s administrator: set PORT to a number above 1023',
  EADDRNOTAVAIL:
    'cannot be opened, because this machine has no such address: correct TILTH_HOST or leave it out',
  ENOTFOUND: 'cannot be opened, because there is no such host: correct TILTH_HOST or leave it out',
}

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' ? (address?.port ?? 0) : 0

function withPort(address: URL, port: number): URL {
  const copy = new URL(address)
  copy.port = String(port)
  return copy
}

const countConnections = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_problem, count) => resolve(count ?? 0)))
