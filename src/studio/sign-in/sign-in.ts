'use server'

import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { getProduct } from '#studio/product'
import { beginSessionOrSecondStep, currentOrigin, requestSource, stepToken } from '#studio/viewer'
import { returnPath } from '#studio/return-path'
import type { ActionResult } from '#studio/parts/action-result'
import { formFields, asFormData } from '#studio/parts/form-data'
import { catchRefusals } from '#studio/parts/refusals'

export async function signIn(_previous: ActionResult | undefined, form: unknown): Promise<ActionResult> {
  const origin = await currentOrigin()
  const source = await requestSource()
  const answer = await catchRefusals(() => getProduct().signIn.signIn(formFields(form), origin, source))
  return answer.done ? await beginSessionOrSecondStep(answer, returnPath(asFormData(form).get('to'))) : answer
}

/** The second step, by a code. */
export async function finishSignIn(
  _previous: ActionResult | undefined,
  form: unknown,
): Promise<ActionResult> {
  const [origin, source, token] = [await currentOrigin(), await requestSource(), await stepToken()]
  const answer = await catchRefusals(() =>
    getProduct().signIn.finish(token, formFields(form), origin, source),
  )
  return answer.done ? await beginSessionOrSecondStep(answer, returnPath(asFormData(form).get('to'))) : answer
}

/** The options of the browser's request to the member's device. */
export async function passkeyOptions(): Promise<
  ActionResult<{ options: PublicKeyCredentialRequestOptionsJSON }>
> {
  return await catchRefusals(() => getProduct().signIn.passkeys.beginSignIn())
}

/** By a passkey alone, or instead of the second step. */
export async function signInWithPasskey(response: unknown, to: unknown): Promise<ActionResult> {
  const [origin, source] = [await currentOrigin(), await requestSource()]
  const answer = await catchRefusals(() => getProduct().signIn.byPasskey(response, origin, source))
  return answer.done ? await beginSessionOrSecondStep(answer, returnPath(to)) : answer
}
