import { authorAddress } from '../../../../../../posts/post'
import { feedAnswer, feedNamed, nothingThere } from '../../../../answers'
import { openSite, written } from '../../../../open-site'
import { wordsIn } from '../../../../words'

export const dynamic = 'force-dynamic'

interface FeedRequest {
  params: Promise<{ author: string; feed: string }>
}

/** The newest posts that somebody wrote. */
export async function GET(_request: Request, { params }: FeedRequest): Promise<Response> {
  const { author: asked, feed } = await params
  const open = openSite()
  const { site, published, now } = open
  const slug = written(asked)
  const form = feedNamed(feed)
  const author = published.authors(site.projectId).find((each) => each.slug === slug)
  if (!form || !author) return nothingThere()

  const posts = published.posts(site.projectId, now).filter(({ authors }) => authors.includes(slug))
  const page = authorAddress(slug)
  const title = `${site.name}: ${wordsIn(site.language).postsBy(author.name)}`
  return feedAnswer(form, open, posts, { address: `${page}/${feed}`, title, page })
}
