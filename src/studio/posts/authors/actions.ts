'use server'

import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { asText } from '#studio/parts/form-data'
import { runProjectChange } from '#studio/parts/refusals'

/** Without an address part it is a new one. */
export async function saveAuthor(slug: unknown, author: unknown, input: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ posts: { authors } }, projectId, viewer) =>
    author === undefined
      ? authors.create(projectId, input, viewer)
      : authors.change(projectId, asText(author), input, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function removeAuthor(slug: unknown, author: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ posts: { authors } }, projectId, viewer) =>
    authors.remove(projectId, asText(author), viewer),
  )
}
