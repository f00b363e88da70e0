'use server'

import { type Answer, told } from '../../../../../answer'
import { changingProject } from '../../../../../refusals'

export async function saveSite(slug: unknown, input: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ sites }, projectId, viewer) =>
    sites.change(projectId, input, viewer),
  )
  return told(answer, () => ({}))
}
