import { z } from 'zod'
import { slugOf, type UnpublishedChanges } from './post'

/** The limits of a project. More is most likely a mistake. */
export const limits = { posts: 20_000, bodyBytes: 1_000_000, tags: 20, authors: 10, redirects: 10_000 }

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
  .overwrite((all) => [...new Map(all.toReversed().map((tag) => [slugOf(tag), tag])).values()].toReversed())

const series = line(100).refine((name) => slugOf(name) !== '', sluggableAdvice)

const externalAddressAdvice = 'Give an address that begins with "https://".'
const externalAddress = z.union(
  [
    z.literal(''),
    z.url({ protocol: /^https?$/, error: externalAddressAdvice }).max(500, 'Use at most 500 characters.'),
  ],
  { error: externalAddressAdvice },
)

export const slug = line(200).overwrite((written) => written.normalize('NFC').replaceAll(/^\/+|\/+$/g, ''))

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
export const optionalContent = z.strictObject({
  cover: picture.optional(),
  /** The name of its series, whose posts are ordered by date. */
  series: series.optional(),
  /** The language of its text, such as `de`; absent for that of the site. */
  language: language.optional(),
  /** The slug of the post that it is a translation of. Posts that name the same one belong together. */
  translationOf: slug.optional(),
  /** The position of a page among those of its folder; pages without one come last, by title. */
  order: order.optional(),
})

/** The part of a post that authors write. */
export const postContent = z.strictObject({
  title,
  /**
   * The last part of a post's address, /blog/hello; the whole address of a page, where '' is the home page and
   * 'docs/start' has two parts.
   */
  slug,
  /** The summary in lists, feeds and search results. If it is '', the beginning of the body is used. */
  excerpt: excerpt.default(''),
  /** The text with the blocks of `blocks.ts`. */
  body: body.default('').meta({ description: 'Markdown' }),
  /** The tags in the order of display; the first one is the most important. */
  tags: tags.default([]),
  /** Slugs of authors in order. */
  authors: z
    .array(line(80), { error: 'Name the authors as a list.' })
    .max(limits.authors, `Name at most ${limits.authors} authors.`)
    .overwrite((all) => [...new Set(all)])
    .default([]),
  isFeatured: z.boolean({ error: 'Say true or false.' }).default(false),
  allowsComments: z.boolean({ error: 'Say true or false.' }).default(false),
  /** Title and description for search engines, if they differ from the post's. */
  metaTitle: line(200).default(''),
  metaDescription: text(500).default(''),
  /** The original address, if it was published elsewhere first. */
  canonical: externalAddress.default(''),
  ...optionalContent.shape,
})

/** Every optional field by name, so that earlier content without one takes the place of later content with it. */
const noOptionalContent: z.infer<typeof optionalContent> = Object.fromEntries(
  Object.keys(optionalContent.shape).map((name) => [name, undefined]),
)

/** The content of a post in which nothing but a title is written. */
export const emptyContent = {
  ...noOptionalContent,
  ...postContent.omit({ title: true, slug: true }).parse({}),
}

/** The metrics that choose the winner of a trial: clicks, or complete reads. */
export const trialMetrics = ['clicks', 'reads'] as const

/** Absent fields are those of the post. */
export const trialVariant = z.strictObject({
  title: line(200).min(1, 'Leave the title out where it stays.').optional(),
  excerpt: line(1000).optional(),
  cover: picture.optional(),
})

/**
 * A trial of titles, excerpts or covers. Lists show each visitor one variant in place of the original; feeds,
 * canonical URLs and social cards show the original. The original is the variant 'a'.
 */
export const trial = z
  .strictObject({
    /**
     * The key by which visits assign variants: 'post-42-1', where the last number increases with each trial of the post.
     */
    key: z.string().meta({ description: 'What events call it' }),
    /** 'a', 'b' … 'e' */
    variants: z.array(trialVariant.extend({ key: z.string() })).readonly(),
    startedAt: z.date(),
    metric: z.enum(trialMetrics),
    state: z.discriminatedUnion('name', [
      z.strictObject({ name: z.literal('running') }),
      /** A variant won, and the post has its texts now. */
      z.strictObject({ name: z.literal('won'), winner: z.string(), at: z.date(), by: z.string() }),
      z.strictObject({ name: z.literal('stopped'), at: z.date(), by: z.string() }),
    ]),
  })
  .meta({ id: 'PostTrial' })

/** A post or a page of the site. A post belongs to the blog and has a date; a page has any address and no date. */
export const postSchema = z.strictObject({
  id: z.string().meta({ description: 'A number, or "file:" and the path of a file in a folder' }),
  projectId: z.number(),
  kind: z.enum(['post', 'page'], { error: 'Say "post" or "page".' }),
  source: z.enum(['studio', 'folder']),
  ...postContent.shape,
  /** Absent for a draft; a date in the future schedules it. */
  publishedAt: z.date().optional(),
  createdAt: z.date(),
  /** When its content last changed for readers. */
  changedAt: z.date(),
  /** Grows with each change, unpublished ones included. A change based on an older version is refused. */
  version: z.number(),
  archivedAt: z.date().optional(),
  /** The trial of titles, covers or excerpts, while it runs and after it. */
  trial: trial.optional(),
  /** The addresses of pictures beside a file in MDX, by how its text names them. */
  picturesBeside: z.record(z.string(), z.string()).optional(),
  /** Changes that readers do not see yet. The site reads posts without them. */
  unpublished: z.custom<UnpublishedChanges>().optional(),
})
