import { hash } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { RequestHead } from '#http/trusted-request'
import { chooseEncoding } from '#wire/encodings'
import { slotContent as renderSlot } from '#visits/slot'
import type { Visit } from '#visits/visit'
import { type SlottedPage, plainFilled, type WholePage, gzipFilled } from './compressed-page'
import type { ServedPage } from './page-cache'

/** Headers of a single response, in addition to those of its page. */
interface CachedPageResponse {
  visit: Visit
  headers: OutgoingHttpHeaders
}

interface EncodedPageBody {
  bytes: Buffer
  encoding: 'br' | 'gzip' | undefined
}

/** Sends a cached page to a visitor. */
export function sendCachedPage(
  served: ServedPage,
  request: IncomingMessage,
  response: ServerResponse,
  cachedPageResponse: CachedPageResponse,
): void {
  // while the page was being rendered, the front may have refused the request's body
  if (response.headersSent || response.destroyed) return
  const { status, page, own, body } = encodeCachedPage(served, request, cachedPageResponse)
  response.writeHead(status, { ...page, ...own }).end(body)
}

/** A page as it is sent in one response. */
export interface EncodedPage {
  status: number
  /** The headers of the page, the same object for every response. */
  page: OutgoingHttpHeaders
  /** The headers of this response, which also replace the page's. */
  own: OutgoingHttpHeaders
  /** Undefined for a response without one. */
  body: Buffer | undefined
}

export function encodeCachedPage(
  { page, cacheStatus }: ServedPage,
  { method, headers: asked }: RequestHead,
  { visit, headers }: CachedPageResponse,
): EncodedPage {
  const { body, status } = page
  const slotContent = body.kind === 'slotted' ? Buffer.from(renderSlot(visit)) : undefined
  const tag = tagOf(page.stem, slotContent)
  const own: OutgoingHttpHeaders = { etag: tag, 'x-tilth-cache': cacheStatus, ...headers }
  if (status === 200 && matchesTag(tag, asked['if-none-match']))
    return { status: 304, page: page.headers, own, body: undefined }
  const accepted = asked['accept-encoding']
  const { bytes, encoding } =
    body.kind === 'slotted'
      ? encodeSlotted(body, slotContent ?? emptyBuffer, accepted)
      : encodeWhole(body, accepted)
  if (encoding) own['content-encoding'] = encoding
  own['content-length'] = bytes.length
  return { status, page: page.headers, own, body: method === 'HEAD' ? undefined : bytes }
}

const emptyBuffer = Buffer.alloc(0)

const tagOf = (stem: string, filled: Buffer | undefined): string =>
  filled ? `W/"${stem}-${hash('sha1', filled, 'base64url')}"` : `W/"${stem}"`

type AcceptEncoding = string | string[] | undefined

function encodeWhole({ plain, gzip, brotli }: WholePage, accepted: AcceptEncoding): EncodedPageBody {
  if (!gzip) return { bytes: plain, encoding: undefined }
  const encoding = chooseEncoding(accepted)
  if (encoding === 'br' && brotli) return { bytes: brotli, encoding: 'br' }
  const zips = encoding === 'gzip' || (encoding === 'br' && acceptsGzip(accepted))
  return zips ? { bytes: gzip, encoding: 'gzip' } : { bytes: plain, encoding: undefined }
}

function encodeSlotted(page: SlottedPage, filled: Buffer, accepted: AcceptEncoding): EncodedPageBody {
  const encoding = chooseEncoding(accepted)
  return encoding === 'gzip' || (encoding === 'br' && acceptsGzip(accepted))
    ? { bytes: gzipFilled(page, filled), encoding: 'gzip' }
    : { bytes: plainFilled(page, filled), encoding: undefined }
}

/** Falls back to gzip while there is no brotli version. */
const acceptsGzip = (accepted: AcceptEncoding): boolean =>
  chooseEncoding(String(accepted).replaceAll(/\bbr\b/g, '')) === 'gzip'

const matchesTag = (tag: string, known = ''): boolean =>
  known !== '' && (known === '*' || known.split(/\s*,\s*/).includes(tag))
