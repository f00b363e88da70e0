'use server'

import { redirect } from 'next/navigation'
import type { InvitationOffer } from '../../../../../projects/invitations'
import { paths } from '../../../../paths'
import { getProduct } from '../../../../product'
import { beginSession, currentOrigin, currentViewer } from '../../../../viewer'
import { type Answer, notDone } from '../../../answer'
import { fieldsIn, textIn } from '../../../given'
import { answering } from '../../../refusals'

/** The token comes from behind the "#" of the page's address, in the body of a request that no log keeps. */
export async function readOffer(token: unknown): Promise<InvitationOffer | undefined> {
  return await getProduct().invitations.offer(textIn(token))
}

export async function joinAsNew(
  token: unknown,
  _previous: Answer | undefined,
  form: unknown,
): Promise<Answer> {
  const { invitations, signIn } = getProduct()
  const origin = await currentOrigin()
  const answer = await answering(() => invitations.acceptAsNew(textIn(token), fieldsIn(form), origin))
  if (!answer.done) return answer
  const session = await signIn.welcome(answer.member, origin)
  await beginSession(session)
  return await enter(answer.projectId, session.token)
}

export async function joinAsMember(token: unknown): Promise<Answer> {
  const viewer = await currentViewer()
  if (!viewer) return notDone('Your session has ended. Sign in below to accept.')
  const { invitations } = getProduct()
  const answer = await answering(() => invitations.accept(textIn(token), viewer))
  return answer.done ? await enter(answer.projectId) : answer
}

/** For a member who opened the link without being signed in. The session stays even where the link no longer holds. */
export async function signInAndJoin(
  token: unknown,
  _previous: Answer | undefined,
  form: unknown,
): Promise<Answer> {
  const { signIn, sessions, invitations } = getProduct()
  const origin = await currentOrigin()
  const answer = await answering(() => signIn.signIn(fieldsIn(form), origin))
  if (!answer.done) return answer
  await beginSession(answer)
  const viewer = await sessions.viewer(answer.token, origin)
  if (!viewer) return notDone('The session ended at once. Try again.')
  const accepted = await answering(() => invitations.accept(textIn(token), viewer))
  return accepted.done ? await enter(accepted.projectId, answer.token) : accepted
}

/** Into the project, as whoever has just become a part of it: the roles of a moment ago do not know. */
async function enter(projectId: number, token?: string): Promise<never> {
  const { sessions, projects } = getProduct()
  const viewer = token ? await sessions.viewer(token, await currentOrigin()) : await currentViewer()
  redirect(viewer ? paths.project(projects.find(String(projectId), viewer).slug) : paths.signIn())
}
