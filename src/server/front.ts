import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Dialect } from '../wire/dialect'
import type { Config } from './config'
import { type House, openDoor } from './front-door'
import { answeringAddresses } from './hosts'
import { type Limits, usualLimits } from './limits'
import type { Log } from './log'
import { Metrics } from './metrics'
import { bareAnswer, refuseConnection } from './refusals'
import { StartRefused } from './start-refused'

interface FrontSettings {
  config: Config
  house: House
  log: Log
  limits?: Limits
  /** How SDKs may talk to us. */
  dialects?: readonly Dialect[]
}

/** The one port. It is open before anything slow begins, and answers for what is not there yet. */
export interface Front {
  /** The address to print: the first of TILTH_URL, or where we really listen. */
  address: URL
  port: number
  /** Ends every answer that has no end of its own: whoever listens comes back to what answers by then. */
  hangUp: () => void
  /** Takes nothing new, lets what is under way finish, and cuts off the rest after a while. */
  drain: () => Promise<void>
}

export async function openFront(settings: FrontSettings): Promise<Front> {
  const { config, house, limits = usualLimits() } = settings
  const server = serverWithin(limits)
  const underWay = new UnderWay(server, limits.drainMs)
  const metrics = new Metrics({
    engine: () => house.engine?.health(),
    pages: () => house.pages?.health(),
    openConnections: () => connectionsOf(server),
    intake: () => house.product?.intake?.counts(),
    jobs: () => house.product?.jobs?.counts(),
  })
  let addresses: readonly URL[] = []
  const streams = new Set<() => void>()
  const answer = openDoor({ ...settings, limits, metrics, streams, addresses: () => addresses })
  answerAll(server, underWay, answer)

  const port = await listen(server, config)
  const address = config.addressesAreGiven ? config.addresses[0] : withPort(config.addresses[0], port)
  addresses = answeringAddresses(config.addressesAreGiven ? config.addresses : [address])
  const hangUp = (): void => streams.forEach((end) => end())
  return { address, port, hangUp, drain: () => drain(underWay, hangUp, house) }
}

/** Who listens is told at once, and comes back to whoever answers next. */
async function drain(underWay: UnderWay, hangUp: () => void, { live }: House): Promise<void> {
  const drained = underWay.drain()
  hangUp()
  live?.close()
  await drained
}

function serverWithin(limits: Limits): Server {
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    keepAliveTimeout: limits.keepAliveMs,
    // the front door says it in its own words
    requireHostHeader: false,
  })
  server.maxConnections = limits.connections
  server.maxHeadersCount = limits.headers
  return server
}

type Answerer = (request: IncomingMessage, response: ServerResponse) => void

/** Whatever reaches the port: requests, those who ask before they send, tunnels, and what is no HTTP at all. */
function answerAll(server: Server, underWay: UnderWay, answer: Answerer): void {
  const onRequest: Answerer = (request, response) => {
    underWay.add(response)
    answer(request, response)
  }
  server.on('request', onRequest)
  server.on('checkContinue', onRequest)
  server.on('connect', (_request, socket) => socket.end(bareAnswer(405, 'This is no proxy.')))
  server.on('clientError', (problem: NodeJS.ErrnoException, socket) => {
    if (underWay.hasBegunAnswering(socket)) socket.destroy()
    else refuseConnection(problem, socket)
  })
}

/** The answers being given, so that a stop can wait for them and a broken connection is not answered twice. */
class UnderWay {
  private readonly responses = new Set<ServerResponse>()
  private isDraining = false

  constructor(
    private readonly server: Server,
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
    const impatience = setTimeout(() => this.server.closeAllConnections(), this.drainMs)
    await closed
    clearTimeout(impatience)
  }
}

async function listen(server: Server, { port, host }: Config): Promise<number> {
  server.listen({ port, host, backlog: 1024 })
  try {
    await once(server, 'listening')
  } catch (problem) {
    throw new StartRefused(cannotListen(problem, port, host))
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
    'cannot be opened, because this machine has no such address: mend TILTH_HOST or leave it out',
  ENOTFOUND: 'cannot be opened, because there is no such host: mend TILTH_HOST or leave it out',
}

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' ? (address?.port ?? 0) : 0

function withPort(address: URL, port: number): URL {
  const copy = new URL(address)
  copy.port = String(port)
  return copy
}

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_problem, count) => resolve(count ?? 0)))
