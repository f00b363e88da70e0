import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Desk, WireAnswer } from '../wire/dialect'
import type { Match } from '../wire/matching'
import type { Arrival } from './arrival'
import { readBody } from './body'

/** Reads a request of an SDK whole, lets its dialect understand it, and says what the dialect says. */
export async function answerDialect(
  { request, response, arrival }: { request: IncomingMessage; response: ServerResponse; arrival: Arrival },
  match: Match,
  desk: Desk,
): Promise<void> {
  for (const [name, value] of Object.entries(openToAll)) response.setHeader(name, value)
  if (request.method === 'OPTIONS') return allow(request, response)
  const receivedAt = new Date()
  const body = await readBody(request)
  const { route, path, prefix, parts } = match
  const answer = await route.answer(
    {
      method: request.method ?? 'GET',
      path,
      prefix,
      parts,
      query: new URLSearchParams(request.url?.slice(arrival.path.length + 1)),
      headers: request.headers,
      body,
      address: arrival.client,
      receivedAt,
    },
    desk,
  )
  say(answer, request, response)
}

/** Sites are other origins than ours by nature. No cookie of ours is ever read here, so there is nothing to guard. */
const openToAll = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Retry-After',
  'cross-origin-resource-policy': 'cross-origin',
}

/** SDKs may be told to send any header along, so a preflight is granted whatever it asks for. */
function allow(request: IncomingMessage, response: ServerResponse): void {
  const asked = request.headers['access-control-request-headers']
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': asked ?? 'Content-Type, Authorization, If-None-Match',
    'access-control-max-age': '86400',
    vary: 'Access-Control-Request-Headers',
  })
  response.end()
}

function say(
  { status, headers, body = '' }: WireAnswer,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const hasBody = status !== 204 && status !== 304
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  response.writeHead(status, { ...headers, ...(hasBody && { 'content-length': length }) })
  response.end(hasBody && request.method !== 'HEAD' ? body : undefined)
}
