import type { Comment } from '#posts/comments/comment'
import { cachedSlugOf } from '#posts/cached-slug'
import { type PostDocument, readMarkdown } from '#posts/markdown'
import { postsInLanguage } from '#posts/languages'
import { addressOf, type Author, type Post, seriesAddress, stateOf } from '#posts/post'
import { structuredData } from '#posts/structured-data'
import { AuthorBox, AuthorPicture } from './AuthorParts'
import { Comments } from './Comments'
import { CoverPicture } from './CoverPicture'
import { authorsBySlug, authorsOf, entriesOf } from './list-entries'
import type { OpenPost } from './find-post'
import type { OpenSite } from './open-site'
import { JsonLd } from './JsonLd'
import { kitPostFrom } from './kit/kit-post'
import { PostText } from './kit/PostText'
import { siteForKit } from './kit/site-for-kit'
import { WithLayout } from './kit/WithLayout'
import { relatedTo, seriesOf, sharesTag } from './related-posts'
import { Authors, PostList, Tags } from './PostList'
import { PreviewBar } from './PreviewBar'
import { longDate, type TranslatedSite, translationFor } from './translations'
import type { Site } from '#posts/site'

const related = 3

export async function PostArticle({
  open,
  post,
  isPreview,
  comments,
}: OpenPost & { comments: readonly Comment[] }) {
  const { site, now } = open
  const words = translationFor(site)
  const document = readMarkdown(post.body, { words })
  const authors = authorsOf(post, authorsBySlug(open))
  const { next, parts } = neighboursOf(post, open)

  const before = isPreview ? (
    <PreviewBar state={stateOf(post, now)} />
  ) : (
    <JsonLd graph={structuredData(site, post, authors)} />
  )
  const pieces = {
    head: <PostHead post={post} authors={authors} minutes={document.minutes} look={site} />,
    contents: <Outline document={document} site={site} />,
    children: <PostText post={post} document={document} />,
    foot: <PostFoot post={post} authors={authors} parts={parts} look={site} />,
    comments: post.allowsComments && <Comments post={post} comments={comments} site={site} />,
    readNext: next.length > 0 && <ReadNext posts={next} open={open} />,
  }
  return (
    <WithLayout
      name="post"
      props={{
        site: siteForKit(site),
        post: kitPostFrom(post, authors, document.minutes),
        outline: document.outline,
      }}
      parts={pieces}
      before={before}
    />
  )
}

interface PostFootProps {
  post: Post
  authors: readonly Author[]
  /** The posts of its series. */
  parts: readonly Post[]
  look: OpenSite['site']
}

function PostFoot({ post, authors, parts, look }: PostFootProps) {
  const words = translationFor(look)
  return (
    <footer className="post-foot">
      <Tags tags={post.tags} label={words.tags} />
      {post.series && <SeriesBox series={post.series} parts={parts} current={post} site={look} />}
      {authors.map((author) => (
        <AuthorBox key={author.slug} author={author} label={words.writtenBy} />
      ))}
    </footer>
  )
}

async function ReadNext({ posts, open }: { posts: readonly Post[]; open: OpenSite }) {
  const { site } = open
  return (
    <section className="column wide read-next" aria-labelledby="read-next">
      <h2 id="read-next">{translationFor(site).readNext}</h2>
      <PostList
        entries={await entriesOf(posts, open)}
        look={{ ...site, layout: 'cards' }}
        level="h3"
        isBelow
      />
    </section>
  )
}

/** The page's links besides those in its own text. They change only with the lists that the post is in. */
function neighboursOf(post: Post, { site, published, now }: OpenSite) {
  const { projectId } = site
  const posts = postsInLanguage(published.posts(projectId, now, 'shown'), site)
  const next = relatedTo(post, posts, related)
  for (const tag of post.tags) published.note(projectId, `tag ${cachedSlugOf(tag)}`, now)
  // others fill the places that posts with the same tags leave
  const isByTags = next.length === related && next.every((other) => sharesTag(post, other))
  if (!isByTags) published.note(projectId, 'order', now)
  if (post.series === undefined) return { next, parts: [] }

  published.note(projectId, `series ${cachedSlugOf(post.series)}`, now)
  const parts = seriesOf(posts, post.series)
  const index = parts.findIndex(({ id }) => id === post.id)
  published.noteListed(parts.slice(Math.max(0, index - 1), index + 2))
  return { next, parts }
}

interface PostHeadProps {
  post: OpenPost['post']
  authors: Author[]
  minutes: number
  look: OpenPost['open']['site']
}

function PostHead({ post, authors, minutes, look }: PostHeadProps) {
  const { cover, publishedAt } = post
  const words = translationFor(look)
  return (
    <header className="post-head">
      <h1 dir="auto">{post.title}</h1>
      {post.excerpt && (
        <p className="lead-words" dir="auto">
          {post.excerpt}
        </p>
      )}
      <div className="byline">
        {authors[0] && <AuthorPicture author={authors[0]} size={40} />}
        <p className="facts">
          <Authors authors={authors} />
          {publishedAt && <time dateTime={publishedAt.toISOString()}>{longDate(publishedAt, look)}</time>}
          <span>
            <bdi>{words.minutes(minutes)}</bdi>
          </span>
        </p>
      </div>
      {look.showsCovers && cover && (
        <figure className="post-cover">
          <CoverPicture picture={cover} sizes="(min-width: 64rem) 60rem, 100vw" isFirst />
        </figure>
      )}
    </header>
  )
}

interface OutlineProps {
  document: PostDocument
  site: TranslatedSite & Pick<Site, 'showsContents'>
}

/** Shorter posts are seen at a glance. */
const minWords = 700
const minHeadings = 3

/** Beside the text where there is room, and folded up above it where there is none. */
function Outline({ document: { outline, words: length }, site }: OutlineProps) {
  const parts = outline.filter(({ level }) => level <= 3)
  if (!site.showsContents || length < minWords || parts.length < minHeadings) return null

  return (
    <nav className="outline" aria-label={translationFor(site).onThisPage}>
      <details>
        <summary>{translationFor(site).onThisPage}</summary>
        <ol>
          {parts.map(({ id, text, level }) => (
            <li key={id} data-level={level}>
              <a href={`#${id}`} dir="auto">
                {text}
              </a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  )
}

interface SeriesBoxProps {
  series: string
  /** The published parts, in their order. */
  parts: readonly Post[]
  current: Post
  site: TranslatedSite
}

function SeriesBox({ series, parts, current, site }: SeriesBoxProps) {
  const words = translationFor(site)
  const index = parts.findIndex(({ id }) => id === current.id)
  return (
    <nav className="series-box" aria-label={words.series}>
      <p className="series-name">
        <a href={seriesAddress(series)} dir="auto">
          {series}
        </a>
        {index >= 0 && <span>{words.partOf(index + 1, parts.length)}</span>}
      </p>
      <div className="series-ways">
        <SeriesLink to={parts[index - 1]} label={words.previous} rel="prev" />
        <SeriesLink to={index >= 0 ? parts[index + 1] : undefined} label={words.next} rel="next" />
      </div>
    </nav>
  )
}

function SeriesLink({ to, label, rel }: { to: Post | undefined; label: string; rel: 'prev' | 'next' }) {
  if (!to) return null
  return (
    <a className={`way way-${rel}`} rel={rel} href={addressOf(to)}>
      <span>{label}</span>
      <strong dir="auto">{to.title}</strong>
    </a>
  )
}
