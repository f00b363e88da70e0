import { z } from 'zod'
import { type Outcome, type Parsed, parse, undone } from '../../projects/problems'
import type { Fronted } from '../front-matter'
import type { Post } from '../post'
import { newPost, type NewPost, writtenIn } from '../post-input'
import { momentIn, nameATime } from '../schedule'
import type { Place } from './place'

export interface PostFile extends Fronted {
  /** From the root of the folder. */
  path: string
  changedAt: Date
}

type Front = Readonly<Record<string, unknown>>

/** Other tools' words for the same, by ours. */
const words = {
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
} as const

/** The post that a file is, or what to mend in it. */
export function postIn(
  { path, front, body, changedAt }: PostFile,
  place: Place,
  { projectId, timeZone }: { projectId: number; timeZone: string },
): Outcome<{ post: Post }> {
  const written = parse(newPost, inputOf(front, body, place))
  if (!written.done) return written
  const dates = datesIn(front, place, timeZone, changedAt)
  if (!dates.done) return dates
  const { slug = place.slug, kind } = written.value
  const said = writtenIn(written.value, slug)
  const always = { version: 1, archivedAt: undefined, trial: undefined, source: 'folder' } as const
  return { done: true, post: { ...said, ...dates.value, ...always, id: `file:${path}`, projectId, kind } }
}

function inputOf(front: Front, body: string, { kind, slug }: Place): Partial<Record<keyof NewPost, unknown>> {
  const said = (name: keyof typeof words): unknown => first(front, words[name])
  return {
    kind,
    slug: said('slug') ?? slug,
    title: said('title') ?? headingOf(body),
    body,
    excerpt: said('excerpt'),
    tags: listIn(said('tags')),
    authors: listIn(said('authors')),
    cover: coverSaid(said('cover')),
    series: said('series'),
    isFeatured: said('isFeatured'),
    allowsComments: said('allowsComments'),
    metaTitle: said('metaTitle'),
    metaDescription: said('metaDescription'),
    canonical: said('canonical'),
  }
}

const first = (front: Front, names: readonly string[]): unknown =>
  names.map((name) => front[name]).find((value) => value !== undefined && value !== null)

/** Under whichever of its names it stands. */
export const coverNames = words.cover

/** "a, b" is as good as a list. */
const listIn = (said: unknown): unknown =>
  typeof said === 'string' ? said.split(',').map((one) => one.trim()) : said

/** An address alone, or one with what the picture shows. */
export function coverSaid(said: unknown): { address: string; alt?: string } | undefined {
  if (typeof said === 'string') return { address: said }
  const parts = cover.safeParse(said)
  return parts.success
    ? { address: parts.data.address ?? parts.data.src ?? '', alt: parts.data.alt }
    : undefined
}

const cover = z.object({
  address: z.string().optional(),
  src: z.string().optional(),
  alt: z.string().optional(),
})

/** Text that begins with its own heading needs no other. */
const headingOf = (body: string): string | undefined => /^\s*#[ \t]+(.+?)[ \t#]*$/m.exec(body)?.[1]

type Dates = Pick<Post, 'publishedAt' | 'createdAt' | 'changedAt'>

function datesIn(front: Front, place: Place, timeZone: string, fileChangedAt: Date): Parsed<Dates> {
  const said = first(front, words.date) ?? place.date
  if (said === undefined && place.kind === 'post' && front['draft'] !== true)
    return undone('A post needs a date, such as "date: 2026-11-21", or "draft: true".', 'date')
  const published = dateOf(said, timeZone)
  const updated = dateOf(first(front, words.updated), timeZone)
  if (published === 'unreadable' || updated === 'unreadable') return undone(nameATime, 'date')
  const changedAt = updated ?? published ?? fileChangedAt
  const publishedAt = front['draft'] === true ? undefined : (published ?? longAgo)
  return { done: true, value: { publishedAt, createdAt: published ?? changedAt, changedAt } }
}

/** A page without a date has always been there. */
const longAgo = new Date(0)

function dateOf(said: unknown, timeZone: string): Date | 'unreadable' | undefined {
  if (said === undefined) return undefined
  if (typeof said !== 'string') return 'unreadable'
  const written = said.trim().replace(' ', 'T')
  const isDay = /^\d{4}-\d\d-\d\d$/.test(written)
  return momentIn(isDay ? `${written}T00:00` : written, timeZone)?.at ?? 'unreadable'
}
