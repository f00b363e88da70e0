'use server'

import { type Answer, told } from '../../../../../answer'
import { formIn, textIn } from '../../../../../given'
import { changingProject } from '../../../../../refusals'

/** The text of the key is sent to the browser once; what is kept of it opens nothing. */
export async function createKey(slug: unknown, form: unknown): Promise<Answer<{ text: string }>> {
  const answer = await changingProject(slug, ({ keys }, projectId, viewer) =>
    keys.create(projectId, keyIn(formIn(form)), viewer),
  )
  return told(answer, ({ text }) => ({ text }))
}

export async function revokeKey(slug: unknown, id: unknown): Promise<Answer> {
  return await changingProject(slug, ({ keys }, projectId, viewer) =>
    keys.revoke(projectId, textIn(id), viewer),
  )
}

/** A form says several scopes under one name, and nothing where a key has no end. */
const keyIn = (form: FormData) => ({
  name: form.get('name'),
  scopes: form.has('every') ? 'every' : form.getAll('scope'),
  days: form.get('days') || undefined,
})
