import { authorAddress } from '#posts/post'
import { feedResponse, feedFormOf, notFoundResponse } from '#app/(site)/responses'
import { openSite, decodeSlug } from '#app/(site)/open-site'
import { translationFor } from '#app/(site)/translations'

export const dynamic = 'force-dynamic'

interface AuthorFeedRequest {
  params: Promise<{ author: string; feed: string }>
}

/** The feed of an author's newest posts. */
export async function GET(_request: Request, { params }: AuthorFeedRequest): Promise<Response> {
  const { author: authorParam, feed } = await params
  const open = openSite()
  const { site, published, now } = open
  const slug = decodeSlug(authorParam)
  const form = feedFormOf(feed)
  const author = published.authors(site.projectId).find((each) => each.slug === slug)
  if (!form || !author) return notFoundResponse()

  const posts = published
    .posts(site.projectId, now, `author ${slug}`)
    .filter(({ authors }) => authors.includes(slug))
  const page = authorAddress(slug)
  const title = `${site.name}: ${translationFor(site).postsBy(author.name)}`
  return feedResponse(form, open, posts, { address: `${page}/${feed}`, title, page })
}
