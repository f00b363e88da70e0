import { type Author, addressOf, type Picture, type Post } from './post'
import type { Site } from './site'
import { excerptOf, htmlOf, readMarkdown } from './markdown'
import { absolute } from './reading/portable'
import { escapeXml } from './xml'

/**
 * Feeds in three forms, each with the whole text. Written here: the package that does this writes version 1 of JSON Feed,
 * marks titles up as HTML, leaves control characters in and tells the time of asking as that of the last change.
 *
 * What a post says of itself stands in them also while other titles are tried on pages: they keep an id that is made of
 * the post and not of its title, and a reader's list does not change under their eyes.
 */
export interface FeedOf {
  /** Of the feed itself, from the root of the site: '/blog.json'. */
  address: string
  title: string
  /** What the feed lists, as a page: '/blog', '/blog/tags/news'. */
  page?: string
  authors?: readonly Author[]
}

export const feedTypes = {
  json: 'application/feed+json; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
} as const

/** The newest; a reader asks often enough. */
const mostEntries = 50

interface Entry {
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

export function jsonFeed(site: Site, posts: readonly Post[], feed: FeedOf): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: site.origin + (feed.page ?? '/blog'),
    feed_url: site.origin + feed.address,
    description: site.description || undefined,
    icon: site.logo ? absolute(site.logo, site.origin) : undefined,
    language: site.language,
    items: entriesOf(site, posts, feed).map((entry) => ({
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

export function rss(site: Site, posts: readonly Post[], feed: FeedOf): string {
  const entries = entriesOf(site, posts, feed)
  return document(
    'rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"',
    within('channel', [
      tag('title', feed.title),
      tag('link', site.origin + (feed.page ?? '/blog')),
      tag('description', site.description || feed.title),
      tag('language', site.language),
      tag('lastBuildDate', lastChange(entries).toUTCString()),
      empty('atom:link', { rel: 'self', type: 'application/rss+xml', href: site.origin + feed.address }),
      ...entries.map((entry) => within('item', rssItem(entry))),
    ]),
  )
}

const rssItem = (entry: Entry): string[] => [
  tag('title', entry.title),
  tag('link', entry.address),
  tag('guid', entry.id, { isPermaLink: 'false' }),
  tag('pubDate', entry.publishedAt.toUTCString()),
  ...entry.authors.map(({ name }) => tag('dc:creator', name)),
  ...entry.tags.map((name) => tag('category', name)),
  ...(entry.summary ? [tag('description', entry.summary)] : []),
  tag('content:encoded', entry.html),
  ...(entry.picture
    ? [empty('enclosure', { url: entry.picture.address, type: typeOf(entry.picture), length: '0' })]
    : []),
]

export function atom(site: Site, posts: readonly Post[], feed: FeedOf): string {
  const entries = entriesOf(site, posts, feed)
  return document(
    `feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeXml(site.language)}"`,
    [
      tag('id', site.origin + feed.address),
      tag('title', feed.title),
      ...(site.description ? [tag('subtitle', site.description)] : []),
      tag('updated', lastChange(entries).toISOString()),
      empty('link', { rel: 'self', type: 'application/atom+xml', href: site.origin + feed.address }),
      empty('link', { rel: 'alternate', type: 'text/html', href: site.origin + (feed.page ?? '/blog') }),
      // an entry without one of its own takes it from here, and one of the two has to have it
      within('author', [tag('name', site.name || feed.title)]),
      ...entries.map((entry) => within('entry', atomEntry(entry))),
    ].join(''),
  )
}

const atomEntry = (entry: Entry): string[] => [
  tag('id', entry.id),
  tag('title', entry.title),
  empty('link', { rel: 'alternate', type: 'text/html', href: entry.address }),
  tag('published', entry.publishedAt.toISOString()),
  tag('updated', entry.changedAt.toISOString()),
  ...entry.authors.map(({ name, address }) => within('author', [tag('name', name), tag('uri', address)])),
  ...entry.tags.map((name) => empty('category', { term: name })),
  ...(entry.summary ? [tag('summary', entry.summary)] : []),
  tag('content', entry.html, { type: 'html' }),
  ...(entry.picture
    ? [empty('link', { rel: 'enclosure', type: typeOf(entry.picture), href: entry.picture.address })]
    : []),
]

function entriesOf(site: Site, posts: readonly Post[], { authors = [] }: FeedOf): Entry[] {
  const known = new Map(authors.map((author) => [author.slug, author]))
  return posts.slice(0, mostEntries).map((post) => ({
    id: idOf(site, post),
    address: site.origin + addressOf(post),
    title: post.title,
    summary: excerptOf(post),
    html: htmlOf(readMarkdown(post.body), site.origin),
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

/** Of the post's own number, so that a new slug or title makes nobody read it again (RFC 4151). */
function idOf(site: Site, post: Post): string {
  const { hostname } = new URL(site.origin)
  const day = post.createdAt.toISOString().slice(0, 10)
  return `tag:${hostname},${day}:post-${encodeURIComponent(post.id)}`
}

const latest = (one: Date, other: Date): Date => (one > other ? one : other)

/** A site without posts changed when time began, as far as anybody can tell. */
const lastChange = (entries: readonly Entry[]): Date =>
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

const within = (name: string, inside: readonly string[]): string => `<${name}>${inside.join('')}</${name}>`

const tag = (name: string, text: string, attributes: Attributes = {}): string =>
  `<${name}${written(attributes)}>${escapeXml(text)}</${name}>`

const empty = (name: string, attributes: Attributes): string => `<${name}${written(attributes)}/>`

const written = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join('')
