import type { Post } from '../src/posts/post'

const then = new Date('2026-01-01T00:00:00Z')

/** A post that everybody may read since the beginning of the year, but for what is said. */
export const aPost = (said: Partial<Post> = {}): Post => ({
  id: '1',
  projectId: 1,
  kind: 'post',
  source: 'studio',
  slug: 'hello',
  title: 'Hello',
  excerpt: '',
  body: '',
  cover: undefined,
  tags: [],
  authors: [],
  series: undefined,
  isFeatured: false,
  allowsComments: false,
  metaTitle: '',
  metaDescription: '',
  canonical: '',
  publishedAt: then,
  createdAt: then,
  changedAt: then,
  version: 1,
  archivedAt: undefined,
  trial: undefined,
  ...said,
})
