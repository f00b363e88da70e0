import type { LiveBlockProps, LiveBlocks } from '#posts/PostBody'
import { postsInLanguage } from '#posts/languages'
import { addressOf, slugOf } from '#posts/post'
import { Variant } from '#visits/Provider'
import { getProduct } from '#studio/product'
import { entriesOf, type ListEntry } from './list-entries'
import { OmittedPart } from './OmittedPart'
import { ProjectSurvey } from './ProjectSurvey'
import { withTag } from './related-posts'
import { currentSite, openSite, requestUrl } from './open-site'
import { PostList, type PostListSettings } from './PostList'
import { longDate, translationFor } from './translations'
import { VisitorForm } from './VisitorForm'

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

/** Titles and dates, for lists beside something else. */
function ShortList({ entries, look }: { entries: readonly ListEntry[]; look: PostListSettings }) {
  if (entries.length === 0) return null
  return (
    <ol className="short-list">
      {entries.map(({ address, title, publishedAt, shown }) => (
        <li key={address} data-flag={shown?.flag} data-variant={shown?.variant}>
          <a href={address} dir="auto">
            {title}
          </a>
          {publishedAt && <time dateTime={publishedAt.toISOString()}>{longDate(publishedAt, look)}</time>}
        </li>
      ))}
    </ol>
  )
}

function SignUp({ attributes, children }: LiveBlockProps) {
  const words = translationFor(currentSite())
  const { name = 'newsletter', button = words.signUp, thanks } = attributes
  const texts = thanks === undefined ? { thanks: words.thanks, checkInbox: words.checkInbox } : { thanks }
  return (
    <VisitorForm kind="signup" name={name} {...texts}>
      {children}
      <div className="site-form-row">
        <label className="unseen" htmlFor={`email-${name}`}>
          {words.email}
        </label>
        <input
          id={`email-${name}`}
          type="email"
          name="email"
          required
          maxLength={254}
          autoComplete="email"
          placeholder={words.email}
        />
        <button type="submit">{button}</button>
      </div>
    </VisitorForm>
  )
}
