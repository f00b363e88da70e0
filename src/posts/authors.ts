import { z } from 'zod'
import { collectionClass, declareCollection } from '#collection/collection'
import { shownAs } from '#collection/entry-shape'
import { failedOutcome } from '#projects/problems'
import { type Author, slugOf } from './post'
import { line, picture } from './post-schema'
import { postsOf } from './internal/store'
import { authorsOf, removeAuthor, saveAuthor } from './internal/stored-authors'
import { withUnpublished } from './unpublished'

const nameAdvice = 'Give the author a name.'

const link = z.strictObject({
  label: line(60).min(1, 'Enter the text of the link.'),
  address: z.url({
    protocol: /^(?:https?|mailto)$/,
    error: 'Start the URL with "https://" or "mailto:".',
  }),
})

const authorFields = {
  name: line(80, nameAdvice).min(1, nameAdvice),
  bio: z.string({ error: 'Write it as text.' }).trim().max(1000, 'Use at most 1,000 characters.'),
  /** The author's pages elsewhere. */
  links: z.array(link, { error: 'Give the links as a list.' }).max(10, 'Give at most 10 links.'),
}

export const authorSchema = z.strictObject({
  /** Derived from the name by default. It never changes. */
  slug: line(80).refine(
    (slug) => slug !== '' && slug === slugOf(slug),
    'Use lower-case letters, digits and dashes.',
  ),
  ...authorFields,
  picture: picture.optional(),
})

const newAuthor = authorSchema.extend({
  slug: authorSchema.shape.slug.optional(),
  bio: authorFields.bio.default(''),
  links: authorFields.links.default([]),
  picture: picture.nullish(),
})

const authorChange = z.strictObject({
  ...z.object(authorFields).partial().shape,
  // null removes it
  picture: picture.nullish(),
})

/** Lists authors by name. An author needs no account; the slug is the id. */
export const authorCollection = declareCollection({
  name: 'author',
  rights: { read: 'project:read', write: 'posts:write' },
  newEntry: newAuthor,
  change: authorChange,
  limit: { count: 1000, message: 'A project has at most 1000 authors.' },
  table: {
    list: authorsOf,
    save: (transaction, author: Author, { projectId, now }) =>
      saveAuthor(transaction, projectId, author, now),
    remove: (transaction, { slug }, projectId) => removeAuthor(transaction, projectId, slug),
  },
  idOf: ({ slug }) => slug,
  audit: { subject: ({ name }) => name, fields: (author) => author },
  applyNew: ({ picture: shown, ...fields }, { existing }) => {
    const slug = fields.slug ?? (slugOf(fields.name) || 'author')
    const same = existing.find((author) => author.slug === slug)
    return same
      ? failedOutcome(`“${same.name}” already has this URL slug. Choose another.`, 'slug')
      : { ...fields, slug, picture: shown ?? undefined }
  },
  applyChange: (before, { name, bio, links, picture: shown }) => ({
    slug: before.slug,
    name: name ?? before.name,
    bio: bio ?? before.bio,
    links: links ?? before.links,
    picture: shown === undefined ? before.picture : (shown ?? undefined),
  }),
  refuseRemoval: async ({ name, slug }, transaction, projectId) => {
    const posts = await postsOf(transaction, projectId)
    const written = posts.find((post) =>
      [post, withUnpublished(post)].some(({ authors }) => authors.includes(slug)),
    )
    return written && failedOutcome(`${name} is an author of “${written.title}”. Change that first.`)
  },
  topic: 'posts',
  api: {
    summaries: {
      list: 'List authors',
      create: 'Add an author',
      change: 'Change an author',
      remove: 'Remove an author who wrote nothing',
    },
    ...shownAs('Author', authorSchema),
  },
})

export class Authors extends collectionClass(authorCollection) {}
