'use server'

import { type Answer, told } from '../../../../../answer'
import { textIn } from '../../../../../given'
import { changingProject } from '../../../../../refusals'

/** Without an address part it is a new one. */
export async function saveAuthor(slug: unknown, author: unknown, input: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ authors }, projectId, viewer) =>
    author === undefined
      ? authors.create(projectId, input, viewer)
      : authors.change(projectId, textIn(author), input, viewer),
  )
  return told(answer, () => ({}))
}

export async function removeAuthor(slug: unknown, author: unknown): Promise<Answer> {
  return await changingProject(slug, ({ authors }, projectId, viewer) =>
    authors.remove(projectId, textIn(author), viewer),
  )
}
