import { addressOf, type Author, type Post } from '#posts/post'
import { excerptOf } from '#posts/markdown'
import type { ListEntry } from '../list-entries'

/** A post of a list as modules of the site folder see it. */
export const kitPostOf = ({ shown: _, authors, ...entry }: ListEntry) => ({
  ...entry,
  authors: authors.map(kitAuthorOf),
})

const kitAuthorOf = ({ slug, name }: Author) => ({ slug, name })

/** A post on its own page. */
export const kitPostFrom = (post: Post, authors: readonly Author[], minutes: number) => ({
  address: addressOf(post),
  title: post.title,
  excerpt: excerptOf(post),
  cover: post.cover,
  publishedAt: post.publishedAt,
  updatedAt: post.changedAt,
  minutes,
  authors: authors.map(kitAuthorOf),
  tags: post.tags,
  isFeatured: post.isFeatured,
  series: post.series,
})
