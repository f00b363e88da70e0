'use server'

import { redirect } from 'next/navigation'
import { paths } from '#app/paths'
import { type ActionResult, mapOutcome } from '#app/(studio)/action-result'
import { formFields } from '#app/(studio)/form-data'
import { runChange } from '#app/(studio)/refusals'

export async function createProject(form: unknown): Promise<ActionResult> {
  const { slug, ...given } = formFields(form)
  const answer = await runChange(({ projects }, viewer) =>
    projects.create({ ...given, slug: slug || undefined }, viewer),
  )
  if (answer.done) redirect(paths.project(answer.project.slug))
  return mapOutcome(answer, () => ({}))
}
