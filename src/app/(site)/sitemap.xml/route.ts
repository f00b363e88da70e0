import type { Site } from '#posts/site'
import { sitemap } from '#posts/sitemap'
import { escapeXml } from '#posts/xml'
import { notFoundResponse, textResponse } from '../responses'
import { currentManifest } from '../kit/render-kit'
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
    return xml(sitemapIndex(site, Math.ceil(posts.length / maxUrlsPerSitemap)))

  const part = pageOfList(posts, partParam, maxUrlsPerSitemap)
  if (!part) return notFoundResponse()
  if (part.page > 1) return xml(sitemap(site, part.things, []))
  const ofFolder = currentManifest()?.pages.map(({ address }) => address) ?? []
  const fixed = ofFolder.filter((address) => !address.includes('['))
  return xml(sitemap(site, part.things, published.pages(site.projectId, now), fixed))
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
