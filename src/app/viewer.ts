import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import type { MemberViewer, Origin } from '../projects/access'
import { originOf } from '../projects/origin'
import { sessionCookie } from '../projects/session-cookie'
import { paths } from './paths'
import { getProduct } from './product'
import { ours, wayBack } from './way-back'

/** Where this request came from. The front has put these headers in the place of whatever an outsider said. */
export async function currentOrigin(): Promise<Origin> {
  const said = await headers()
  return originOf({
    address: said.get('x-forwarded-for') ?? '',
    userAgent: said.get('user-agent') ?? '',
    requestId: said.get('x-request-id') ?? '',
  })
}

/** Who is asking; undefined for somebody who is not signed in. Asked by layouts and pages alike, answered once. */
export const currentViewer = cache(async (): Promise<MemberViewer | undefined> => {
  const { name } = await cookieHere()
  const token = (await cookies()).get(name)?.value
  return await getProduct().sessions.viewer(token, await currentOrigin())
})

/** Whoever is not signed in is sent to do so, and from there back to where they were going. */
export async function requireViewer(): Promise<MemberViewer> {
  const viewer = await currentViewer()
  if (!viewer) redirect(paths.signIn(await addressAsked()))
  return viewer
}

/** From now on this browser is signed in. */
export async function beginSession({ token, endsAt }: { token: string; endsAt: Date }): Promise<void> {
  const { name, ...attributes } = await cookieHere()
  const jar = await cookies()
  jar.set(name, token, { ...attributes, expires: endsAt })
}

/** What has to be said so that this browser forgets its session. */
export async function forgetSession(): Promise<void> {
  const { name, ...attributes } = await cookieHere()
  const jar = await cookies()
  jar.set(name, '', { ...attributes, maxAge: 0 })
}

async function cookieHere() {
  return sessionCookie((await headers()).get('x-forwarded-proto') === 'https')
}

/** The page that was asked for, as the front tells it: Next does not. */
async function addressAsked(): Promise<string | undefined> {
  const url = URL.parse((await headers()).get('x-tilth-address') ?? paths.studio, ours)
  url?.searchParams.delete('_rsc')
  const to = wayBack(url && url.pathname + url.search)
  return to === paths.studio ? undefined : to
}
