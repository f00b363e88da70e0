'use server'

import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { storeOidcToken, requireViewer } from '#studio/viewer'
import { type ActionResult, failedWith } from '#studio/parts/action-result'
import { formFields, asText } from '#studio/parts/form-data'
import { catchRefusals, runChange } from '#studio/parts/refusals'

export async function beginApp(): Promise<ActionResult<{ secret: string; address: string }>> {
  return await runChange(({ signIn: { secondFactors } }, viewer) => secondFactors.beginApp(viewer))
}

export async function confirmApp(form: unknown): Promise<ActionResult<{ recoveryCodes: string[] }>> {
  return await runChange(({ signIn: { secondFactors } }, viewer) =>
    secondFactors.confirmApp(formFields(form), viewer),
  )
}

export async function removeApp(): Promise<ActionResult> {
  return await runChange(({ signIn: { secondFactors } }, viewer) => secondFactors.removeApp(viewer))
}

export async function renewRecoveryCodes(): Promise<ActionResult<{ recoveryCodes: string[] }>> {
  return await runChange(({ signIn: { secondFactors } }, viewer) => secondFactors.renewRecoveryCodes(viewer))
}

export async function beginPasskey(): Promise<
  ActionResult<{ options: PublicKeyCredentialCreationOptionsJSON }>
> {
  return await runChange(({ signIn: { passkeys } }, viewer) => passkeys.beginRegistration(viewer))
}

export async function addPasskey(
  name: unknown,
  credential: unknown,
): Promise<ActionResult<{ recoveryCodes: string[] }>> {
  const input = { name: asText(name), credential: asText(credential) }
  return await runChange(({ signIn: { passkeys } }, viewer) => passkeys.register(input, viewer))
}

export async function removePasskey(id: unknown): Promise<ActionResult> {
  return await runChange(({ signIn: { passkeys } }, viewer) => passkeys.remove(asText(id), viewer))
}

/** Returns the address at which the member links a provider's account. */
export async function beginLink(): Promise<ActionResult<{ address: string }>> {
  const viewer = await requireViewer()
  const { oidc } = getProduct().signIn
  if (!oidc) return failedWith('No provider is set any more.')
  const outcome = await catchRefusals(() => oidc.begin(paths.security(), viewer))
  if (!outcome.done) return outcome
  await storeOidcToken(outcome.token)
  return { done: true, address: outcome.address }
}
