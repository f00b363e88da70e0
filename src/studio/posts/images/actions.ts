'use server'

import type { ImageListFilter, LibraryImage } from '#posts/pictures/image-library'
import { getProduct } from '#studio/product'
import { requireViewer } from '#studio/viewer'
import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { asText } from '#studio/parts/form-data'
import { catchRefusals, runProjectChange } from '#studio/parts/refusals'

const shownCount = 48

/** The pictures to choose from, for a dialog. */
export async function findImages(
  slug: unknown,
  search: unknown,
): Promise<ActionResult<{ images: LibraryImage[]; total: number }>> {
  const viewer = await requireViewer()
  const { projects } = getProduct()
  const { imageLibrary } = getProduct().posts
  const filter: ImageListFilter = { search: asText(search).slice(0, 200), count: shownCount }
  return await catchRefusals(async () => ({
    done: true,
    ...(await imageLibrary.list(projects.find(asText(slug), viewer).id, viewer, filter)),
  }))
}

export async function changeImage(slug: unknown, file: unknown, input: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ posts: { imageLibrary } }, projectId, viewer) =>
    imageLibrary.change(projectId, asText(file), input, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

/** `alsoIfUsed` is what the question said: a picture that came into use since then is kept. */
export async function removeImage(slug: unknown, file: unknown, input: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ posts: { imageLibrary } }, projectId, viewer) =>
    imageLibrary.remove(projectId, asText(file), input, viewer),
  )
}
