import { withoutUndefined } from '#collection/without-undefined'
import { z } from 'zod'
import { slugProblem } from './addresses'
import { type Post, slugOf } from './post'

/** The limits of a project. More is most likely a mistake. */
export const limits = { posts: 20_000, bodyBytes: 1_000_000, tags: 20, authors: 10, redirects: 10_000 }

/** The refusal of a new post when the project has reached its limit. */
export const tooManyPosts = `A project has at most ${limits.posts.toLocaleString('en')} posts and pages.`

/** A text of one line without invisible characters. */
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

/** Pictures are served from this server only, so that a page reveals its readers to no other server. */
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
  if (bytes <= limits.bodyBytes) return
  const size = (bytes / 1_000_000).toFixed(1)
  const message = `The text is ${size} MB, and 1 MB is the most. Upload pictures instead of pasting them, or make two posts of it.`
  context.addIssue({ code: 'custom', message })
})

const sizeOf = (written: string): number => new TextEncoder().encode(written).length

const sluggableAdvice = 'Use letters or digits as well: an address is made of it.'
const tagText = line(60)
  .min(1, 'Leave out what is empty.')
  .refine((tag) => slugOf(tag) !== '', sluggableAdvice)

/** Tags with the same address count once. */
const tags = z
  .array(tagText, { error: 'Give the tags as a list.' })
  .max(limits.tags, `Give at most ${limits.tags} tags.`)
  .transform((all) => [...new Map(all.toReversed().map((tag) => [slugOf(tag), tag])).values()].toReversed())

const series = line(100).refine((name) => slugOf(name) !== '', sluggableAdvice)

const externalAddressAdvice = 'Give an address that begins with "https://".'
const externalAddress = z.union(
  [
    z.literal(''),
    z.url({ protocol: /^https?$/, error: externalAddressAdvice }).max(500, 'Use at most 500 characters.'),
  ],
  { error: externalAddressAdvice },
)

const slug = line(200).transform((written) => written.normalize('NFC').replaceAll(/^\/+|\/+$/g, ''))

const noLanguage = 'Write the language as "de" or "pt-BR".'
const language = z
  .string({ error: noLanguage })
  .trim()
  .max(35, noLanguage)
  .refine((code) => code === '' || isLanguage(code), noLanguage)

function isLanguage(code: string): boolean {
  try {
    return Intl.getCanonicalLocales(code).length === 1
  } catch {
    return false
  }
}

const noOrder = 'Give the position as a number, such as 1.'
const order = z.number({ error: noOrder }).min(-1_000_000, noOrder).max(1_000_000, noOrder)

/** Fields that a post may be without. */
const optionalParts = {
  cover: picture.nullish(),
  series: series.nullish(),
  language: language.nullish(),
  translationOf: slug.nullish(),
  order: order.nullish(),
}

const parts = {
  title,
  slug,
  excerpt,
  body,
  tags,
  authors: z
    .array(line(80), { error: 'Name the authors as a list.' })
    .max(limits.authors, `Name at most ${limits.authors} authors.`)
    .transform((all) => [...new Set(all)]),
  isFeatured: z.boolean({ error: 'Say true or false.' }),
  allowsComments: z.boolean({ error: 'Say true or false.' }),
  metaTitle: line(200),
  metaDescription: text(500),
  canonical: externalAddress,
}

/** The parts of a new post or page, with a message for each mistake. It is a draft until it is published. */
export const newPost = z
  .strictObject({
    ...z.object(parts).partial().shape,
    kind: z.enum(['post', 'page'], { error: 'Say "post" or "page".' }).default('post'),
    ...optionalParts,
    title,
  })
  .check(({ value: { kind, slug: wanted }, issues }) => {
    const message = wanted === undefined ? undefined : slugProblem(kind, wanted)
    if (message !== undefined) issues.push({ code: 'custom', message, path: ['slug'], input: wanted })
  })
export type NewPost = z.infer<typeof newPost>

export const note = line(500).optional()

const baseVersion = z.number({ error: 'Give the version as a number.' }).int().optional()

/** Publishes or discards unpublished changes. */
export const unpublishedDecision = z.strictObject({
  /** The version that the decision is based on. It is refused if a newer one exists. */
  version: baseVersion,
  note,
})

/** A change: absent fields stay as they are, and null removes a field. */
export const postChange = z.strictObject({
  ...z.object(parts).partial().shape,
  ...optionalParts,
  /** The version that the change is based on. The change is refused if a newer one exists. */
  version: baseVersion,
  note,
  /** Keeps the change of a published post as unpublished changes. The content of any other post changes at once. */
  keepUnpublished: z.boolean({ error: 'Say true or false.' }).optional(),
})
type PostChange = z.infer<typeof postChange>

/** The fields that authors write. */
type PostContent = Pick<Post, keyof typeof parts & keyof Post> & Pick<Post, OptionalPart>
type OptionalPart = keyof typeof optionalParts

export function contentOf(
  { cover, series: name, language: code, translationOf, order: position, ...input }: NewPost,
  address: string,
): PostContent {
  return {
    ...emptyContent,
    ...withoutUndefined(input),
    slug: address,
    cover: cover ?? undefined,
    series: textOrNone(name),
    language: textOrNone(code),
    translationOf: textOrNone(translationOf),
    order: position ?? undefined,
  }
}

/** Returns the changed post. */
export function applyChange(
  before: Post,
  {
    version: _,
    note: _note,
    keepUnpublished: _keepUnpublished,
    cover,
    series: name,
    language: code,
    translationOf,
    order: position,
    ...fields
  }: PostChange,
): Post {
  return {
    ...before,
    ...withoutUndefined(fields),
    cover: cover === undefined ? before.cover : (cover ?? undefined),
    series: name === undefined ? before.series : textOrNone(name),
    language: code === undefined ? before.language : textOrNone(code),
    translationOf: translationOf === undefined ? before.translationOf : textOrNone(translationOf),
    order: position === undefined ? before.order : (position ?? undefined),
  }
}

const textOrNone = (name: string | null | undefined): string | undefined =>
  name === '' ? undefined : (name ?? undefined)

const emptyContent: Omit<PostContent, 'title' | 'language' | 'translationOf' | 'order'> = {
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
