'use server'

import { redirect } from 'next/navigation'
import { paths } from '#app/paths'
import { getProduct } from '#app/product'
import { beginSession, currentOrigin, requestSource } from '#app/viewer'
import type { ActionResult } from '#app/(studio)/action-result'
import { formFields } from '#app/(studio)/form-data'
import { catchRefusals } from '#app/(studio)/refusals'

export async function setUp(_previous: ActionResult | undefined, form: unknown): Promise<ActionResult> {
  const { setup, signIn } = getProduct()
  const origin = await currentOrigin()
  const answer = await catchRefusals(() => setup.complete(formFields(form), origin))
  if (!answer.done) return answer
  await beginSession(await signIn.welcome(answer.member, origin, await requestSource()))
  return redirect(paths.project(answer.project.slug))
}
