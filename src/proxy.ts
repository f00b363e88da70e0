import { type NextRequest, NextResponse } from 'next/server'
import { getProduct } from './app/product'
import { readVisit, visitHeader } from './visits/visit'

/** Pages whose content depends on who is visiting. */
export const config = { matcher: '/blog' }

/**
 * Runs before these pages, and names the Product that everything on them comes from. The list of posts is another page for
 * each way in which its trials are decided; whoever reads feeds is given one.
 */
export function proxy(request: NextRequest) {
  const header = request.headers.get(visitHeader)
  // the matcher lets the page's data files through as well, and those are not ours
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

/** Which variant of each trial: a name under which Next may keep what it renders. */
function seenIn(header: string): string {
  const { projectId, decisions } = readVisit(header)
  const trials = getProduct().published.trials(projectId)
  const seen = trials.map(({ key }) => `${key}.${String(decisions[key] ?? '')}`)
  return seen.length > 0 ? encodeURIComponent(seen.toSorted().join('~')) : 'original'
}
