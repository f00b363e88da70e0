import { postsInLanguage } from '#posts/languages'
import { feedResponse } from '../../responses'
import { openSite } from '../../open-site'

export const dynamic = 'force-dynamic'

/** The newest posts of the whole blog. */
export function GET(): Promise<Response> {
  const open = openSite()
  const { site, published, now } = open
  const feed = { address: '/blog/atom.xml', title: site.name }
  return feedResponse(
    'atom',
    open,
    postsInLanguage(published.posts(site.projectId, now, 'order'), site),
    feed,
  )
}
