'use server'

import { redirect } from 'next/navigation'
import { paths } from '../../../../../paths'
import { type Answer, told } from '../../../../answer'
import { fieldsIn } from '../../../../given'
import { changing } from '../../../../refusals'

export async function createProject(form: unknown): Promise<Answer> {
  const { slug, ...given } = fieldsIn(form)
  const answer = await changing(({ projects }, viewer) =>
    projects.create({ ...given, slug: slug || undefined }, viewer),
  )
  if (answer.done) redirect(paths.project(answer.project.slug))
  return told(answer, () => ({}))
}
