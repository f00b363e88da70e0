'use server'

import { redirect } from 'next/navigation'
import { paths } from '#studio/paths'
import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { formFields, asText } from '#studio/parts/form-data'
import { runProjectChange } from '#studio/parts/refusals'

export async function changeRole(slug: unknown, memberId: unknown, role: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ projects: { members } }, projectId, viewer) =>
    members.changeRole(projectId, asText(memberId), { role }, viewer),
  )
}

export async function removeMember(slug: unknown, memberId: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ projects: { members } }, projectId, viewer) =>
    members.remove(projectId, asText(memberId), viewer),
  )
}

/** Redirects out of the project: a former member cannot open its pages. */
export async function leaveProject(slug: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ projects: { members } }, projectId, viewer) =>
    members.remove(projectId, viewer.memberId, viewer),
  )
  if (answer.done) redirect(paths.studio)
  return answer
}

/** The token is sent to the browser once; the link is made there, under the address it knows us by. */
export async function invite(slug: unknown, form: unknown): Promise<ActionResult<{ token: string }>> {
  const answer = await runProjectChange(slug, ({ projects: { invitations } }, projectId, viewer) =>
    invitations.create(projectId, formFields(form), viewer),
  )
  return mapOutcome(answer, ({ token }) => ({ token }))
}

export async function revokeInvitation(slug: unknown, id: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ projects: { invitations } }, projectId, viewer) =>
    invitations.revoke(projectId, asText(id), viewer),
  )
}
