import { atom, type FeedOf, feedTypes, jsonFeed, rss } from '../../posts/feeds'
import type { Post } from '../../posts/post'
import type { OpenSite } from './open-site'

const writers = { json: jsonFeed, rss, atom }
export type FeedForm = keyof typeof writers

/** Readers on other sites may fetch them: what stands in a feed is public. */
export function feedAnswer(
  form: FeedForm,
  { site, published }: OpenSite,
  posts: readonly Post[],
  feed: Omit<FeedOf, 'authors'>,
): Response {
  const authors = published.authors(site.projectId)
  const headers = { 'content-type': feedTypes[form], 'access-control-allow-origin': '*' }
  return new Response(writers[form](site, posts, { ...feed, authors }), { headers })
}

const ends: Readonly<Record<string, FeedForm>> = { 'feed.json': 'json', 'rss.xml': 'rss', 'atom.xml': 'atom' }

/** Which feed of a list an address ends in. */
export const feedNamed = (end: string): FeedForm | undefined =>
  Object.hasOwn(ends, end) ? ends[end] : undefined

export const textAnswer = (text: string, type = 'text/plain'): Response =>
  new Response(text, { headers: { 'content-type': `${type}; charset=utf-8` } })

export const nothingThere = (): Response => new Response('There is nothing here.\n', { status: 404 })
