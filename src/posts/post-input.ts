import { z } from 'zod'
import { applyChange, changeOf } from '#collection/change-of'
import { slugProblem } from './addresses'
import type { Post, PostContent } from './post'
import {
  emptyContent,
  limits,
  line,
  optionalContent,
  postContent,
  postSchema,
  slug as postSlug,
} from './post-schema'

/** The refusal of a new post when the project has reached its limit. */
export const tooManyPosts = `A project has at most ${limits.posts.toLocaleString('en')} posts and pages.`

/** The parts of a new post or page, with a message for each mistake. It is a draft until it is published. */
export const newPost = postContent
  .extend({
    kind: postSchema.shape.kind.default('post'),
    /** Made of the title where it is left out. */
    slug: postSlug.optional(),
    /** The member who writes it where they are left out. */
    authors: postContent.shape.authors.unwrap().optional(),
    ...changeOf(optionalContent).shape,
  })
  .check(({ value: { kind, slug: wanted }, issues }) => {
    const message = wanted === undefined ? undefined : slugProblem(kind, wanted)
    if (message !== undefined) issues.push({ code: 'custom', message, path: ['slug'], input: wanted })
  })
export type NewPost = z.infer<typeof newPost>

export const note = line(500).optional()

export const baseVersion = z.number({ error: 'Give the version as a number.' }).int().optional()

/** Publishes or discards unpublished changes. */
export const unpublishedDecision = z.strictObject({
  /** The version that the decision is based on. It is refused if a newer one exists. */
  version: baseVersion,
  note,
})

/** A change: absent fields stay as they are, and null removes a field. */
export const postChange = changeOf(postContent).extend({
  /** The version that the change is based on. The change is refused if a newer one exists. */
  version: baseVersion,
  note,
  /** Keeps the change of a published post as unpublished changes. The content of any other post changes at once. */
  keepUnpublished: z.boolean({ error: 'Say true or false.' }).optional(),
})
type PostChange = z.infer<typeof postChange>

/** The content of a new post at an address. */
export const contentOf = ({ kind: _, ...input }: NewPost, slug: string): PostContent =>
  applyChange<PostContent>({ ...emptyContent, title: input.title, slug }, { ...withoutBlanks(input), slug })

/** Returns the changed post. */
export const changedPost = (
  before: Post,
  { version: _, note: _note, keepUnpublished: _keepUnpublished, ...fields }: PostChange,
): Post => applyChange(before, withoutBlanks(fields))

/** An empty language or translation is none. */
const withoutBlanks = <
  Fields extends { language?: string | null | undefined; translationOf?: string | null | undefined },
>(
  fields: Fields,
): Fields => ({
  ...fields,
  ...(fields.language === '' && { language: null }),
  ...(fields.translationOf === '' && { translationOf: null }),
})
