import { z } from 'zod'
import { type Outcome, type ParsedInput, parseInput, failedOutcome } from '#projects/problems'
import type { FrontMatterFile } from '../front-matter'
import type { Post } from '../post'
import { newPost, type NewPost, contentOf } from '../post-input'
import { parseScheduledTime, timeAdvice } from '../schedule'
import type { PostFilePath } from './post-file-path'

interface PostFile extends FrontMatterFile {
  /** The path from the root of the folder. */
  path: string
  changedAt: Date
}

type FrontMatter = Readonly<Record<string, unknown>>

/** The names of fields, with those of other tools. */
const frontMatterNames = {
  title: ['title'],
  slug: ['slug'],
  excerpt: ['excerpt', 'description', 'summary'],
  date: ['date', 'publishedAt', 'published'],
  updated: ['updated', 'lastmod', 'changedAt'],
  tags: ['tags', 'keywords'],
  authors: ['authors', 'author'],
  cover: ['cover', 'image'],
  series: ['series'],
  isFeatured: ['featured'],
  allowsComments: ['comments'],
  metaTitle: ['metaTitle'],
  metaDescription: ['metaDescription'],
  canonical: ['canonical'],
  language: ['lang', 'language'],
  translationOf: ['translationOf'],
  order: ['order'],
} as const

/** Returns the post of a file, or the errors in it. */
export function postFromFile(
  { path, fields, body, changedAt }: PostFile,
  place: PostFilePath,
  { projectId, timeZone }: { projectId: number; timeZone: string },
): Outcome<{ post: Post }> {
  const written = parseInput(newPost, postInputOf(fields, body, place))
  if (!written.done) return written
  const dates = readDates(fields, place, timeZone, changedAt)
  if (!dates.done) return dates
  const { slug = place.slug, kind, translationOf, language } = written.value
  const isNamed = slug !== place.original
  const input = contentOf(
    {
      ...written.value,
      language: language ?? place.language,
      // a file is a translation of the one beside it whose name has no language
      translationOf: translationOf ?? (isNamed ? place.original : undefined),
    },
    slug,
  )
  const always = { version: 1, archivedAt: undefined, trial: undefined, source: 'folder' } as const
  return { done: true, post: { ...input, ...dates.value, ...always, id: `file:${path}`, projectId, kind } }
}

function postInputOf(
  front: FrontMatter,
  body: string,
  { kind, slug }: PostFilePath,
): Partial<Record<keyof NewPost, unknown>> {
  const fieldValue = (name: keyof typeof frontMatterNames): unknown =>
    firstField(front, frontMatterNames[name])
  return {
    kind,
    slug: fieldValue('slug') ?? slug,
    title: fieldValue('title') ?? headingOf(body),
    body,
    excerpt: fieldValue('excerpt'),
    tags: readList(fieldValue('tags')),
    authors: readList(fieldValue('authors')),
    cover: readCover(fieldValue('cover')),
    series: fieldValue('series'),
    isFeatured: fieldValue('isFeatured'),
    allowsComments: fieldValue('allowsComments'),
    metaTitle: fieldValue('metaTitle'),
    metaDescription: fieldValue('metaDescription'),
    canonical: fieldValue('canonical'),
    language: fieldValue('language'),
    translationOf: fieldValue('translationOf'),
    order: fieldValue('order'),
  }
}

const firstField = (front: FrontMatter, names: readonly string[]): unknown =>
  names.map((name) => front[name]).find((value) => value !== undefined && value !== null)

/** All names of the cover field. */
export const coverFieldNames = frontMatterNames.cover

/** Reads a list; "a, b" is one too. */
const readList = (value: unknown): unknown =>
  typeof value === 'string' ? value.split(',').map((one) => one.trim()) : value

/** Reads a cover: an address, or an address with an alternative text and a size. */
export function readCover(value: unknown): (z.infer<typeof cover> & { address: string }) | undefined {
  if (typeof value === 'string') return { address: value }
  const parts = cover.safeParse(value)
  if (!parts.success) return undefined
  const { src = '', address = src, ...others } = parts.data
  return { address, ...others }
}

const cover = z.object({
  address: z.string().optional(),
  src: z.string().optional(),
  alt: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
})

/** The first heading of a text, which then needs no title. */
const headingOf = (body: string): string | undefined => /^\s*#[ \t]+(.+?)[ \t#]*$/m.exec(body)?.[1]

type PostDates = Pick<Post, 'publishedAt' | 'createdAt' | 'changedAt'>

function readDates(
  front: FrontMatter,
  place: PostFilePath,
  timeZone: string,
  fileChangedAt: Date,
): ParsedInput<PostDates> {
  const publishedText = firstField(front, frontMatterNames.date) ?? place.date
  if (publishedText === undefined && place.kind === 'post' && front['draft'] !== true)
    return failedOutcome('A post needs a date, such as "date: 2026-11-21", or "draft: true".', 'date')
  const published = readDate(publishedText, timeZone)
  const updated = readDate(firstField(front, frontMatterNames.updated), timeZone)
  if (published === 'unreadable' || updated === 'unreadable') return failedOutcome(timeAdvice, 'date')
  const changedAt = updated ?? published ?? fileChangedAt
  const publishedAt = front['draft'] === true ? undefined : (published ?? undatedPageDate)
  return { done: true, value: { publishedAt, createdAt: published ?? changedAt, changedAt } }
}

/** The date of a page without one. */
const undatedPageDate = new Date(0)

function readDate(value: unknown, timeZone: string): Date | 'unreadable' | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string') return 'unreadable'
  const written = value.trim().replace(' ', 'T')
  const isDay = /^\d{4}-\d\d-\d\d$/.test(written)
  return parseScheduledTime(isDay ? `${written}T00:00` : written, timeZone)?.at ?? 'unreadable'
}
