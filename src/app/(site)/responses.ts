import { type FeedDetails, feedTypes, maxFeedEntries } from '#posts/feeds'
import type { Post } from '#posts/post'
import type { FeedForm } from '#posts/prepared-content'
import type { OpenSite } from './open-site'

/** Feeds are public, so pages of other sites may fetch them. */
export async function feedResponse(
  form: FeedForm,
  { site, published, prepared }: OpenSite,
  posts: readonly Post[],
  feed: Omit<FeedDetails, 'authors'>,
): Promise<Response> {
  const authors = published.authors(site.projectId)
  published.noteShown(posts.slice(0, maxFeedEntries))
  const headers = { 'content-type': feedTypes[form], 'access-control-allow-origin': '*' }
  return new Response(await prepared.feed(form, site, posts, { ...feed, authors }), { headers })
}

const feedFormByFileName: Readonly<Record<string, FeedForm>> = {
  'feed.json': 'json',
  'rss.xml': 'rss',
  'atom.xml': 'atom',
}

/** The kind of feed that an address ends in. */
export const feedFormOf = (end: string): FeedForm | undefined =>
  Object.hasOwn(feedFormByFileName, end) ? feedFormByFileName[end] : undefined

export const textResponse = (text: string, type = 'text/plain'): Response =>
  new Response(text, { headers: { 'content-type': `${type}; charset=utf-8` } })

export const notFoundResponse = (): Response => new Response('There is nothing here.\n', { status: 404 })
