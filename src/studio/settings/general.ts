'use server'

import { redirect } from 'next/navigation'
import { paths } from '#studio/paths'
import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { formFields } from '#studio/parts/form-data'
import { runProjectChange } from '#studio/parts/refusals'

/** The page moves with the project when its address part changes. */
export async function changeProject(slug: unknown, form: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ projects }, projectId, viewer) =>
    projects.change(projectId, formFields(form), viewer),
  )
  if (answer.done && answer.project.slug !== slug) redirect(paths.settings(answer.project.slug))
  return mapOutcome(answer, nothing)
}

export async function renewWriteKey(slug: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ projects }, projectId, viewer) =>
    projects.renewWriteKey(projectId, viewer),
  )
  return mapOutcome(answer, nothing)
}

export async function archiveProject(slug: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ projects }, projectId, viewer) =>
    projects.archive(projectId, viewer),
  )
  return mapOutcome(answer, nothing)
}

export async function restoreProject(slug: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ projects }, projectId, viewer) =>
    projects.restore(projectId, viewer),
  )
  return mapOutcome(answer, nothing)
}

/** The page is shown afresh after a change; that is all the browser needs. */
const nothing = () => ({})
