import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import type { Post } from '#posts/post'
import { postIdIn } from '#studio/paths'
import { getProduct } from '#studio/product'
import { type Opened, openProject, whyNot } from '#studio/parts/open-project'

/** The parts of what names it: a number, or a file and the folders it is in. */
export type PostParams = Promise<{ project: string; post: string[] }>

export interface OpenedPost extends Opened {
  post: Post
  /** Why it cannot be changed by this viewer, or at all. */
  whyNot: string | undefined
}

/** The post or page an address names. */
export const openPost = async (params: PostParams): Promise<OpenedPost> => {
  const { project, post } = await params
  return await found(project, postIdIn(post))
}

const found = cache(async (slug: string, id: string): Promise<OpenedPost> => {
  const opened = await openProject(slug)
  const post = await getProduct().posts.find(opened.project.id, id, opened.viewer)
  if (!post) notFound()
  return { ...opened, post, whyNot: reasonFor(post, opened) }
})

const reasonFor = (post: Post, { role }: Opened): string | undefined =>
  post.archivedAt ? 'The post is archived. Restore it first.' : whyNot('posts:write', role)

export async function titleOf(params: PostParams, view?: string): Promise<Metadata> {
  const { post } = await openPost(params)
  return { title: view === undefined ? post.title : `${view} · ${post.title}` }
}
