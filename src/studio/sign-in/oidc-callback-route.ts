import { NextResponse } from 'next/server'
import type { OidcRefusal } from '#projects/oidc-refusals'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import {
  currentOrigin,
  currentViewer,
  storeOidcToken,
  storeSignIn,
  storedOidcToken,
  requestSource,
} from '#studio/viewer'

/** The provider sends the browser back here. */
export async function GET(request: Request): Promise<Response> {
  const { oidc } = getProduct().signIn
  if (!oidc) return toPage(paths.signIn())
  const token = await storedOidcToken()
  await storeOidcToken(undefined)
  const [viewer, origin, source] = [await currentViewer(), await currentOrigin(), await requestSource()]
  const arrival = await oidc.finish(new URL(request.url).search, token, { viewer, origin, source })
  if (!arrival.done) return toPage(pageFor(arrival))
  return toPage(arrival.way ? await storeSignIn(arrival.way, arrival.to) : arrival.to)
}

/** A member who is signed in would be sent on by the sign-in page, and hear nothing. */
const pageFor = ({ purpose, reason }: { purpose: string; reason: OidcRefusal }): string =>
  purpose === 'sign-in' || reason === 'session-ended'
    ? paths.signIn(undefined, reason)
    : paths.security(reason)

const toPage = (location: string): Response =>
  new NextResponse(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
