'use server'

import { type Answer, told } from '../../../../../answer'
import { fieldsIn, textIn } from '../../../../../given'
import { changingProject } from '../../../../../refusals'

export async function createEnvironment(slug: unknown, form: unknown): Promise<Answer> {
  const { name, writeKey } = fieldsIn(form)
  const answer = await changingProject(slug, ({ environments }, projectId, viewer) =>
    environments.create(projectId, writeKey === '' ? { name } : { name, writeKey }, viewer),
  )
  return told(answer, () => ({}))
}

export async function renewEnvironmentKey(slug: unknown, name: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ environments }, projectId, viewer) =>
    environments.renewKey(projectId, textIn(name), viewer),
  )
  return told(answer, () => ({}))
}

export async function removeEnvironment(slug: unknown, name: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ environments }, projectId, viewer) =>
    environments.remove(projectId, textIn(name), viewer),
  )
  return told(answer, () => ({}))
}
