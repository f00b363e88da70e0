'use server'

import { redirect } from 'next/navigation'
import { paths } from '../../../../../paths'
import { type Answer, told } from '../../../../answer'
import { fieldsIn } from '../../../../given'
import { changingProject } from '../../../../refusals'

/** The page moves with the project when its address part changes. */
export async function changeProject(slug: unknown, form: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ projects }, projectId, viewer) =>
    projects.change(projectId, fieldsIn(form), viewer),
  )
  if (answer.done && answer.project.slug !== slug) redirect(paths.settings(answer.project.slug))
  return told(answer, nothing)
}

export async function renewWriteKey(slug: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ projects }, projectId, viewer) =>
    projects.renewWriteKey(projectId, viewer),
  )
  return told(answer, nothing)
}

export async function archiveProject(slug: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ projects }, projectId, viewer) =>
    projects.archive(projectId, viewer),
  )
  return told(answer, nothing)
}

export async function restoreProject(slug: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ projects }, projectId, viewer) =>
    projects.restore(projectId, viewer),
  )
  return told(answer, nothing)
}

/** The page is shown afresh after a change; that is all the browser needs. */
const nothing = () => ({})
