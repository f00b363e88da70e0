import { absolute } from './reading/internal/feed-tree'
import { blogLanguages } from './languages'
import { addressOf, authorAddress, type Post, seriesAddress, tagAddress } from './post'
import type { Site } from './site'
import { escapeXml } from './xml'

/** Larger sitemaps are refused; the newest addresses are the ones that search engines lack. */
const maxAddresses = 50_000

interface SitemapEntry {
  path: string
  changedAt: Date | undefined
  pictures: readonly string[]
}

/** Every address that search engines may list: pages, posts, and the lists that posts are in. */
export function sitemap(
  site: Site,
  posts: readonly Post[],
  pages: readonly Post[],
  /** Paths of further pages. */
  others: readonly string[] = [],
): string {
  const own = [...pages, ...posts].filter(
    ({ canonical }) => !canonical || canonical.startsWith(`${site.origin}/`),
  )
  const places = [
    ...frontPages(posts, pages),
    ...others.filter((path) => path !== '/').map((path) => ({ path, changedAt: undefined, pictures: [] })),
    ...own.map(entryOf),
    ...listPages(posts),
    ...languageLists(site, posts),
  ]
  return (
    '<?xml version="1.0" encoding="utf-8"?>\n' +
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">' +
    `${places
      .slice(0, maxAddresses)
      .map((place) => entryXml(site, place))
      .join('')}</urlset>\n`
  )
}

function frontPages(posts: readonly Post[], pages: readonly Post[]): SitemapEntry[] {
  const home = pages.some(({ slug }) => slug === '') ? [] : ['/']
  return [...home, '/blog'].map((path) => ({ path, changedAt: latestChange(posts), pictures: [] }))
}

const entryOf = (post: Post): SitemapEntry => ({
  path: addressOf(post),
  changedAt: post.changedAt,
  pictures: post.cover ? [post.cover.address] : [],
})

function listPages(posts: readonly Post[]): SitemapEntry[] {
  const paths = posts.flatMap(({ tags, authors, series }) => [
    ...tags.map(tagAddress),
    ...authors.map(authorAddress),
    ...(series ? [seriesAddress(series)] : []),
  ])
  return [...new Set(paths)].map((path) => ({ path, changedAt: undefined, pictures: [] }))
}

const languageLists = (site: Site, posts: readonly Post[]): SitemapEntry[] =>
  blogLanguages(posts, site)
    .filter(({ address }) => address !== '/blog')
    .map(({ address }) => ({ path: address, changedAt: undefined, pictures: [] }))

const latestChange = (posts: readonly Post[]): Date | undefined =>
  posts
    .map(({ changedAt }) => changedAt)
    .reduce<Date | undefined>((last, one) => (last && last > one ? last : one), undefined)

function entryXml({ origin }: Site, { path, changedAt, pictures }: SitemapEntry): string {
  const images = pictures.map(
    (one) => `<image:image><image:loc>${escapeXml(absolute(one, origin))}</image:loc></image:image>`,
  )
  const changed = changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : ''
  return `<url><loc>${escapeXml(absolute(path, origin))}</loc>${changed}${images.join('')}</url>`
}
