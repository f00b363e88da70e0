import { once } from 'node:events'
import {
  type Agent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as ask,
  type ServerResponse,
} from 'node:http'
import { buffer } from 'node:stream/consumers'
import { answerUnavailable, type Unavailable } from './honest-page'

/** A page that has not begun by then is not waited for. Time in which the browser was still sending does not count. */
const beginWithinMs = 10_000

/** What becomes of an answer once its head has come. */
export type Receive = (answer: IncomingMessage, response: ServerResponse) => void

interface Way {
  socket: string
  agent: Agent
  /** Said to the pages besides what the browser said. */
  headers?: OutgoingHttpHeaders
  receive?: Receive
}

/** A page that is asked for on behalf of everybody who gets it, and by nobody's connection. */
export interface Asked {
  path: string
  headers: OutgoingHttpHeaders
}

/** A page as it came, whole. */
export interface Answered {
  status: number
  headers: IncomingMessage['headers']
  /** What was said at its end. */
  trailers: NodeJS.Dict<string>
  body: Buffer
}

/** The whole answer, or why there is none. */
export async function askPages(
  { path, headers }: Asked,
  { socket: socketPath, agent }: Pick<Way, 'socket' | 'agent'>,
): Promise<Answered | Unavailable> {
  const deadline = AbortSignal.timeout(beginWithinMs)
  const asked = ask({ socketPath, agent, path, headers, signal: deadline }).end()
  try {
    // a tuple of what the event says
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    const body = await buffer(answer)
    return { status: answer.statusCode ?? 500, headers: answer.headers, trailers: answer.trailers, body }
  } catch {
    return deadline.aborted ? 'late' : 'lost'
  }
}

/** Asks the pages what we were asked, and answers for them where they do not. */
export function passOn(request: IncomingMessage, response: ServerResponse, way: Way) {
  const { socket: socketPath, agent, receive = handOn } = way
  const headers = { ...endToEnd(request.headers), ...way.headers }
  const asked = ask({ socketPath, agent, method: request.method, path: request.url, headers })

  const fail = (why: Unavailable) => {
    asked.destroy()
    if (!response.headersSent && !response.destroyed) answerUnavailable(request, response, why)
  }
  const deadline = setTimeout(fail, beginWithinMs, 'late')
  request.on('data', () => deadline.refresh())
  response.once('close', () => {
    clearTimeout(deadline)
    asked.destroy()
  })
  asked.on('error', () => fail('lost'))
  asked.once('response', (answer) => {
    clearTimeout(deadline)
    // The body may have turned out too large meanwhile, and the front have said so.
    if (response.headersSent) asked.destroy()
    else receive(answer, response)
  })
  request.pipe(asked)
}

/** Hands an answer on while it is still being written. One that breaks off must look broken to the browser too. */
export const handOn: Receive = (answer, response) => {
  response.writeHead(answer.statusCode ?? 500, endToEnd(answer.headers))
  answer.once('error', () => response.destroy())
  answer.pipe(response)
}

// RFC 9110, 7.6.1: these speak of one connection, not of what is sent over it. A body we were told to expect is on its
// way already, so nobody has to be asked for it again.
const ofOneConnection = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function endToEnd(headers: IncomingMessage['headers']): OutgoingHttpHeaders {
  const named = new Set(headers.connection?.toLowerCase().split(/\s*,\s*/))
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !ofOneConnection.has(name) && !named.has(name)),
  )
}
