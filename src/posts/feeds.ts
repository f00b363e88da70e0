import { createHash } from 'node:crypto'
import { type Author, addressOf, type Picture, type Post } from './post'
import type { Site } from './site'
import { absolute } from './reading/internal/feed-tree'
import { escapeXml } from './xml'

/**
 * Feeds in three formats, each with the full text. Written here, because the usual package writes version 1 of JSON
 * Feed, marks titles up as HTML, leaves control characters in and reports the request time as the last change. Feeds
 * show a post's own title even while a trial shows others on pages: the id depends on the post and not on its title,
 * and entries in a feed reader do not change during the trial.
 */
export interface FeedDetails {
  /** The address of the feed, from the root of the site: '/blog.json'. */
  address: string
  title: string
  /** The page with the same list: '/blog', '/blog/tags/news'. */
  page?: string
  authors?: readonly Author[]
}

export const feedTypes = {
  json: 'application/feed+json; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
} as const

/** The newest entries; feed readers poll often enough to miss none. */
export const maxFeedEntries = 50

/** The texts of a feed entry. */
export interface FeedEntryText {
  summary: string
  html: string
}

type FeedTextOf = (post: Post) => FeedEntryText

interface FeedEntry {
  id: string
  address: string
  title: string
  summary: string
  html: string
  picture: Picture | undefined
  publishedAt: Date
  changedAt: Date
  tags: readonly string[]
  authors: readonly { name: string; address: string }[]
}

export function jsonFeed(site: Site, posts: readonly Post[], feed: FeedDetails, textOf: FeedTextOf): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: site.origin + (feed.page ?? '/blog'),
    feed_url: site.origin + feed.address,
    description: site.description || undefined,
    icon: site.logo ? absolute(site.logo, site.origin) : undefined,
    language: site.language,
    items: entriesOf(site, posts, feed, textOf).map((entry) => ({
      id: entry.id,
      url: entry.address,
      title: entry.title,
      content_html: entry.html,
      summary: entry.summary || undefined,
      image: entry.picture?.address,
      date_published: entry.publishedAt.toISOString(),
      date_modified: entry.changedAt.toISOString(),
      tags: entry.tags.length > 0 ? entry.tags : undefined,
      authors:
        entry.authors.length > 0
          ? entry.authors.map(({ name, address }) => ({ name, url: address }))
          : undefined,
    })),
  })
}

export function rss(site: Site, posts: readonly Post[], feed: FeedDetails, textOf: FeedTextOf): string {
  const entries = entriesOf(site, posts, feed, textOf)
  return document(
    'rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"',
    elementAround('channel', [
      textElement('title', feed.title),
      textElement('link', site.origin + (feed.page ?? '/blog')),
      textElement('description', site.description || feed.title),
      textElement('language', site.language),
      textElement('lastBuildDate', lastChange(entries).toUTCString()),
      emptyElement('atom:link', {
        rel: 'self',
        type: 'application/rss+xml',
        href: site.origin + feed.address,
      }),
      ...entries.map((entry) => elementAround('item', rssItem(entry))),
    ]),
  )
}

const rssItem = (entry: FeedEntry): string[] => [
  textElement('title', entry.title),
  textElement('link', entry.address),
  textElement('guid', entry.id, { isPermaLink: 'false' }),
  textElement('pubDate', entry.publishedAt.toUTCString()),
  ...entry.authors.map(({ name }) => textElement('dc:creator', name)),
  ...entry.tags.map((name) => textElement('category', name)),
  ...(entry.summary ? [textElement('description', entry.summary)] : []),
  textElement('content:encoded', entry.html),
  ...(entry.picture
    ? [emptyElement('enclosure', { url: entry.picture.address, type: typeOf(entry.picture), length: '0' })]
    : []),
]

export function atom(site: Site, posts: readonly Post[], feed: FeedDetails, textOf: FeedTextOf): string {
  const entries = entriesOf(site, posts, feed, textOf)
  return document(
    `feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeXml(site.language)}"`,
    [
      textElement('id', site.origin + feed.address),
      textElement('title', feed.title),
      ...(site.description ? [textElement('subtitle', site.description)] : []),
      textElement('updated', lastChange(entries).toISOString()),
      emptyElement('link', { rel: 'self', type: 'application/atom+xml', href: site.origin + feed.address }),
      emptyElement('link', {
        rel: 'alternate',
        type: 'text/html',
        href: site.origin + (feed.page ?? '/blog'),
      }),
      // an entry without an author takes this one; Atom requires one of the two
      elementAround('author', [textElement('name', site.name || feed.title)]),
      ...entries.map((entry) => elementAround('entry', atomEntry(entry))),
    ].join(''),
  )
}

const atomEntry = (entry: FeedEntry): string[] => [
  textElement('id', entry.id),
  textElement('title', entry.title),
  emptyElement('link', { rel: 'alternate', type: 'text/html', href: entry.address }),
  textElement('published', entry.publishedAt.toISOString()),
  textElement('updated', entry.changedAt.toISOString()),
  ...entry.authors.map(({ name, address }) =>
    elementAround('author', [textElement('name', name), textElement('uri', address)]),
  ),
  ...entry.tags.map((name) => emptyElement('category', { term: name })),
  ...(entry.summary ? [textElement('summary', entry.summary)] : []),
  textElement('content', entry.html, { type: 'html' }),
  ...(entry.picture
    ? [emptyElement('link', { rel: 'enclosure', type: typeOf(entry.picture), href: entry.picture.address })]
    : []),
]

function entriesOf(
  site: Site,
  posts: readonly Post[],
  { authors = [] }: FeedDetails,
  textOf: FeedTextOf,
): FeedEntry[] {
  const known = new Map(authors.map((author) => [author.slug, author]))
  return posts.slice(0, maxFeedEntries).map((post) => ({
    id: idOf(site, post),
    address: site.origin + addressOf(post),
    title: post.title,
    ...textOf(post),
    picture: post.cover && { ...post.cover, address: absolute(post.cover.address, site.origin) },
    publishedAt: post.publishedAt ?? post.createdAt,
    changedAt: latest(post.changedAt, post.publishedAt ?? post.createdAt),
    tags: post.tags,
    authors: post.authors.flatMap((slug) => {
      const author = known.get(slug)
      return author ? [{ name: author.name, address: `${site.origin}/blog/authors/${slug}` }] : []
    }),
  }))
}

/**
 * A name-based UUID of the post's id (RFC 9562, version 8), so that no new slug, title or domain marks it as unread. The
 * file of a post in a folder is its id, and its dates may be edited.
 */
function idOf({ projectId }: Site, { id, createdAt }: Post): string {
  const name = [projectId, id, id.startsWith('file:') ? '' : createdAt.toISOString()].join('\0')
  const hash = createHash('sha256').update(name).digest('hex')
  const variant = '89ab'[Number.parseInt(hash.charAt(16), 16) % 4]
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `${variant}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ]
  return `urn:uuid:${parts.join('-')}`
}

const latest = (one: Date, other: Date): Date => (one > other ? one : other)

/** The epoch for a site without posts. */
const lastChange = (entries: readonly FeedEntry[]): Date =>
  entries.reduce((last, { changedAt }) => latest(last, changedAt), new Date(0))

const types: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  avif: 'image/avif',
  svg: 'image/svg+xml',
}

const typeOf = ({ address }: Picture): string =>
  types[/\.([a-z]+)(?:[?#]|$)/i.exec(address)?.[1]?.toLowerCase() ?? ''] ?? 'image/webp'

type Attributes = Readonly<Record<string, string>>

const document = (root: string, inside: string): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n<${root}>${inside}</${root.split(' ')[0]}>\n`

const elementAround = (name: string, inside: readonly string[]): string =>
  `<${name}>${inside.join('')}</${name}>`

const textElement = (name: string, text: string, attributes: Attributes = {}): string =>
  `<${name}${attributesText(attributes)}>${escapeXml(text)}</${name}>`

const emptyElement = (name: string, attributes: Attributes): string =>
  `<${name}${attributesText(attributes)}/>`

const attributesText = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join('')
