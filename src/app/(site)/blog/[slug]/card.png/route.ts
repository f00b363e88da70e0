import { drawCard } from '#posts/card'
import { getProduct } from '#studio/product'
import { notFoundResponse } from '#app/(site)/responses'
import { authorsBySlug, authorsOf } from '#app/(site)/list-entries'
import { openSite, decodeSlug } from '#app/(site)/open-site'
import { joinNames, longDate } from '#app/(site)/translations'

export const dynamic = 'force-dynamic'

interface CardRequest {
  params: Promise<{ slug: string }>
}

const daySeconds = 24 * 60 * 60

/** The picture that others show beside a link to a post. */
export async function GET(_request: Request, { params }: CardRequest): Promise<Response> {
  const open = openSite()
  const { site, published, now } = open
  const post = published.bySlug(site.projectId, 'post', decodeSlug((await params).slug), now)
  if (!post) return notFoundResponse()

  const names = authorsOf(post, authorsBySlug(open)).map(({ name }) => name)
  const png = await drawCard({
    title: post.title,
    site: site.name,
    look: site,
    logo: await getProduct().posts.images.findAt(site.logo),
    author: names.length > 0 ? joinNames(names, site.language) : undefined,
    date: post.publishedAt && longDate(post.publishedAt, site),
  })
  return new Response(new Uint8Array(png), {
    headers: { 'content-type': 'image/png', 'cache-control': `public, max-age=${daySeconds}` },
  })
}
