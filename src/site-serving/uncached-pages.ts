import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { PagesProcess } from './pages-process'
import { contentSecurityPolicy, newNonce, securityHeaders } from '#http/security-headers'

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
