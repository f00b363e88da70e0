import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Desk, WireAnswer } from '../wire/dialect'
import type { Match } from '../wire/matching'
import type { Arrival } from './arrival'
import type { Body } from './body'

/** Reads a request of an SDK whole, lets its dialect understand it, and says what the dialect says. */
export async function answerDialect(
  exchange: Exchange,
  body: Body,
  match: Match,
  { desk, streams }: Listening,
): Promise<void> {
  const { request, arrival } = exchange
  if (request.method === 'OPTIONS') return allow(exchange)
  const receivedAt = new Date()
  const bytes = await body.read()
  const { route, path, prefix, parts } = match
  const answer = await route.answer(
    {
      method: request.method ?? 'GET',
      path,
      prefix,
      parts,
      query: new URLSearchParams(request.url?.slice(arrival.path.length + 1)),
      headers: request.headers,
      body: bytes,
      address: arrival.client,
      receivedAt,
    },
    desk,
  )
  if (answer.goesOn) sayOn(answer, answer.goesOn, exchange, streams)
  else say(answer, exchange)
}

interface Listening {
  desk: Desk
  /** How to end each answer that has no end of its own, for when Tilth stops. */
  streams: Set<() => void>
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  arrival: Arrival
}

/** Sites are other origins than ours by nature. No cookie that opens anything is read here, so there is nothing to guard. */
const openToAll = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Retry-After',
  'cross-origin-resource-policy': 'cross-origin',
}

/** SDKs may be told to send any header along, so a preflight is granted whatever it asks for. */
function allow({ request, response, arrival }: Exchange): void {
  const asked = request.headers['access-control-request-headers']
  response.writeHead(204, {
    ...openToAll,
    'x-request-id': arrival.requestId,
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': asked ?? 'Content-Type, Authorization, If-None-Match',
    'access-control-max-age': '86400',
    vary: 'Access-Control-Request-Headers',
  })
  response.end()
}

function say({ status, headers, body = '' }: WireAnswer, { request, response, arrival }: Exchange): void {
  const hasBody = status !== 204 && status !== 304
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  const said = { ...openToAll, 'x-request-id': arrival.requestId, ...headers }
  response.writeHead(status, hasBody ? { ...said, 'content-length': length } : said)
  response.end(hasBody && request.method !== 'HEAD' ? body : undefined)
}

/** Proxies close what is silent for a minute. */
const heartbeatMs = 25_000
/** Who reads slower than this much piles up has stopped listening. */
const mostWaiting = 64 * 1024

/** An answer that goes on until the other side leaves, or we do. */
function sayOn(
  { status, headers, body = '' }: WireAnswer,
  goesOn: NonNullable<WireAnswer['goesOn']>,
  { request, response, arrival }: Exchange,
  streams: Set<() => void>,
): void {
  response.writeHead(status, { ...openToAll, 'x-request-id': arrival.requestId, ...headers })
  response.write(body)
  const tell = (text: string): void => {
    if (response.writableLength > mostWaiting) response.destroy()
    else if (!response.writableEnded) response.write(text)
  }
  const stop = goesOn(tell)
  const heart = setInterval(() => tell(': still here\n\n'), heartbeatMs).unref()
  const end = (): void => void response.end()
  const leave = (): void => {
    clearInterval(heart)
    streams.delete(end)
    stop()
  }
  streams.add(end)
  response.once('close', leave)
  if (request.method === 'HEAD') end()
  // who left while we were reading says it no second time
  if (response.destroyed) leave()
}
