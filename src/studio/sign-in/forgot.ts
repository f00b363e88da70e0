'use server'

import { getProduct } from '#studio/product'
import { currentOrigin, requestSource } from '#studio/viewer'
import type { ActionResult } from '#studio/parts/action-result'
import { formFields } from '#studio/parts/form-data'
import { catchRefusals } from '#studio/parts/refusals'

export async function askForReset(_previous: ActionResult | undefined, form: unknown): Promise<ActionResult> {
  const [origin, source] = [await currentOrigin(), await requestSource()]
  return await catchRefusals(() => getProduct().signIn.passwordResets.ask(formFields(form), origin, source))
}
