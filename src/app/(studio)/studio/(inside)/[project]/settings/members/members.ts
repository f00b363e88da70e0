'use server'

import { redirect } from 'next/navigation'
import { paths } from '../../../../../../paths'
import { type Answer, told } from '../../../../../answer'
import { fieldsIn, textIn } from '../../../../../given'
import { changingProject } from '../../../../../refusals'

export async function changeRole(slug: unknown, memberId: unknown, role: unknown): Promise<Answer> {
  return await changingProject(slug, ({ members }, projectId, viewer) =>
    members.changeRole(projectId, textIn(memberId), { role }, viewer),
  )
}

export async function removeMember(slug: unknown, memberId: unknown): Promise<Answer> {
  return await changingProject(slug, ({ members }, projectId, viewer) =>
    members.remove(projectId, textIn(memberId), viewer),
  )
}

/** Whoever leaves has no page here to come back to. */
export async function leaveProject(slug: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ members }, projectId, viewer) =>
    members.remove(projectId, viewer.memberId, viewer),
  )
  if (answer.done) redirect(paths.studio)
  return answer
}

/** The token is sent to the browser once; the link is made there, under the address it knows us by. */
export async function invite(slug: unknown, form: unknown): Promise<Answer<{ token: string }>> {
  const answer = await changingProject(slug, ({ invitations }, projectId, viewer) =>
    invitations.create(projectId, fieldsIn(form), viewer),
  )
  return told(answer, ({ token }) => ({ token }))
}

export async function revokeInvitation(slug: unknown, id: unknown): Promise<Answer> {
  return await changingProject(slug, ({ invitations }, projectId, viewer) =>
    invitations.revoke(projectId, textIn(id), viewer),
  )
}
