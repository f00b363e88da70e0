import type { Exchange, RequestToAnswer } from '#http/trusted-request'
import type { RequestBody } from '#http/body'
import { crossOriginHeaders, preflightHeaders } from '#http/cross-origin'
import { answerJson } from '#http/json-response'
import { answerStream, StreamedBody } from '#http/streamed-body'
import { requestOrigin } from '#projects/origin'
import type { Log } from '#server/log'
import type { Product } from '#server/product'
import { type ApiResponse, handleApiRequest } from './endpoints'
import { handlePlausibleRequest } from './plausible/internal/handle'
import { handlePosthogRequest } from './posthog/internal/handle'
import { type UmamiAddress, umamiAddressIn } from './umami/internal/addresses'
import { handleUmamiRequest } from './umami/internal/handle'

interface Dependencies {
  product: Product
  log: Log
}

/** Answers a request below /api/v1. */
export async function answerApi(
  exchange: Exchange,
  body: RequestBody,
  { product, log }: Dependencies,
): Promise<void> {
  const { request, trustedRequest } = exchange
  const answer = await handleApiRequest(
    {
      ...callIn(exchange, body),
      path: trustedRequest.path.slice('/api/v1'.length),
      query: new URLSearchParams(request.url?.slice(trustedRequest.path.length + 1)),
    },
    product,
  )
  await sendApiResponse(answer, exchange, log)
}

/** Answers PostHog's API for scripts. A browser must be able to read that there is nothing, so the answer is open to all. */
export async function answerPosthogApi(
  exchange: Exchange,
  body: RequestBody,
  { product, log }: Dependencies,
): Promise<void> {
  const { request, response } = exchange
  for (const [name, value] of Object.entries(crossOriginHeaders(request, false)))
    response.setHeader(name, value)
  const answer = await handlePosthogRequest(
    { ...callIn(exchange, body), address: addressOf(exchange), receivedAt: new Date() },
    product,
  )
  await sendApiResponse(answer, exchange, log)
}

/** Answers Plausible's Stats API, whose keys are for servers. */
export async function answerPlausibleApi(
  exchange: Exchange,
  body: RequestBody,
  { product, log }: Dependencies,
): Promise<void> {
  const answer = await handlePlausibleRequest(
    { ...callIn(exchange, body), address: addressOf(exchange), receivedAt: new Date() },
    product,
  )
  await sendApiResponse(answer, exchange, log)
}

const apiKeyIn = ({ headers }: RequestToAnswer['request']): string | undefined => {
  const key = headers['x-umami-api-key']
  return typeof key === 'string' ? key : undefined
}

/** Finds Umami's API in the address of a request. */
export const umamiAddressOf = ({ request, trustedRequest }: RequestToAnswer): UmamiAddress | undefined =>
  umamiAddressIn(
    trustedRequest.path,
    apiKeyIn(request) !== undefined || request.headers.authorization !== undefined,
  )

/** Answers Umami's API for those who read numbers by it; pages of any origin may, with a key. */
export async function answerUmamiApi(
  exchange: Exchange,
  body: RequestBody,
  address: UmamiAddress,
  { product, log }: Dependencies,
): Promise<void> {
  const { request, response, trustedRequest } = exchange
  const isPreflight = request.method === 'OPTIONS'
  const headers = isPreflight ? preflightHeaders(request, false) : crossOriginHeaders(request, false)
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  if (isPreflight) {
    response.writeHead(204).end()
    return
  }
  const answer = await handleUmamiRequest(
    {
      ...callIn(exchange, body),
      address,
      query: new URLSearchParams(request.url?.slice(trustedRequest.path.length + 1)),
      apiKey: apiKeyIn(request),
      bodyBytes: announcedBytes(request),
      receivedAt: new Date(),
    },
    product,
  )
  await sendApiResponse(answer, exchange, log)
}

const announcedBytes = ({ headers }: RequestToAnswer['request']): number | undefined =>
  headers['content-length'] === undefined ? undefined : Number(headers['content-length'])

/** The facts of a request that all APIs read. */
function callIn({ request, response, trustedRequest }: Exchange, body: RequestBody) {
  const left = new AbortController()
  response.once('close', () => left.abort())
  return {
    method: request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET'),
    authorization: request.headers.authorization,
    body: () => body.read(),
    origin: requestOrigin({
      address: trustedRequest.client,
      userAgent: request.headers['user-agent'] ?? '',
      requestId: trustedRequest.requestId,
    }),
    signal: left.signal,
  }
}

/** The address as the caller sees it, which links to further pages repeat. */
const addressOf = ({ request: { url = '' }, trustedRequest: { protocol, host } }: Exchange): URL =>
  URL.parse(`${protocol}://${host}${url}`) ?? new URL(url, 'http://localhost')

async function sendApiResponse(
  answer: ApiResponse,
  { response, trustedRequest: { requestId } }: Exchange,
  log: Log,
): Promise<void> {
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value)
  if (answer.trouble) log.warn({ err: answer.trouble, requestId }, 'the engine did not answer a question')
  if (!(answer.body instanceof StreamedBody)) return answerJson(response, answer.status, answer.body)
  const failure = await answerStream(response, answer.body)
  if (failure) log.warn({ err: failure, requestId }, 'an export was cut by a failure')
}
