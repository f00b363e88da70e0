'use server'

import { type ActionResult, mapOutcome } from '#app/(studio)/action-result'
import { asText } from '#app/(studio)/form-data'
import { runProjectChange } from '#app/(studio)/refusals'

/** Without an address part it is a new one. */
export async function saveAuthor(slug: unknown, author: unknown, input: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ authors }, projectId, viewer) =>
    author === undefined
      ? authors.create(projectId, input, viewer)
      : authors.change(projectId, asText(author), input, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function removeAuthor(slug: unknown, author: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ authors }, projectId, viewer) =>
    authors.remove(projectId, asText(author), viewer),
  )
}
