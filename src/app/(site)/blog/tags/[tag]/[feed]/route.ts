import { slugOf } from '#posts/post'
import { feedResponse, feedFormOf, notFoundResponse } from '#app/(site)/responses'
import { withTag } from '#app/(site)/related-posts'
import { openSite, decodeSlug } from '#app/(site)/open-site'
import { translationFor } from '#app/(site)/translations'

export const dynamic = 'force-dynamic'

interface TagFeedRequest {
  params: Promise<{ tag: string; feed: string }>
}

/** The newest posts that have a tag. */
export async function GET(_request: Request, { params }: TagFeedRequest): Promise<Response> {
  const { tag, feed } = await params
  const open = openSite()
  const slug = decodeSlug(tag)
  const form = feedFormOf(feed)
  const posts = withTag(open.published.posts(open.site.projectId, open.now, `tag ${slug}`), slug)
  const name = posts.flatMap(({ tags }) => tags).find((each) => slugOf(each) === slug)
  if (!form || name === undefined) return notFoundResponse()

  const page = `/blog/tags/${slug}`
  const title = `${open.site.name}: ${translationFor(open.site).postsOn(name)}`
  return feedResponse(form, open, posts, { address: `${page}/${feed}`, title, page })
}
