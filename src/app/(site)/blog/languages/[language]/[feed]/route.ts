import { languageAddress, postsInLanguage } from '#posts/languages'
import { openSite } from '#app/(site)/open-site'
import { feedFormOf, feedResponse, notFoundResponse } from '#app/(site)/responses'

export const dynamic = 'force-dynamic'

interface LanguageFeedRequest {
  params: Promise<{ feed: string }>
}

/** The newest posts of the blog in a language other than that of the site. */
export async function GET(_request: Request, { params }: LanguageFeedRequest): Promise<Response> {
  const { feed } = await params
  const open = openSite()
  const { site, published, now } = open
  const form = feedFormOf(feed)
  const posts = postsInLanguage(published.posts(site.projectId, now, 'order'), site)
  if (!form || site.mainLanguage === undefined || posts.length === 0) return notFoundResponse()

  const page = languageAddress(site.language)
  return feedResponse(form, open, posts, { address: `${page}/${feed}`, title: site.name, page })
}
