'use server'

import { redirect } from 'next/navigation'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { currentOrigin } from '#studio/viewer'
import type { ActionResult } from '#studio/parts/action-result'
import { formFields, asText } from '#studio/parts/form-data'
import { catchRefusals } from '#studio/parts/refusals'

/** The token comes from behind the "#" of the address, in the body of a request that no log keeps. */
export async function resetPassword(
  token: unknown,
  _previous: ActionResult | undefined,
  form: unknown,
): Promise<ActionResult> {
  const origin = await currentOrigin()
  const answer = await catchRefusals(() =>
    getProduct().signIn.passwordResets.complete(asText(token), formFields(form), origin),
  )
  return answer.done ? redirect(paths.signIn()) : answer
}
