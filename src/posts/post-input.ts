import { z } from 'zod'
import { objectionToSlug } from './addresses'
import { type Post, slugOf } from './post'

/** More of it is somebody's mistake, or belongs elsewhere. */
export const most = { posts: 20_000, bodyBytes: 1_000_000, tags: 20, authors: 10, redirects: 10_000 }

/** For whoever adds one: what is said when a project has as many posts as it may. */
export const tooManyPosts = `A project has at most ${most.posts.toLocaleString('en')} posts and pages.`

/** One line, seen whole. */
export const line = (longest: number, missing = 'Write it as text.') =>
  z
    .string({ error: missing })
    .trim()
    .max(longest, `Use at most ${longest} characters.`)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'Leave out line breaks and other characters that cannot be seen.')

const text = (longest: number) =>
  z
    .string({ error: 'Write it as text.' })
    .trim()
    .max(longest, `Use at most ${longest.toLocaleString('en')} characters.`)
    .regex(/^[^\p{Cs}\0]*$/u, 'Leave out characters that cannot be seen.')

const needsATitle = 'Give it a title.'
const title = line(200, needsATitle).min(1, needsATitle)
const excerpt = text(1000)

const pixels = z.number({ error: 'Give it in pixels.' }).int().min(1).max(100_000)

/** Pictures are served from here alone: what a page shows tells nobody else who looks at it. */
export const picture = z.strictObject({
  address: z
    .string({ error: 'Give the picture’s address.' })
    .max(500, 'Use at most 500 characters.')
    .regex(
      /^\/(?!\/)[^\s\\]*$/,
      'Upload the picture: its address is on this server and begins with "/_tilth/images/".',
    ),
  alt: line(500).default(''),
  width: pixels.optional(),
  height: pixels.optional(),
})

const body = z.string({ error: 'Write the body as text, in Markdown.' }).superRefine((written, context) => {
  const bytes = sizeOf(written)
  if (bytes <= most.bodyBytes) return
  const size = (bytes / 1_000_000).toFixed(1)
  const message = `The text is ${size} MB, and 1 MB is the most. Upload pictures instead of pasting them, or make two posts of it.`
  context.addIssue({ code: 'custom', message })
})

const sizeOf = (written: string): number => new TextEncoder().encode(written).length

const canBeAnAddress = 'Use letters or digits as well: an address is made of it.'
const tagged = line(60)
  .min(1, 'Leave out what is empty.')
  .refine((tag) => slugOf(tag) !== '', canBeAnAddress)

/** Two that would share an address are one. */
const tags = z
  .array(tagged, { error: 'Give the tags as a list.' })
  .max(most.tags, `Give at most ${most.tags} tags.`)
  .transform((all) => [...new Map(all.toReversed().map((tag) => [slugOf(tag), tag])).values()].toReversed())

const series = line(100).refine((name) => slugOf(name) !== '', canBeAnAddress)

const fromElsewhere = 'Give an address that begins with "https://".'
const elsewhere = z.union(
  [
    z.literal(''),
    z.url({ protocol: /^https?$/, error: fromElsewhere }).max(500, 'Use at most 500 characters.'),
  ],
  { error: fromElsewhere },
)

const slug = line(200).transform((written) => written.normalize('NFC').replaceAll(/^\/+|\/+$/g, ''))

const parts = {
  title,
  slug,
  excerpt,
  body,
  tags,
  authors: z
    .array(line(80), { error: 'Name the authors as a list.' })
    .max(most.authors, `Name at most ${most.authors} authors.`)
    .transform((all) => [...new Set(all)]),
  isFeatured: z.boolean({ error: 'Say true or false.' }),
  allowsComments: z.boolean({ error: 'Say true or false.' }),
  metaTitle: line(200),
  metaDescription: text(500),
  canonical: elsewhere,
}

/** What makes a post or a page, with a sentence for each mistake. It is a draft until it is published. */
export const newPost = z
  .strictObject({
    ...z.object(parts).partial().shape,
    kind: z.enum(['post', 'page'], { error: 'Say "post" or "page".' }).default('post'),
    title,
    cover: picture.nullish(),
    series: series.nullish(),
  })
  .check(({ value: { kind, slug: wanted }, issues }) => {
    const message = wanted === undefined ? undefined : objectionToSlug(kind, wanted)
    if (message !== undefined) issues.push({ code: 'custom', message, path: ['slug'], input: wanted })
  })
export type NewPost = z.infer<typeof newPost>

export const note = line(500).optional()

/** What changes one: what is absent stays as it is, and null takes it away. */
export const postChange = z.strictObject({
  ...z.object(parts).partial().shape,
  cover: picture.nullish(),
  series: series.nullish(),
  /** The one it was made from; if that is no longer the latest, somebody else was faster. */
  version: z.number({ error: 'Give the version as a number.' }).int().optional(),
  note,
})
export type PostChange = z.infer<typeof postChange>

/** What is said of a post by whoever writes it. */
export type Written = Pick<Post, keyof typeof parts & keyof Post> & Pick<Post, 'cover' | 'series'>

export function writtenIn({ cover, series: name, ...said }: NewPost, address: string): Written {
  return {
    ...nothingWritten,
    ...withoutAbsent(said),
    slug: address,
    cover: cover ?? undefined,
    series: named(name),
  }
}

/** The post as the change makes it. */
export function changedPost(
  before: Post,
  { version: _, note: _note, cover, series: name, ...said }: PostChange,
): Post {
  return {
    ...before,
    ...withoutAbsent(said),
    cover: cover === undefined ? before.cover : (cover ?? undefined),
    series: name === undefined ? before.series : named(name),
  }
}

const named = (name: string | null | undefined): string | undefined =>
  name === '' ? undefined : (name ?? undefined)

const nothingWritten: Omit<Written, 'title'> = {
  slug: '',
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
}

/** Without what is there as undefined, so that it cannot stand before what was. */
function withoutAbsent<Said extends object>(
  all: Said,
): { [Key in keyof Said]: Exclude<Said[Key], undefined> } {
  const said = Object.entries(all).filter(([, value]) => value !== undefined)
  // the same keys and values, without some
  return Object.fromEntries(said) as { [Key in keyof Said]: Exclude<Said[Key], undefined> }
}
