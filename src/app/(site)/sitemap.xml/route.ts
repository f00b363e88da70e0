import type { Site } from '#posts/site'
import { sitemap } from '#posts/sitemap'
import { escapeXml } from '#posts/xml'
import { notFoundResponse, textResponse } from '../responses'
import { alternatesOfPage, listedPages } from '../kit/listed-pages'
import { openSite } from '../open-site'
import { pageOfList } from '../paging'

export const dynamic = 'force-dynamic'

/** A map of more is made of several, and this is then what names them. */
const maxUrlsPerSitemap = 5000

export async function GET(request: Request): Promise<Response> {
  const partParam = new URL(request.url).searchParams.get('part') ?? undefined
  const open = openSite()
  const { site, published, now } = open
  const posts = published.posts(site.projectId, now)
  if (partParam === undefined && posts.length > maxUrlsPerSitemap)
    return xml(sitemapIndex(site, Math.ceil(posts.length / maxUrlsPerSitemap)))

  const part = pageOfList(posts, partParam, maxUrlsPerSitemap)
  if (!part) return notFoundResponse()
  const contents = { posts: part.things, allPosts: posts }
  if (part.page > 1) return xml(sitemap(site, { ...contents, pages: [] }))
  const others = (await listedPages(open)).map((page) => ({
    path: page.address,
    changedAt: page.changedAt,
    alternates: alternatesOfPage(page),
  }))
  return xml(sitemap(site, { ...contents, pages: published.pages(site.projectId, now), others }))
}

const xml = (text: string): Response => textResponse(text, 'application/xml')

function sitemapIndex({ origin, staticServer }: Site, parts: number): string {
  // servers of files do not read queries
  const partAt = staticServer === undefined ? '/sitemap.xml?part=' : '/sitemap-'
  const end = staticServer === undefined ? '' : '.xml'
  const maps = Array.from({ length: parts }, (_, index) => `${origin}${partAt}${index + 1}${end}`)
  return (
    '<?xml version="1.0" encoding="utf-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">' +
    `${maps.map((address) => `<sitemap><loc>${escapeXml(address)}</loc></sitemap>`).join('')}</sitemapindex>\n`
  )
}
