import { NextResponse } from 'next/server'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { storeOidcToken } from '#studio/viewer'
import { returnPath } from '#studio/return-path'

/** Sends the browser to the provider, to sign in. */
export async function GET(request: Request): Promise<Response> {
  const { oidc } = getProduct().signIn
  const to = returnPath(new URL(request.url).searchParams.get('to'))
  if (!oidc) return toPage(paths.signIn(to))
  const outcome = await oidc.begin(to)
  if (!outcome.done) return toPage(paths.signIn(to, outcome.reason))
  await storeOidcToken(outcome.token)
  return toPage(outcome.address)
}

const toPage = (location: string): Response =>
  new NextResponse(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
