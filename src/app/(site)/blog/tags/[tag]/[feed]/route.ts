import { slugOf } from '../../../../../../posts/post'
import { feedAnswer, feedNamed, nothingThere } from '../../../../answers'
import { withTag } from '../../../../neighbours'
import { openSite, written } from '../../../../open-site'
import { wordsIn } from '../../../../words'

export const dynamic = 'force-dynamic'

interface FeedRequest {
  params: Promise<{ tag: string; feed: string }>
}

/** The newest posts that have a tag. */
export async function GET(_request: Request, { params }: FeedRequest): Promise<Response> {
  const { tag, feed } = await params
  const open = openSite()
  const slug = written(tag)
  const form = feedNamed(feed)
  const posts = withTag(open.published.posts(open.site.projectId, open.now), slug)
  const name = posts.flatMap(({ tags }) => tags).find((each) => slugOf(each) === slug)
  if (!form || name === undefined) return nothingThere()

  const page = `/blog/tags/${slug}`
  const title = `${open.site.name}: ${wordsIn(open.site.language).postsOn(name)}`
  return feedAnswer(form, open, posts, { address: `${page}/${feed}`, title, page })
}
