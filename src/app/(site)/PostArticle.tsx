import type { Comment } from '#posts/comments/comment'
import { inlineDiagrams } from '#posts/inline-diagrams'
import { readMarkdown } from '#posts/markdown'
import { PostBody } from '#posts/PostBody'
import { addressOf, type Author } from '#posts/post'
import { structuredData } from '#posts/structured-data'
import { AuthorBox, AuthorPicture } from './AuthorParts'
import { Comments } from './Comments'
import { CoverPicture } from './CoverPicture'
import { authorsBySlug, authorsOf, entriesOf } from './list-entries'
import type { OpenPost } from './find-post'
import { JsonLd } from './JsonLd'
import { liveBlocks } from './live-blocks'
import { relatedTo, seriesOf } from './related-posts'
import { Outline } from './Outline'
import { Authors, PostList, Tags } from './PostList'
import { PreviewBar } from './PreviewBar'
import { SeriesBox } from './SeriesBox'
import { longDate, translationFor } from './translations'

const related = 3

export async function PostArticle({
  open,
  post,
  isPreview,
  comments,
}: OpenPost & { comments: readonly Comment[] }) {
  const { site, published, now } = open
  const words = translationFor(site.language)
  const read = readMarkdown(post.body, { words })
  const document = isPreview ? await inlineDiagrams(read) : read
  const authors = authorsOf(post, authorsBySlug(open))
  const posts = published.posts(site.projectId, now)
  const parts = post.series ? seriesOf(posts, post.series) : []
  const next = relatedTo(post, posts, related)

  return (
    <main id="content" tabIndex={-1}>
      {isPreview ? (
        <PreviewBar post={post} now={now} />
      ) : (
        <JsonLd graph={structuredData(site, post, authors)} />
      )}
      <article className="post" data-post={addressOf(post)}>
        <PostHead post={post} authors={authors} minutes={document.minutes} look={site} />
        <Outline document={document} language={site.language} />
        <PostBody document={document} blocks={liveBlocks} />
        <footer className="post-foot">
          <Tags tags={post.tags} label={words.tags} />
          {post.series && (
            <SeriesBox series={post.series} parts={parts} current={post} language={site.language} />
          )}
          {authors.map((author) => (
            <AuthorBox key={author.slug} author={author} label={words.writtenBy} />
          ))}
        </footer>
      </article>
      {post.allowsComments && <Comments post={post} comments={comments} site={site} />}
      {next.length > 0 && (
        <section className="column wide read-next" aria-labelledby="read-next">
          <h2 id="read-next">{words.readNext}</h2>
          <PostList
            entries={await entriesOf(next, open)}
            look={{ ...site, layout: 'cards' }}
            level="h3"
            isBelow
          />
        </section>
      )}
    </main>
  )
}

interface PostHeadProps {
  post: OpenPost['post']
  authors: Author[]
  minutes: number
  look: OpenPost['open']['site']
}

function PostHead({ post, authors, minutes, look }: PostHeadProps) {
  const { cover, publishedAt } = post
  const words = translationFor(look.language)
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
      {cover && (
        <figure className="post-cover">
          <CoverPicture picture={cover} sizes="(min-width: 64rem) 60rem, 100vw" isFirst />
        </figure>
      )}
    </header>
  )
}
