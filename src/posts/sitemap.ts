import { absolute } from './reading/internal/feed-tree'
import { type Alternate, alternatesOf, blogLanguages, translationKey, usualAlternate } from './languages'
import { addressOf, authorAddress, type Post, seriesAddress, tagAddress } from './post'
import type { Site } from './site'
import { escapeXml } from './xml'

/** Larger sitemaps are refused; the newest addresses are the ones that search engines lack. */
const maxAddresses = 50_000

/** An address with what search engines may know of it. */
interface SitemapEntry {
  path: string
  changedAt?: Date | undefined
  pictures?: readonly string[]
  /** The page in each of its languages. */
  alternates?: readonly Alternate[]
}

interface SitemapContents {
  posts: readonly Post[]
  pages: readonly Post[]
  /** Further pages. They stand in place of others at the same address. */
  others?: readonly SitemapEntry[]
  /** All posts, where the map is a part of a larger one: their translations may be in another part. */
  allPosts?: readonly Post[]
}

/** Every address that search engines may list: pages, posts, and the lists that posts are in. */
export function sitemap(
  site: Site,
  { posts, pages, others = [], allPosts = posts }: SitemapContents,
): string {
  const own = [...pages, ...posts].filter(
    ({ canonical }) => !canonical || canonical.startsWith(`${site.origin}/`),
  )
  const translations = Map.groupBy([...pages, ...allPosts], translationKey)
  const taken = new Set(others.map(({ path }) => path))
  const usual = [
    ...frontPages(posts, pages),
    ...own.map((post) => entryOf(post, alternatesOf(translations.get(translationKey(post)) ?? [], site))),
    ...listPages(posts),
    ...languageLists(site, posts),
  ]
  const places = [...others, ...usual.filter(({ path }) => !taken.has(path))]
  return (
    '<?xml version="1.0" encoding="utf-8"?>\n' +
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"' +
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml">' +
    `${places
      .slice(0, maxAddresses)
      .map((place) => entryXml(site, place))
      .join('')}</urlset>\n`
  )
}

function frontPages(posts: readonly Post[], pages: readonly Post[]): SitemapEntry[] {
  const home = pages.some(({ slug }) => slug === '') ? [] : ['/']
  return [...home, '/blog'].map((path) => ({ path, changedAt: latestChange(posts) }))
}

const entryOf = (post: Post, alternates: readonly Alternate[]): SitemapEntry => ({
  path: addressOf(post),
  changedAt: post.changedAt,
  pictures: post.cover ? [post.cover.address] : [],
  alternates,
})

function listPages(posts: readonly Post[]): SitemapEntry[] {
  const paths = posts.flatMap(({ tags, authors, series }) => [
    ...tags.map(tagAddress),
    ...authors.map(authorAddress),
    ...(series ? [seriesAddress(series)] : []),
  ])
  return [...new Set(paths)].map((path) => ({ path }))
}

const languageLists = (site: Site, posts: readonly Post[]): SitemapEntry[] =>
  blogLanguages(posts, site)
    .filter(({ address }) => address !== '/blog')
    .map(({ address }) => ({ path: address }))

const latestChange = (posts: readonly Post[]): Date | undefined =>
  posts
    .map(({ changedAt }) => changedAt)
    .reduce<Date | undefined>((last, one) => (last && last > one ? last : one), undefined)

function entryXml(site: Site, { path, changedAt, pictures = [], alternates = [] }: SitemapEntry): string {
  const { origin } = site
  const images = pictures.map(
    (one) => `<image:image><image:loc>${escapeXml(absolute(one, origin))}</image:loc></image:image>`,
  )
  const changed = changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : ''
  const languages = languagesXml(site, alternates)
  return `<url><loc>${escapeXml(absolute(path, origin))}</loc>${changed}${languages}${images.join('')}</url>`
}

function languagesXml(site: Site, alternates: readonly Alternate[]): string {
  const usual = usualAlternate(alternates, site)
  const all = usual ? [...alternates, { ...usual, language: 'x-default' }] : []
  const links = all.map(
    ({ language, address }) =>
      `<xhtml:link rel="alternate" hreflang="${escapeXml(language)}" href="${escapeXml(absolute(address, site.origin))}"/>`,
  )
  return links.join('')
}
