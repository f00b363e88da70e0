'use server'

import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import type { Answer } from '../../../(studio)/answer'
import { formIn, textIn } from '../../../(studio)/given'
import { answering } from '../../../(studio)/refusals'
import { getProduct } from '../../../product'
import { currentOrigin } from '../../../viewer'
import { proofCookie } from './proof-cookie'

/** Somebody has to do it again after that. */
const monthSeconds = 30 * 24 * 60 * 60

/** The password for the proof that it was given, which only this browser gets. */
export async function unlock(token: string, _previous: Answer | undefined, form: FormData): Promise<Answer> {
  const { shares } = getProduct()
  const origin = await currentOrigin()
  const answer = await answering(async () =>
    shares.unlock(textIn(token), textIn(formIn(form).get('password')), origin),
  )
  if (!answer.done) return answer
  const said = await headers()
  const { name, ...attributes } = proofCookie(textIn(token), said.get('x-forwarded-proto') === 'https')
  const jar = await cookies()
  jar.set(name, answer.proof, { ...attributes, maxAge: monthSeconds })
  return redirect(wayBack(token, said.get('x-tilth-address')))
}

/** To the page that was asked for, in its theme. */
function wayBack(token: string, address: string | null): string {
  const path = `/share/${textIn(token)}`
  return address?.startsWith(`${path}?`) ? address : path
}
