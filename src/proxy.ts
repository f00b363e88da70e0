import { type NextRequest, NextResponse } from 'next/server'
import { getProduct } from '#studio/product'
import { readVisit, visitHeader } from '#visits/visit'

/** The page whose content depends on the visitor. */
export const config = { matcher: '/blog' }

/**
 * Runs before the list of posts and names the product's instance in a header. Rewrites to a path of its own for each
 * combination of decided headline trials, so that Next caches each separately. The JSON feed has one variant.
 */
export function proxy(request: NextRequest) {
  const header = request.headers.get(visitHeader)
  // the matcher also matches the page's RSC payloads, which are not rewritten
  const isThePage = request.nextUrl.pathname === '/blog' && !request.headers.has('rsc')
  const response =
    header !== null && isThePage
      ? NextResponse.rewrite(new URL(placeFor(request, header), request.url))
      : NextResponse.next()
  response.headers.set('x-tilth-product', getProduct().instance)
  return response
}

function placeFor({ headers, nextUrl }: NextRequest, header: string): string {
  if (headers.get('accept') === 'application/feed+json') return '/blog.json'
  return `/blog/seen/${seenIn(header)}${nextUrl.search}`
}

/** Names the variants of all trials: the path segment under which Next caches the page. */
function seenIn(header: string): string {
  const { projectId, decisions } = readVisit(header)
  const trials = getProduct().posts.published.trials(projectId)
  const seen = trials.map(({ key }) => `${key}.${String(decisions[key] ?? '')}`)
  return seen.length > 0 ? encodeURIComponent(seen.toSorted().join('~')) : 'original'
}
