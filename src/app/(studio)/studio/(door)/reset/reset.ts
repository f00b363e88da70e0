'use server'

import { redirect } from 'next/navigation'
import { paths } from '#app/paths'
import { getProduct } from '#app/product'
import { currentOrigin } from '#app/viewer'
import type { ActionResult } from '#app/(studio)/action-result'
import { formFields, asText } from '#app/(studio)/form-data'
import { catchRefusals } from '#app/(studio)/refusals'

/** The token comes from behind the "#" of the address, in the body of a request that no log keeps. */
export async function resetPassword(
  token: unknown,
  _previous: ActionResult | undefined,
  form: unknown,
): Promise<ActionResult> {
  const origin = await currentOrigin()
  const answer = await catchRefusals(() =>
    getProduct().passwordResets.complete(asText(token), formFields(form), origin),
  )
  return answer.done ? redirect(paths.signIn()) : answer
}
