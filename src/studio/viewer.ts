import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import type { MemberViewer, RequestOrigin } from '#projects/access'
import { requestOrigin } from '#projects/origin'
import { deviceCookie, oidcCookie, sessionCookie, stepCookie } from '#projects/session-cookie'
import { connectionPaths, type RequestSource } from '#projects/session-proof'
import type { SecondFactorRequired, SignInResult } from '#projects/sign-in'
import { paths } from './paths'
import { getProduct } from './product'
import { placeholderOrigin, returnPath } from './return-path'

/** The origin of this request. The front has put these headers in the place of those that an outsider sent. */
export async function currentOrigin(): Promise<RequestOrigin> {
  const requestHeaders = await headers()
  return requestOrigin({
    address: requestHeaders.get('x-forwarded-for') ?? '',
    userAgent: requestHeaders.get('user-agent') ?? '',
    requestId: requestHeaders.get('x-request-id') ?? '',
  })
}

/** The signed-in member, if any. Cached per request: layouts and pages both call it. */
export const currentViewer = cache(async (): Promise<MemberViewer | undefined> => {
  const { name } = await sessionCookieForRequest()
  const token = (await cookies()).get(name)?.value
  return await getProduct().signIn.sessions.viewer(token, await currentOrigin())
})

/** Returns the signed-in member. Redirects other visitors to sign-in, and from there back to the requested page. */
export async function requireViewer(): Promise<MemberViewer> {
  const viewer = await currentViewer()
  if (!viewer) redirect(paths.signIn(await requestedPath()))
  return viewer
}

/** The source by which limits on guesses are counted. It is used and not stored. */
export async function requestSource(): Promise<RequestSource> {
  const requestHeaders = await headers()
  return {
    address: requestHeaders.get('x-forwarded-for') ?? undefined,
    device: (await cookies()).get(deviceCookie(await isSecure()).name)?.value,
    via: connectionPaths.find((passage) => passage === requestHeaders.get('x-tilth-via')),
  }
}

/** From now on this browser is signed in, and known to the account. */
export async function beginSession({ token, endsAt, device }: SignInResult): Promise<void> {
  const secure = await isSecure()
  const jar = await cookies()
  const { name, ...attributes } = sessionCookie(secure)
  jar.set(name, token, { ...attributes, expires: endsAt })
  const { name: deviceName, ...deviceAttributes } = deviceCookie(secure)
  jar.set(deviceName, device.text, { ...deviceAttributes, expires: device.endsAt })
}

/** Into the studio, or to the page that asks for the second factor. */
export async function beginSessionOrSecondStep(
  signIn: SignInResult | SecondFactorRequired,
  to: string,
): Promise<never> {
  return redirect(await storeSignIn(signIn, to))
}

/** Keeps the session, or the token of the second step, and answers where to go on. */
export async function storeSignIn(signIn: SignInResult | SecondFactorRequired, to: string): Promise<string> {
  if (signIn.step === undefined) {
    await beginSession(signIn)
    return to
  }
  const { name, ...attributes } = stepCookie(await isSecure())
  const jar = await cookies()
  jar.set(name, signIn.step.token, { ...attributes, expires: signIn.step.endsAt })
  return paths.secondStep(to)
}

const oidcCookieMs = 10 * 60_000

/** Keeps what is to be remembered while the browser is with the provider; undefined forgets it. */
export async function storeOidcToken(token: string | undefined): Promise<void> {
  const { name, ...attributes } = oidcCookie(await isSecure())
  const jar = await cookies()
  jar.set(name, token ?? '', { ...attributes, maxAge: token === undefined ? 0 : oidcCookieMs / 1000 })
}

export const storedOidcToken = async (): Promise<string | undefined> =>
  (await cookies()).get(oidcCookie(await isSecure()).name)?.value

/** The token of the second step that this browser has been asked for. */
export const stepToken = async (): Promise<string | undefined> =>
  (await cookies()).get(stepCookie(await isSecure()).name)?.value

export async function forgetSession(): Promise<void> {
  const { name, ...attributes } = await sessionCookieForRequest()
  const jar = await cookies()
  jar.set(name, '', { ...attributes, maxAge: 0 })
}

async function sessionCookieForRequest() {
  return sessionCookie(await isSecure())
}

const isSecure = async (): Promise<boolean> => (await headers()).get('x-forwarded-proto') === 'https'

/** The requested page, from a header of the front server: Next does not pass it. */
async function requestedPath(): Promise<string | undefined> {
  const url = URL.parse((await headers()).get('x-tilth-address') ?? paths.studio, placeholderOrigin)
  url?.searchParams.delete('_rsc')
  const to = returnPath(url && url.pathname + url.search)
  return to === paths.studio ? undefined : to
}
