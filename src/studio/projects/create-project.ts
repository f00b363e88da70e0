'use server'

import { redirect } from 'next/navigation'
import { paths } from '#studio/paths'
import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { formFields } from '#studio/parts/form-data'
import { runChange } from '#studio/parts/refusals'

export async function createProject(form: unknown): Promise<ActionResult> {
  const { slug, ...given } = formFields(form)
  const answer = await runChange(({ projects }, viewer) =>
    projects.create({ ...given, slug: slug || undefined }, viewer),
  )
  if (answer.done) {
    const { slug: created, siteAddress } = answer.project
    redirect(siteAddress ? paths.firstVisit(created) : paths.project(created))
  }
  return mapOutcome(answer, () => ({}))
}
