'use server'

import { storeOidcToken, requireViewer } from '#studio/viewer'
import { returnPath } from '#studio/return-path'
import { getProduct } from '#studio/product'
import { type ActionResult, failedWith } from './action-result'
import { formFields } from './form-data'
import { catchRefusals } from './refusals'

export async function confirmPassword(form: unknown): Promise<ActionResult> {
  const viewer = await requireViewer()
  return await catchRefusals(() => getProduct().signIn.confirm(formFields(form), viewer))
}

/** The ways in which a member can prove their identity again. */
export interface WaysToConfirm {
  hasPassword: boolean
  /** The name of the provider, where the member's account there is linked. */
  provider: string | undefined
}

export async function waysToConfirm(): Promise<ActionResult<WaysToConfirm>> {
  const viewer = await requireViewer()
  const { signIn } = getProduct()
  const { oidc } = signIn
  return await catchRefusals(async () => ({
    done: true,
    hasPassword: await signIn.hasPassword(viewer),
    provider: (await oidc?.isLinked(viewer)) ? oidc?.name : undefined,
  }))
}

/** The address at which the provider asks the member to sign in again. */
export async function confirmByProvider(to: unknown): Promise<ActionResult<{ address: string }>> {
  const viewer = await requireViewer()
  const { oidc } = getProduct().signIn
  if (!oidc) return failedWith('No provider is set any more.')
  const outcome = await catchRefusals(() => oidc.beginConfirmation(returnPath(to), viewer))
  if (!outcome.done) return outcome
  await storeOidcToken(outcome.token)
  return { done: true, address: outcome.address }
}
