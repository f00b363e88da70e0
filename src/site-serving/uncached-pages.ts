import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { PagesProcess } from './pages-process'
import { contentSecurityPolicy, newNonce, securityHeaders } from '#http/security-headers'
import type { Exchange } from '#http/trusted-request'
import type { Product } from '#server/product'

/** Shows pages to one visitor each. */
export interface UncachedPages {
  serve(
    request: IncomingMessage,
    response: ServerResponse,
    options?: Pick<UncachedPageOptions, 'framedBy'>,
  ): void
}

interface UncachedPageOptions {
  /** Headers about this visit in addition to the browser's. */
  headers?: OutgoingHttpHeaders
  /** The origins that may frame this page. */
  framedBy?: readonly string[]
}

/** Streams an uncached page for one visitor, with its own nonce. */
export function serveUncached(
  request: IncomingMessage,
  response: ServerResponse,
  pages: Pick<PagesProcess, 'serve'>,
  { headers, framedBy }: UncachedPageOptions = {},
): void {
  const policy = contentSecurityPolicy({ nonce: newNonce(), framedBy })
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value)
  response.setHeader('content-security-policy', policy)
  // Next does not pass the requested address to its pages
  const forwardedHeaders = { 'content-security-policy': policy, 'x-tilth-address': request.url }
  pages.serve(request, response, { headers: { ...headers, ...forwardedHeaders } })
}

/** Serves a shared page, which hosts listed by its owner may frame. */
export async function answerShare(
  { request, response, trustedRequest }: Exchange,
  { product, pages }: { product: Pick<Product, 'shares'>; pages: UncachedPages },
): Promise<void> {
  const [, , token = ''] = trustedRequest.path.split('/')
  const framedBy = await product.shares.framedBy(token)
  response.setHeader('x-robots-tag', 'noindex, nofollow')
  if (!response.destroyed) pages.serve(request, response, { framedBy })
}
