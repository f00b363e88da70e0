'use server'

import { getProduct } from '#app/product'
import { currentOrigin, requestSource } from '#app/viewer'
import type { ActionResult } from '#app/(studio)/action-result'
import { formFields } from '#app/(studio)/form-data'
import { catchRefusals } from '#app/(studio)/refusals'

export async function askForReset(_previous: ActionResult | undefined, form: unknown): Promise<ActionResult> {
  const [origin, source] = [await currentOrigin(), await requestSource()]
  return await catchRefusals(() => getProduct().passwordResets.ask(formFields(form), origin, source))
}
