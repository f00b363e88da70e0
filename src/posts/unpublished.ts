import type { ChangedFields, ContentField, Post } from './post'

/** The fields that authors write. Publication, trial and archive are not among them. */
export const contentFields = [
  'title',
  'slug',
  'excerpt',
  'body',
  'cover',
  'tags',
  'authors',
  'series',
  'isFeatured',
  'allowsComments',
  'metaTitle',
  'metaDescription',
  'canonical',
  'language',
  'translationOf',
  'order',
] as const satisfies readonly ContentField[]

/** The post as its authors see it, with the changes that readers do not see yet. */
export function withUnpublished(post: Post): Post {
  if (!post.unpublished) return post
  const changes = Object.entries(post.unpublished.fields).map(([field, value]) => [field, value ?? undefined])
  // the fields are those of a post, and null stands for a removed one
  return { ...post, ...(Object.fromEntries(changes) as Partial<Post>) }
}

/** The post with its unpublished changes as its content. */
export const withChangesApplied = (post: Post): Post => ({ ...withUnpublished(post), unpublished: undefined })

/** The fields of the content in which the two differ, as the second has them. */
export function changedFields(before: Post, after: Post): ChangedFields {
  const differing = contentFields.filter((field) => !isSame(before[field], after[field]))
  return Object.fromEntries(differing.map((field) => [field, storedForm(after[field])]))
}

/** The content of one post with everything else of the other. */
export const withContentOf = (post: Post, content: Post): Post => ({
  ...post,
  ...Object.fromEntries(contentFields.map((field) => [field, content[field]])),
})

/** The post without unpublished changes that its public content has by now, such as the title of a winner. */
export function withoutSettledChanges(post: Post): Post {
  if (!post.unpublished) return post
  const fields = changedFields(post, withUnpublished(post))
  const unpublished = Object.keys(fields).length > 0 ? { ...post.unpublished, fields } : undefined
  return { ...post, unpublished }
}

/** Compares the stored forms, in which an undefined field is absent. Browsers run this, too. */
const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(storedForm(one)) === JSON.stringify(storedForm(other))

const storedForm = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))
