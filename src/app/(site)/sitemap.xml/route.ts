import { sitemap } from '../../../posts/sitemap'
import { escapeXml } from '../../../posts/xml'
import { nothingThere, textAnswer } from '../answers'
import { openSite } from '../open-site'
import { paged } from '../paging'

export const dynamic = 'force-dynamic'

/** A map of more is made of several, and this is then what names them. */
const mostOnOne = 5000

export function GET(request: Request): Response {
  const asked = new URL(request.url).searchParams.get('part') ?? undefined
  const { site, published, now } = openSite()
  const posts = published.posts(site.projectId, now)
  if (asked === undefined && posts.length > mostOnOne)
    return xml(mapOfMaps(site.origin, Math.ceil(posts.length / mostOnOne)))

  const part = paged(posts, asked, mostOnOne)
  if (!part) return nothingThere()
  return xml(sitemap(site, part.things, part.page === 1 ? published.pages(site.projectId, now) : []))
}

const xml = (text: string): Response => textAnswer(text, 'application/xml')

function mapOfMaps(origin: string, parts: number): string {
  const maps = Array.from({ length: parts }, (_, place) => `${origin}/sitemap.xml?part=${place + 1}`)
  return (
    '<?xml version="1.0" encoding="utf-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">' +
    `${maps.map((address) => `<sitemap><loc>${escapeXml(address)}</loc></sitemap>`).join('')}</sitemapindex>\n`
  )
}
