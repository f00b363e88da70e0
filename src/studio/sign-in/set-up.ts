'use server'

import { redirect } from 'next/navigation'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { beginSession, currentOrigin, requestSource } from '#studio/viewer'
import type { ActionResult } from '#studio/parts/action-result'
import { formFields } from '#studio/parts/form-data'
import { catchRefusals } from '#studio/parts/refusals'

export async function setUp(_previous: ActionResult | undefined, form: unknown): Promise<ActionResult> {
  const { signIn } = getProduct()
  const { setup } = signIn
  const origin = await currentOrigin()
  const answer = await catchRefusals(() => setup.complete(formFields(form), origin))
  if (!answer.done) return answer
  await beginSession(await signIn.welcome(answer.member, origin, await requestSource()))
  const { slug, siteAddress } = answer.project
  return redirect(siteAddress ? paths.firstVisit(slug) : paths.project(slug))
}
