import type { LiveBlockProps, LiveBlocks } from '#posts/PostBody'
import { postsInLanguage } from '#posts/languages'
import { addressOf, slugOf } from '#posts/post'
import { Variant } from '#visits/Provider'
import { getProduct } from '#studio/product'
import { entriesOf } from './list-entries'
import { SignUp } from './SignUp'
import { OmittedPart } from './OmittedPart'
import { ProjectSurvey } from './ProjectSurvey'
import { withTag } from './related-posts'
import { requestUrl, openSite } from './open-site'
import { PostList } from './PostList'
import { ShortList } from './ShortList'
import { translationFor } from './translations'

const countCacheSeconds = 60

async function Latest({ attributes: { count, tag } }: LiveBlockProps) {
  const open = openSite()
  const { site, published, now } = open
  const all = published.posts(site.projectId, now, tag ? `tag ${slugOf(tag)}` : 'order')
  const posts = tag ? withTag(all, slugOf(tag)) : postsInLanguage(all, site)
  const entries = await entriesOf(posts.slice(0, wholeNumber(count, 3, 20)), open)
  return entries.length === 0 ? null : (
    <PostList entries={entries} look={{ ...site, layout: 'cards' }} level="h3" isBelow />
  )
}

async function MostRead({ attributes: { days, count } }: LiveBlockProps) {
  const open = openSite()
  const { site, published, now, visit } = open
  visit.cacheFor(countCacheSeconds)
  const { numbers: postNumbers } = getProduct().posts
  const ranked = await postNumbers.mostRead(
    site.projectId,
    wholeNumber(days, 7, 365),
    wholeNumber(count, 5, 20),
  )
  const all = published.posts(site.projectId, now, 'order')
  const byAddress = new Map(all.map((post) => [addressOf(post), post]))
  const posts = ranked.flatMap(({ address }) => byAddress.get(address) ?? [])
  return <ShortList entries={await entriesOf(posts, open)} look={site} />
}

async function Readers() {
  const { site, visit } = openSite()
  if (site.staticServer !== undefined) return <OmittedPart of="how many are reading" />
  visit.cacheFor(countCacheSeconds)
  const { pathname } = await requestUrl()
  const readers = await getProduct().posts.numbers.readersNow(site.projectId, pathname)
  return readers > 0 ? <p className="readers">{translationFor(site).readingNow(readers)}</p> : null
}

function VariantOfPost({ attributes: { of = '', is }, children }: LiveBlockProps) {
  return (
    <Variant of={of} is={is}>
      {children}
    </Variant>
  )
}

const wholeNumber = (written: string | undefined, usual: number, most: number): number => {
  const number = Number(written)
  return Number.isInteger(number) && number > 0 ? Math.min(number, most) : usual
}

/** The components that draw the live blocks of a post on its page. */
export const liveBlocks: LiveBlocks = {
  latest: Latest,
  'most-read': MostRead,
  readers: Readers,
  variant: VariantOfPost,
  signup: SignUp,
  survey: ProjectSurvey,
}
