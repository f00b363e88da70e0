import { parseVisitorCookie } from '#ingest/cookies'
import type { WireRequest } from '../../dialect'

/**
 * Reads the visitor's id from the cookie of Tilth's own site, so that events of the page's script get the same id as
 * its page views. Requests from other origins are ignored.
 */
export function sameOriginVisitor({ headers }: Pick<WireRequest, 'headers'>): string | undefined {
  const visitor = parseVisitorCookie(headers.cookie)
  return visitor !== undefined && isSameOrigin(headers) ? visitor : undefined
}

/** Old browsers, and all on plain-http pages, send only the origin of the page. */
function isSameOrigin(headers: WireRequest['headers']): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin !== undefined && URL.parse(headers.origin)?.host === headers.host
}
