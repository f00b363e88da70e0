import { hash } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
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
  { page, cacheStatus }: ServedPage,
  request: IncomingMessage,
  response: ServerResponse,
  { visit, headers }: CachedPageResponse,
): void {
  // while the page was being rendered, the front may have refused the request's body
  if (response.headersSent || response.destroyed) return
  const { body, status } = page
  const slotContent = body.kind === 'slotted' ? Buffer.from(renderSlot(visit)) : undefined
  const tag = tagOf(page.stem, slotContent)
  const responseHeaders = { ...page.headers, etag: tag, 'x-tilth-cache': cacheStatus, ...headers }
  if (status === 200 && matchesTag(tag, request.headers['if-none-match'])) {
    response.writeHead(304, responseHeaders).end()
    return
  }
  const accepted = request.headers['accept-encoding']
  const { bytes, encoding } =
    body.kind === 'slotted'
      ? encodeSlotted(body, slotContent ?? emptyBuffer, accepted)
      : encodeWhole(body, accepted)
  response.writeHead(status, {
    ...responseHeaders,
    ...(encoding && { 'content-encoding': encoding }),
    'content-length': bytes.length,
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
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
