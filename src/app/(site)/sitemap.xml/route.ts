import { sitemap } from '#posts/sitemap'
import { escapeXml } from '#posts/xml'
import { notFoundResponse, textResponse } from '../responses'
import { openSite } from '../open-site'
import { pageOfList } from '../paging'

export const dynamic = 'force-dynamic'

/** A map of more is made of several, and this is then what names them. */
const maxUrlsPerSitemap = 5000

export function GET(request: Request): Response {
  const partParam = new URL(request.url).searchParams.get('part') ?? undefined
  const { site, published, now } = openSite()
  const posts = published.posts(site.projectId, now)
  if (partParam === undefined && posts.length > maxUrlsPerSitemap)
    return xml(sitemapIndex(site.origin, Math.ceil(posts.length / maxUrlsPerSitemap)))

  const part = pageOfList(posts, partParam, maxUrlsPerSitemap)
  if (!part) return notFoundResponse()
  return xml(sitemap(site, part.things, part.page === 1 ? published.pages(site.projectId, now) : []))
}

const xml = (text: string): Response => textResponse(text, 'application/xml')

function sitemapIndex(origin: string, parts: number): string {
  const maps = Array.from({ length: parts }, (_, index) => `${origin}/sitemap.xml?part=${index + 1}`)
  return (
    '<?xml version="1.0" encoding="utf-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">' +
    `${maps.map((address) => `<sitemap><loc>${escapeXml(address)}</loc></sitemap>`).join('')}</sitemapindex>\n`
  )
}
