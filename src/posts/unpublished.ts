import { type ChangedFields, contentPartOf, type Post } from './post'

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
  const was = new Map<string, unknown>(Object.entries(contentPartOf(before)))
  const is = new Map<string, unknown>(Object.entries(contentPartOf(after)))
  const differing = [...new Set([...was.keys(), ...is.keys()])].filter(
    (field) => !isSame(was.get(field), is.get(field)),
  )
  return Object.fromEntries(differing.map((field) => [field, storedForm(is.get(field))]))
}

/** The content of one post with everything else of the other. */
export function withContentOf(post: Post, content: Post): Post {
  const none = Object.keys(contentPartOf(post)).map((field) => [field, undefined])
  return { ...post, ...Object.fromEntries(none), ...contentPartOf(content) }
}

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
