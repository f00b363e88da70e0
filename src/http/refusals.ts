import { STATUS_CODES, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { failure } from './api-failure'
import { crossOriginHeaders } from './cross-origin'
import type { RequestHead } from './trusted-request'
import { answerRefused, type ErrorPage, refusedPages } from './error-page'

/** Why the front refuses a request. */
export type FrontRefusal = keyof typeof refusals

/** The format of a refusal: a page for people, the API's form, a line for probes, or CORS-readable for SDKs. */
export type RefusalFormat = 'page' | 'api' | 'line' | 'wire'

interface RefusalText {
  status: number
  message: string
  /** The page for people, if it says more than the status and the message. */
  page?: ErrorPage
  headers?: Record<string, string>
}

const refusals = {
  'malformed-address': {
    status: 400,
    message:
      'The address is malformed: a percent sign must be followed by the two digits of a byte of UTF-8.',
    page: refusedPages[400],
  },
  'malformed-request': {
    status: 400,
    message: 'The request is malformed: it must name one host and ask for a path on it.',
    page: refusedPages[400],
  },
  'malformed-form': {
    status: 400,
    message: 'The form is malformed or has too many fields, or no page has one like it.',
    page: refusedPages[400],
  },
  'wrong-method': {
    status: 405,
    message: 'This method is not supported here.',
    page: refusedPages[405],
    headers: { allow: 'GET, HEAD' },
  },
  'foreign-origin': {
    status: 403,
    message: 'The request came from a page of another site. Open the page here and try again.',
  },
  'too-slow': {
    status: 408,
    message: 'The request did not arrive in time. Send it again.',
    headers: { connection: 'close' },
  },
  'too-large': {
    status: 413,
    message: 'The request is larger than this URL accepts. Send less at once.',
    page: refusedPages[413],
  },
  overloaded: {
    status: 503,
    message: 'The server is overloaded. Try again in a second.',
    page: {
      ...refusedPages[503],
      title: 'Too many requests at once',
      advice: 'The page reloads automatically in a second.',
      retryAfterSeconds: 1,
    },
    headers: { 'retry-after': '1' },
  },
  'too-often': {
    status: 429,
    message: 'Too many requests from your network. Wait a minute and try again.',
    headers: { 'retry-after': '60' },
  },
  'too-often-in-an-hour': {
    status: 429,
    message: 'Too many requests from your network. Wait an hour and try again.',
    headers: { 'retry-after': '3600' },
  },
  'wrong-host': {
    status: 421,
    message: 'Tilth does not serve this hostname. Add it to TILTH_URL to allow it.',
    page: refusedPages[421],
  },
  'no-access': {
    status: 401,
    message:
      'Send the token of TILTH_METRICS_TOKEN as "Authorization: Bearer …", or ask from the machine itself.',
    headers: { 'www-authenticate': 'Bearer' },
  },
  'no-image': {
    status: 404,
    message: 'There is no image of this name.',
  },
  'no-project': {
    status: 401,
    message: 'Sign in, and name a project that you can see.',
  },
  'signed-out': {
    status: 401,
    message: 'Only members may send this much. Sign in, then send it again.',
  },
  failed: {
    status: 500,
    message: 'Something went wrong. Find it in the log by the id in the header x-request-id.',
    page: refusedPages[500],
  },
  starting: {
    status: 503,
    message: 'Tilth is starting. Try again in a moment.',
    page: {
      ...refusedPages[503],
      title: 'Tilth is starting',
      advice: startingAdvice(),
      retryAfterSeconds: 1,
    },
    headers: { 'retry-after': '1' },
  },
  'without-store': {
    status: 503,
    message: 'Tilth is waiting for its store. Try again in a moment.',
    page: {
      ...refusedPages[503],
      title: 'Tilth is waiting for its store',
      advice:
        'The database server of the store does not respond; the log has the reason. ' +
        'Flags keep working, and the page reloads automatically.',
      retryAfterSeconds: 1,
    },
    headers: { 'retry-after': '1' },
  },
  'pictures-away': {
    status: 503,
    message:
      'The bucket that keeps pictures does not answer or refuses. Try again in a moment; the log says why.',
    headers: { 'retry-after': '5' },
  },
  'store-busy': storeRefusal('The store is busy. Try again in a moment.', 2),
  'store-full': storeRefusal(
    'The disk of the store is full, so nothing can be saved. The operator must free space.',
    60,
  ),
  'store-broken': storeRefusal(
    'The disk of the store fails, so nothing can be saved. The log has the reason.',
    60,
  ),
  'store-away': storeRefusal('The store does not respond. Try again in a moment.', 5),
} satisfies Record<string, RefusalText>

function storeRefusal(message: string, retryAfterSeconds: number): RefusalText {
  return {
    status: 503,
    message,
    page: {
      ...refusedPages[503],
      title: 'Tilth cannot use its store now',
      advice: message,
      retryAfterSeconds,
    },
    headers: { 'retry-after': String(retryAfterSeconds) },
  }
}

function startingAdvice(): string {
  return 'The page reloads automatically in a few seconds.'
}

const tooLarge = (mostBytes: number): string =>
  `The request is larger than this URL accepts: ${inKilobytes(mostBytes)}. Send less at once.`

const inKilobytes = (bytes: number): string =>
  bytes >= 1024 ** 2 ? `${Math.floor(bytes / 1024 ** 2)} MB` : `${Math.floor(bytes / 1024)} kB`

/** Refuses a request in its format. A response that has begun can only be cut off. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: FrontRefusal,
  format: RefusalFormat,
  mostBodyBytes?: number,
): void {
  if (response.headersSent) return void response.destroy()
  const { status, message: usual, page, headers }: RefusalText = refusals[refusal]
  const message = refusal === 'too-large' && mostBodyBytes ? tooLarge(mostBodyBytes) : usual
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value)
  if (format === 'page') {
    const plain = { status, title: STATUS_CODES[status] ?? '', advice: message }
    answerRefused(request, response, page ?? plain)
  } else {
    const body = format === 'api' ? JSON.stringify(failure(status, refusal, message).body) : `${message}\n`
    response.writeHead(status, plainHeaders(request, format, body))
    response.end(request.method === 'HEAD' ? undefined : body)
  }
}

/** A refusal that an SDK can read, with all of its headers. */
export function wireRefusal(
  request: Pick<RequestHead, 'headers'>,
  refusal: FrontRefusal,
): { status: number; headers: OutgoingHttpHeaders; body: string } {
  const { status, message, headers }: RefusalText = refusals[refusal]
  const body = `${message}\n`
  return { status, headers: { ...headers, ...plainHeaders(request, 'wire', body) }, body }
}

const plainHeaders = (
  request: Pick<RequestHead, 'headers'>,
  format: Exclude<RefusalFormat, 'page'>,
  body: string,
) => ({
  // without these a browser would not show the page's SDK that it was refused
  ...(format === 'wire' && crossOriginHeaders(request, true)),
  'content-type': format === 'api' ? 'application/json' : 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-length': Buffer.byteLength(body),
})

/** Errors that Node finds before there is a request. */
const connectionErrors: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: 'The headers are larger than 16 KB. Clearing cookies may help.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'The chunk extensions are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time. Send it again.' },
}
const malformedRequest = { status: 400, message: 'This is not a well-formed HTTP request.' }

/** Responds on the connection and closes it: it is unclear where another request would begin. */
export function refuseConnection(problem: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || problem.code === 'ECONNRESET') return void socket.destroy()
  const { status, message } = connectionErrors[problem.code ?? ''] ?? malformedRequest
  socket.end(rawResponse(status, message))
}

export const rawResponse = (status: number, message: string): string =>
  [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: text/plain; charset=utf-8',
    `content-length: ${Buffer.byteLength(message) + 1}`,
    'connection: close',
    '',
    `${message}\n`,
  ].join('\r\n')
