import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Pages } from './pages-child'
import { contentSecurityPolicy, newNonce, securityHeaders } from './security-headers'

export interface Personally {
  /** Said to the pages about this visit, besides what the browser said. */
  headers?: OutgoingHttpHeaders
  /** Whose pages may show this one in a frame. */
  framedBy?: readonly string[]
}

/** A page for one person, kept nowhere: passed on while it is still being written, with a nonce of its own. */
export function servePersonally(
  request: IncomingMessage,
  response: ServerResponse,
  pages: Pick<Pages, 'serve'>,
  { headers, framedBy }: Personally = {},
): void {
  const policy = contentSecurityPolicy({ nonce: newNonce(), framedBy })
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value)
  response.setHeader('content-security-policy', policy)
  // Next does not tell its pages which address they were asked for
  const told = { 'content-security-policy': policy, 'x-tilth-address': request.url }
  pages.serve(request, response, { headers: { ...headers, ...told } })
}
