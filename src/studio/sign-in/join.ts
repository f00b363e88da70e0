'use server'

import { redirect } from 'next/navigation'
import type { InvitationOffer } from '#projects/invitations'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import {
  beginSessionOrSecondStep,
  beginSession,
  currentOrigin,
  currentViewer,
  requestSource,
} from '#studio/viewer'
import { type ActionResult, failedWith } from '#studio/parts/action-result'
import { formFields, asText } from '#studio/parts/form-data'
import { catchRefusals } from '#studio/parts/refusals'

/** The token comes from behind the "#" of the page's address, in the body of a request that no log keeps. */
export async function readOffer(token: unknown): Promise<InvitationOffer | undefined> {
  return await getProduct().projects.invitations.offer(asText(token))
}

export async function joinAsNew(
  token: unknown,
  _previous: ActionResult | undefined,
  form: unknown,
): Promise<ActionResult> {
  const { signIn } = getProduct()
  const { invitations } = getProduct().projects
  const origin = await currentOrigin()
  const answer = await catchRefusals(() => invitations.acceptAsNew(asText(token), formFields(form), origin))
  if (!answer.done) return answer
  const session = await signIn.welcome(answer.member, origin, await requestSource())
  await beginSession(session)
  return await enterProject(answer.projectId, session.token)
}

export async function joinAsMember(token: unknown): Promise<ActionResult> {
  const viewer = await currentViewer()
  if (!viewer) return failedWith('Your session has ended. Sign in below to accept.')
  const { invitations } = getProduct().projects
  const answer = await catchRefusals(() => invitations.accept(asText(token), viewer))
  return answer.done ? await enterProject(answer.projectId) : answer
}

/** For a signed-out member who opens the link. The session stays even if the link is no longer valid. */
export async function signInAndJoin(
  token: unknown,
  _previous: ActionResult | undefined,
  form: unknown,
): Promise<ActionResult> {
  const { signIn } = getProduct()
  const { invitations } = getProduct().projects
  const { sessions } = signIn
  const origin = await currentOrigin()
  const source = await requestSource()
  const answer = await catchRefusals(() => signIn.signIn(formFields(form), origin, source))
  if (!answer.done) return answer
  // the link is still open afterwards: the second step leads back to it
  if (answer.step) return await beginSessionOrSecondStep(answer, paths.join)
  await beginSession(answer)
  const viewer = await sessions.viewer(answer.token, origin)
  if (!viewer) return failedWith('The session ended at once. Try again.')
  const accepted = await catchRefusals(() => invitations.accept(asText(token), viewer))
  return accepted.done ? await enterProject(accepted.projectId, answer.token) : accepted
}

/** Opens the joined project with a new viewer, because the cached one lacks the new role. */
async function enterProject(projectId: number, token?: string): Promise<never> {
  const { projects } = getProduct()
  const { sessions } = getProduct().signIn
  const viewer = token ? await sessions.viewer(token, await currentOrigin()) : await currentViewer()
  redirect(viewer ? paths.project(projects.find(String(projectId), viewer).slug) : paths.signIn())
}
