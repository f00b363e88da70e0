'use server'

import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import type { ActionResult } from '#studio/parts/action-result'
import { asFormData, asText } from '#studio/parts/form-data'
import { catchRefusals } from '#studio/parts/refusals'
import { getProduct } from '#studio/product'
import { currentOrigin } from '#studio/viewer'
import { proofCookie } from './proof-cookie'

/** The visitor enters the password again after this time. */
const monthSeconds = 30 * 24 * 60 * 60

/** The password for the proof that it was given, which only this browser gets. */
export async function unlock(
  token: string,
  _previous: ActionResult | undefined,
  form: FormData,
): Promise<ActionResult> {
  const { shares } = getProduct()
  const origin = await currentOrigin()
  const answer = await catchRefusals(async () =>
    shares.unlock(asText(token), asText(asFormData(form).get('password')), origin),
  )
  if (!answer.done) return answer
  const requestHeaders = await headers()
  const { name, ...attributes } = proofCookie(
    asText(token),
    requestHeaders.get('x-forwarded-proto') === 'https',
  )
  const jar = await cookies()
  jar.set(name, answer.proof, { ...attributes, maxAge: monthSeconds })
  return redirect(returnPath(token, requestHeaders.get('x-tilth-address')))
}

/** The address to return to: the requested page, in its theme. */
function returnPath(token: string, address: string | null): string {
  const path = `/share/${asText(token)}`
  return address?.startsWith(`${path}?`) ? address : path
}
