import { isUuid } from '../../ingest/uuid'
import type { WireRequest } from '../dialect'

/**
 * Who looks at a page of our own site, where the site keeps that in a cookie: its views were counted under that id, and
 * so is what the page's script tells. Pages of other sites are not asked by a cookie who their visitor is.
 */
export function visitorOf({ headers }: Pick<WireRequest, 'headers'>): string | undefined {
  const { cookie } = headers
  if (!cookie?.includes('tilth_visitor=') || !isSameOrigin(headers)) return undefined
  const visitor = /(?:^|;\s*)tilth_visitor=([^;]*)/.exec(cookie)?.[1]?.trim()
  return visitor !== undefined && isUuid(visitor) && visitor === visitor.toLowerCase() ? visitor : undefined
}

/** Old browsers, and all where a page came by plain http, say only which origin it is of. */
function isSameOrigin(headers: WireRequest['headers']): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin !== undefined && URL.parse(headers.origin)?.host === headers.host
}
