import { networkOf } from '#projects/origin'
import type { WireServices, WireResponse } from '#wire/dialect'
import type { RouteMatch } from '#wire/route-matcher'
import type { BodyMemory } from '#wire/body-memory'
import { leadingFields } from '#wire/leading-fields'
import { withOpenBody } from '#wire/open-body'
import type { Exchange, RequestToAnswer, TrustedRequest } from './trusted-request'
import type { RequestBody } from './body'
import { crossOriginHeaders, preflightHeaders, withCrossOrigin, withoutForeignCookies } from './cross-origin'
import { refuse } from './refusals'

/** Reads an SDK's request, passes it to its dialect, and sends the dialect's response. */
export async function answerDialect(
  exchange: Exchange,
  body: RequestBody,
  match: RouteMatch,
  settings: WireExchangeSettings & {
    /** Functions that end the open streams, called when Tilth stops. */
    streams: Set<() => void>
  },
): Promise<void> {
  if (exchange.request.method === 'OPTIONS') return answerPreflight(exchange, match)
  const receivedAt = new Date()
  const bytes = await body.read()
  const answer = await dialectResponse(exchange, { bytes, receivedAt }, match, settings)
  if (!answer) refuseOverloaded(exchange)
  else if (answer.stream) streamResponse(answer, answer.stream, exchange, settings.streams)
  else sendResponse(answer, exchange)
}

/** Returns the response of a request's dialect, as pages of any origin may read it; undefined under overload. */
export async function dialectResponse(
  { request, trustedRequest }: RequestToAnswer,
  { bytes, receivedAt }: { bytes: Buffer; receivedAt: Date },
  match: RouteMatch,
  { wire, bodyMemory }: WireExchangeSettings,
): Promise<WireResponse | undefined> {
  const query = new URLSearchParams(request.url?.slice(trustedRequest.path.length + 1))
  const { route, path, prefix, parts, allowsCredentials } = match
  const wireRequest = { method: request.method ?? 'GET', headers: request.headers, query, body: bytes }
  let refused = route.refuseEarly?.({ ...wireRequest, leading: leadingFields(bytes) }, wire)
  const isRefused = (content: Uint8Array): boolean => {
    refused = route.refuseEarly?.({ ...wireRequest, leading: leadingFields(content), content }, wire)
    return refused !== undefined
  }
  const answer =
    refused ??
    (await withOpenBody(
      {
        ...wireRequest,
        sender: senderOf(trustedRequest),
        takesEvents: route.takesEvents === true,
        hasEventsAsTexts: route.hasEventsAsTexts,
        isRefused,
      },
      { scheduler: wire.scheduler, memory: bodyMemory },
      (openedBody) =>
        refused ??
        route.respond(
          {
            ...wireRequest,
            ...openedBody,
            path,
            prefix,
            parts,
            headers: allowsCredentials ? withoutForeignCookies(request.headers) : request.headers,
            address: trustedRequest.client,
            receivedAt,
          },
          wire,
        ),
    ))
  if (!answer) return undefined
  const open = crossOriginHeaders(request, allowsCredentials)
  return { ...answer, headers: withCrossOrigin(answer.headers ?? {}, open) }
}

/** Names the sender in the queue and in the limits of memory, before the project is known. */
export const senderOf = ({ client }: TrustedRequest): string => `network ${networkOf(client)}`

function refuseOverloaded({ request, response, trustedRequest }: Exchange): void {
  response.setHeader('x-request-id', trustedRequest.requestId)
  refuse(request, response, 'overloaded', 'wire')
}

interface WireExchangeSettings {
  wire: WireServices
  bodyMemory: BodyMemory
}

function answerPreflight(
  { request, response, trustedRequest }: Exchange,
  { allowsCredentials }: RouteMatch,
): void {
  response.writeHead(204, {
    ...preflightHeaders(request, allowsCredentials),
    'x-request-id': trustedRequest.requestId,
  })
  response.end()
}

function sendResponse(
  { status, headers, body = '' }: WireResponse,
  { request, response, trustedRequest }: Exchange,
): void {
  const hasBody = status !== 204 && status !== 304
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  const responseHeaders = { 'x-request-id': trustedRequest.requestId, ...headers }
  response.writeHead(status, hasBody ? { ...responseHeaders, 'content-length': length } : responseHeaders)
  response.end(hasBody && request.method !== 'HEAD' ? body : undefined)
}

/** Proxies close connections without traffic after a minute. */
const heartbeatMs = 25_000
/** A client with more unread bytes than this is disconnected. */
const maxBufferedBytes = 64 * 1024

/** Streams a response until the client disconnects or Tilth stops. */
function streamResponse(
  { status, headers, body = '' }: WireResponse,
  continueWith: NonNullable<WireResponse['stream']>,
  { request, response, trustedRequest }: Exchange,
  streams: Set<() => void>,
): void {
  response.writeHead(status, { 'x-request-id': trustedRequest.requestId, ...headers })
  response.write(body)
  const tell = (text: string): void => {
    if (response.writableLength > maxBufferedBytes) response.destroy()
    else if (!response.writableEnded) response.write(text)
  }
  const end = (): void => void response.end()
  const stop = continueWith(tell, end)
  const heartbeat = setInterval(() => tell(': still here\n\n'), heartbeatMs).unref()
  const disconnect = (): void => {
    clearInterval(heartbeat)
    streams.delete(end)
    stop()
  }
  streams.add(end)
  response.once('close', disconnect)
  if (request.method === 'HEAD') end()
  // a client that disconnected during the read emits no second event
  if (response.destroyed) disconnect()
}
