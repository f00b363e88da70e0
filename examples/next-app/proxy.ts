import { beginVisit, passToTilth } from '@tilth/next/proxy'
import type { NextFetchEvent, NextRequest } from 'next/server'
import { pricingFlags } from './tilth'

export async function proxy(request: NextRequest, event: NextFetchEvent) {
  // events of browsers come by the app's own address
  if (request.nextUrl.pathname.startsWith('/ingest/')) return passToTilth(request)
  const visit = await beginVisit(request, event)
  if (request.nextUrl.pathname !== '/pricing') return visit.next()
  return visit.rewrite(`/pricing/${pricingFlags.codeFor(visit.flags)}`)
}

// every page, but not what pages are made of
export const config = { matcher: ['/ingest/:path*', '/((?!_next/static|_next/image|.*\\..*).*)'] }
