import type { Post } from '#posts/post'

const publishedAt = new Date('2026-01-01T00:00:00Z')

/** A post that is public since the beginning of the year, with these changes. */
export const aPost = (changes: Partial<Post> = {}): Post => ({
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
  publishedAt: publishedAt,
  createdAt: publishedAt,
  changedAt: publishedAt,
  version: 1,
  archivedAt: undefined,
  trial: undefined,
  ...changes,
})
