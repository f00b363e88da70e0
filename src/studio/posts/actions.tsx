'use server'

import type { ReactNode } from 'react'
import { excerptOf, readMarkdown } from '#posts/markdown'
import type { Post } from '#posts/post'
import { addressOf } from '#posts/post'
import { limits } from '#posts/post-schema'
import { PostBody } from '#posts/PostBody'
import { withUnpublished } from '#posts/unpublished'
import { getProduct } from '#studio/product'
import { requireViewer } from '#studio/viewer'
import { type ActionResult, failedWith, mapOutcome } from '#studio/parts/action-result'
import { asNumber, asText } from '#studio/parts/form-data'
import { catchRefusals, runProjectChange } from '#studio/parts/refusals'
import { previewBlocks } from './preview-blocks'

export async function createPost(slug: unknown, input: unknown): Promise<ActionResult<{ id: string }>> {
  const answer = await runProjectChange(slug, ({ posts }, projectId, viewer) =>
    posts.create(projectId, input, viewer),
  )
  return mapOutcome(answer, ({ post }) => ({ id: post.id }))
}

export async function savePost(
  slug: unknown,
  id: unknown,
  input: unknown,
  isAutosave: unknown,
): Promise<ActionResult<{ post: Post }>> {
  return await runProjectChange(slug, ({ posts }, projectId, viewer) =>
    posts.change(projectId, asText(id), input, viewer, { isAutosave: isAutosave === true }),
  )
}

/** Publishes the unpublished changes that the given version has. */
export async function publishChanges(
  slug: unknown,
  id: unknown,
  version: unknown,
): Promise<ActionResult<{ post: Post }>> {
  return await runProjectChange(slug, ({ posts }, projectId, viewer) =>
    posts.publishChanges(projectId, asText(id), { version: asNumber(version) }, viewer),
  )
}

/** Discards the unpublished changes that the given version has. */
export async function discardChanges(
  slug: unknown,
  id: unknown,
  version: unknown,
): Promise<ActionResult<{ post: Post }>> {
  return await runProjectChange(slug, ({ posts }, projectId, viewer) =>
    posts.discardChanges(projectId, asText(id), { version: asNumber(version) }, viewer),
  )
}

/** Loads the current post after a conflict with another member's change. */
export async function reloadPost(slug: unknown, id: unknown): Promise<ActionResult<{ post: Post }>> {
  const viewer = await requireViewer()
  const { projects, posts } = getProduct()
  return await catchRefusals(async () => {
    const post = await posts.find(projects.find(asText(slug), viewer).id, asText(id), viewer)
    return post ? { done: true, post } : failedWith('There is no such post in this project.')
  })
}

interface PublishedPost {
  /** The clocks' change that moved the time. */
  note: string | undefined
  /** The reason why a published post was not sent. */
  unsent: string | undefined
}

/** Publishes a post at a time, or now; a post published now is also sent to a list if one is named. */
export async function publishPost(
  slug: unknown,
  id: unknown,
  at: unknown,
  list: unknown,
): Promise<ActionResult<PublishedPost>> {
  const when = asText(at)
  const key = asText(list)
  return await runProjectChange<PublishedPost>(slug, async ({ posts, letters }, projectId, viewer) => {
    const published = await posts.publish(projectId, asText(id), when === '' ? {} : { at: when }, viewer)
    if (!published.done) return published
    const { post, note } = published
    if (when !== '' || key === '') return { done: true, note, unsent: undefined }
    const order = { post: post.id, list: key, subjects: [post.title], preview: excerptOf(post).slice(0, 150) }
    const sent = await letters.send(projectId, order, viewer)
    const unsent = sent.done ? undefined : sent.problems.map(({ message }) => message).join(' ')
    return { done: true, note, unsent }
  })
}

/** Publishes a post again that was just taken back: with its former date, and without its unpublished changes. */
export async function republishPost(slug: unknown, id: unknown, at: unknown): Promise<ActionResult> {
  const again = { at: asText(at), keepUnpublished: true }
  const answer = await runProjectChange(slug, ({ posts }, projectId, viewer) =>
    posts.publish(projectId, asText(id), again, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function unpublishPost(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ posts }, projectId, viewer) =>
    posts.unpublish(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function archivePost(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ posts }, projectId, viewer) =>
    posts.archive(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function restorePost(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ posts }, projectId, viewer) =>
    posts.restore(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

/** Restores a version; readers of a published post see it once its changes are published. */
export async function restorePostVersion(
  slug: unknown,
  id: unknown,
  version: unknown,
): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ posts }, projectId, viewer) =>
    posts.bringBack(projectId, asText(id), asNumber(version), viewer, { keepUnpublished: true }),
  )
  return mapOutcome(answer, () => ({}))
}

/** Makes a preview link: anyone with it reads the saved version of the post, unpublished changes included. */
export async function previewLink(slug: unknown, id: unknown): Promise<ActionResult<{ address: string }>> {
  const viewer = await requireViewer()
  const { projects, posts } = getProduct()
  const { sites } = posts
  return await catchRefusals(async () => {
    const projectId = projects.find(asText(slug), viewer).id
    const post = await posts.find(projectId, asText(id), viewer)
    if (!post) return failedWith('There is no such post in this project.')
    const token = await posts.previewToken(projectId, post.id, viewer)
    const origin = posts.published.openableOrigin(await sites.read(projectId, viewer))
    if (origin === undefined)
      return failedWith('Visitors cannot open this site: give it a URL of its own under Site → Design.')
    return {
      done: true,
      address: `${origin}${addressOf(withUnpublished(post))}?preview=${encodeURIComponent(token)}`,
    }
  })
}

/** Renders a text as readers would see it, without saving it. */
export async function previewText(slug: unknown, body: unknown): Promise<ActionResult<{ drawn: ReactNode }>> {
  const viewer = await requireViewer()
  const text = asText(body)
  return await catchRefusals(async () => {
    getProduct().projects.find(asText(slug), viewer)
    if (text.length > limits.bodyBytes) return failedWith('The text is too long to be published.')
    return { done: true, drawn: <PostBody document={readMarkdown(text)} blocks={previewBlocks} /> }
  })
}

const maxBlocks = 40

/** Renders blocks of a text as readers would see them, one by one. */
export async function previewBlocksOf(
  slug: unknown,
  texts: unknown,
): Promise<ActionResult<{ drawn: ReactNode[] }>> {
  const viewer = await requireViewer()
  const blocks = Array.isArray(texts) ? texts.slice(0, maxBlocks).map(asText) : []
  return await catchRefusals(async () => {
    getProduct().projects.find(asText(slug), viewer)
    if (blocks.join('').length > limits.bodyBytes) return failedWith('The text is too long to be published.')
    return { done: true, drawn: blocks.map(drawBlock) }
  })
}

const drawBlock = (text: string): ReactNode => (
  // the preview beside it has the same headings
  <PostBody document={readMarkdown(text, { idPrefix: 'block-' })} blocks={previewBlocks} />
)

export async function startTrial(slug: unknown, id: unknown, input: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ posts }, projectId, viewer) =>
    posts.startTrial(projectId, asText(id), input, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function stopTrial(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ posts }, projectId, viewer) =>
    posts.stopTrial(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function pickWinner(slug: unknown, id: unknown, winner: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ posts }, projectId, viewer) =>
    posts.pickWinner(projectId, asText(id), { winner }, viewer),
  )
  return mapOutcome(answer, () => ({}))
}
