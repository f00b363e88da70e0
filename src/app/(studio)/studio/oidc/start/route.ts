import { NextResponse } from 'next/server'
import { paths } from '#app/paths'
import { getProduct } from '#app/product'
import { storeOidcToken } from '#app/viewer'
import { returnPath } from '#app/return-path'

/** Sends the browser to the provider, to sign in. */
export async function GET(request: Request): Promise<Response> {
  const { oidc } = getProduct()
  const to = returnPath(new URL(request.url).searchParams.get('to'))
  if (!oidc) return toPage(paths.signIn(to))
  const begun = await oidc.begin(to)
  if (!begun.done) return toPage(paths.signIn(to, begun.reason))
  await storeOidcToken(begun.token)
  return toPage(begun.address)
}

const toPage = (location: string): Response =>
  new NextResponse(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
