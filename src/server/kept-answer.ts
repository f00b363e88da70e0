import { hash } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { encodingFor } from '../wire/encodings'
import { filling } from '../visits/slot'
import type { Visit } from '../visits/visit'
import { type SlottedPage, unzipped, type WholePage, zipped } from './packed-page'
import type { Shown } from './page-cache'

/** What is said of one answer, beside what is said of its page. */
interface Saying {
  visit: Visit
  headers: OutgoingHttpHeaders
}

interface Packed {
  bytes: Buffer
  encoding: 'br' | 'gzip' | undefined
}

/** Hands a page out of memory to one visitor. */
export function answerKept(
  { page, how }: Shown,
  request: IncomingMessage,
  response: ServerResponse,
  { visit, headers }: Saying,
): void {
  // while the page was being rendered, the front may have refused the request's body
  if (response.headersSent || response.destroyed) return
  const { body, status } = page
  const filled = body.kind === 'slotted' ? Buffer.from(filling(visit)) : undefined
  const tag = tagOf(page.stem, filled)
  const said = { ...page.headers, etag: tag, 'x-tilth-cache': how, ...headers }
  if (status === 200 && isKnown(tag, request.headers['if-none-match'])) {
    response.writeHead(304, said).end()
    return
  }
  const accepted = request.headers['accept-encoding']
  const { bytes, encoding } =
    body.kind === 'slotted' ? slotted(body, filled ?? nothing, accepted) : whole(body, accepted)
  response.writeHead(status, {
    ...said,
    ...(encoding && { 'content-encoding': encoding }),
    'content-length': bytes.length,
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

const nothing = Buffer.alloc(0)

const tagOf = (stem: string, filled: Buffer | undefined): string =>
  filled ? `W/"${stem}-${hash('sha1', filled, 'base64url')}"` : `W/"${stem}"`

type Accepted = string | string[] | undefined

function whole({ plain, gzip, brotli }: WholePage, accepted: Accepted): Packed {
  if (!gzip) return { bytes: plain, encoding: undefined }
  const encoding = encodingFor(accepted)
  if (encoding === 'br' && brotli) return { bytes: brotli, encoding: 'br' }
  const zips = encoding === 'gzip' || (encoding === 'br' && acceptsGzip(accepted))
  return zips ? { bytes: gzip, encoding: 'gzip' } : { bytes: plain, encoding: undefined }
}

function slotted(page: SlottedPage, filled: Buffer, accepted: Accepted): Packed {
  const encoding = encodingFor(accepted)
  return encoding === 'gzip' || (encoding === 'br' && acceptsGzip(accepted))
    ? { bytes: zipped(page, filled), encoding: 'gzip' }
    : { bytes: unzipped(page, filled), encoding: undefined }
}

/** Where brotli was asked for and there is none, the second best. */
const acceptsGzip = (accepted: Accepted): boolean =>
  encodingFor(String(accepted).replaceAll(/\bbr\b/g, '')) === 'gzip'

const isKnown = (tag: string, known = ''): boolean =>
  known !== '' && (known === '*' || known.split(/\s*,\s*/).includes(tag))
