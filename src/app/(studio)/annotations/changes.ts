'use server'

import { instantOf } from '../../../insights/local-time'
import { type Answer, notDone, told } from '../answer'
import { formIn, textIn } from '../given'
import { changingProject } from '../refusals'

/** Adds one, or changes the one of this id. */
export async function saveAnnotation(
  slug: unknown,
  id: unknown,
  dashboard: unknown,
  form: unknown,
): Promise<Answer> {
  const given = formIn(form)
  return await changingProject(slug, async ({ projects, annotations }, projectId, viewer) => {
    const { timeZone } = projects.find(textIn(slug), viewer)
    const at = instantOf({ day: textIn(given.get('day')), time: textIn(given.get('time')) }, timeZone)
    if (!at) return notDone('Say the day and the time of it.')
    const wanted = { at: at.toISOString(), text: given.get('text') }
    const outcome =
      textIn(id) === ''
        ? await annotations.create(projectId, { ...wanted, ...scopeIn(given, dashboard) }, viewer)
        : await annotations.change(projectId, textIn(id), wanted, viewer)
    return told(outcome, () => ({}))
  })
}

const scopeIn = (given: FormData, dashboard: unknown) =>
  given.get('scope') === 'dashboard'
    ? { scope: 'dashboard', subject: textIn(dashboard) }
    : { scope: 'project' }

export async function removeAnnotation(slug: unknown, id: unknown): Promise<Answer> {
  return await changingProject(slug, ({ annotations }, projectId, viewer) =>
    annotations.remove(projectId, textIn(id), viewer),
  )
}
