'use server'

import type { ReactNode } from 'react'
import { drawnInPlace } from '../../../../../../posts/drawn-in-place'
import { readMarkdown } from '../../../../../../posts/markdown'
import type { Post } from '../../../../../../posts/post'
import { addressOf } from '../../../../../../posts/post'
import { most } from '../../../../../../posts/post-input'
import { PostBody } from '../../../../../../posts/PostBody'
import { getProduct } from '../../../../../product'
import { requireViewer } from '../../../../../viewer'
import { type Answer, notDone, told } from '../../../../answer'
import { textIn } from '../../../../given'
import { answering, changingProject } from '../../../../refusals'
import { previewBlocks } from './preview-blocks'

export async function createPost(slug: unknown, input: unknown): Promise<Answer<{ id: string }>> {
  const answer = await changingProject(slug, ({ posts }, projectId, viewer) =>
    posts.create(projectId, input, viewer),
  )
  return told(answer, ({ post }) => ({ id: post.id }))
}

export async function savePost(slug: unknown, id: unknown, input: unknown): Promise<Answer<{ post: Post }>> {
  return await changingProject(slug, ({ posts }, projectId, viewer) =>
    posts.change(projectId, textIn(id), input, viewer),
  )
}

/** As it stands now: asked where somebody else may have been faster. */
export async function newestPost(slug: unknown, id: unknown): Promise<Answer<{ post: Post }>> {
  const viewer = await requireViewer()
  const { projects, posts } = getProduct()
  return await answering(async () => {
    const post = await posts.find(projects.find(textIn(slug), viewer).id, textIn(id), viewer)
    return post ? { done: true, post } : notDone('There is no such post in this project.')
  })
}

/** Now, or at a time; what the clocks make of that time is said. */
export async function publishPost(
  slug: unknown,
  id: unknown,
  at: unknown,
): Promise<Answer<{ note: string | undefined }>> {
  const when = textIn(at)
  const answer = await changingProject(slug, ({ posts }, projectId, viewer) =>
    posts.publish(projectId, textIn(id), when === '' ? {} : { at: when }, viewer),
  )
  return told(answer, ({ note }) => ({ note }))
}

export async function unpublishPost(slug: unknown, id: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ posts }, projectId, viewer) =>
    posts.unpublish(projectId, textIn(id), viewer),
  )
  return told(answer, () => ({}))
}

export async function archivePost(slug: unknown, id: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ posts }, projectId, viewer) =>
    posts.archive(projectId, textIn(id), viewer),
  )
  return told(answer, () => ({}))
}

export async function restorePost(slug: unknown, id: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ posts }, projectId, viewer) =>
    posts.restore(projectId, textIn(id), viewer),
  )
  return told(answer, () => ({}))
}

export async function bringBackPost(slug: unknown, id: unknown, version: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ posts }, projectId, viewer) =>
    posts.bringBack(projectId, textIn(id), Number(version), viewer),
  )
  return told(answer, () => ({}))
}

/** Where whoever has this address reads the post as it is saved. */
export async function previewLink(slug: unknown, id: unknown): Promise<Answer<{ address: string }>> {
  const viewer = await requireViewer()
  const { projects, posts, sites } = getProduct()
  return await answering(async () => {
    const projectId = projects.find(textIn(slug), viewer).id
    const post = await posts.find(projectId, textIn(id), viewer)
    if (!post) return notDone('There is no such post in this project.')
    const token = await posts.previewToken(projectId, post.id, viewer)
    const { origin } = await sites.read(projectId, viewer)
    return { done: true, address: `${origin}${addressOf(post)}?preview=${encodeURIComponent(token)}` }
  })
}

/** A text as its readers would see it. Nothing of it is kept. */
export async function previewText(slug: unknown, body: unknown): Promise<Answer<{ drawn: ReactNode }>> {
  const viewer = await requireViewer()
  const text = textIn(body)
  return await answering(async () => {
    getProduct().projects.find(textIn(slug), viewer)
    if (text.length > most.bodyBytes) return notDone('The text is too long to be published.')
    const document = await drawnInPlace(readMarkdown(text))
    return { done: true, drawn: <PostBody document={document} blocks={previewBlocks} /> }
  })
}

export async function startTrial(slug: unknown, id: unknown, input: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ posts }, projectId, viewer) =>
    posts.startTrial(projectId, textIn(id), input, viewer),
  )
  return told(answer, () => ({}))
}

export async function stopTrial(slug: unknown, id: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ posts }, projectId, viewer) =>
    posts.stopTrial(projectId, textIn(id), viewer),
  )
  return told(answer, () => ({}))
}

export async function pickWinner(slug: unknown, id: unknown, winner: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ posts }, projectId, viewer) =>
    posts.pickWinner(projectId, textIn(id), { winner }, viewer),
  )
  return told(answer, () => ({}))
}
