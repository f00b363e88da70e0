import { inlineDiagrams } from '#posts/inline-diagrams'
import { readMarkdown } from '#posts/markdown'
import { PostBody } from '#posts/PostBody'
import { structuredData } from '#posts/structured-data'
import { CoverPicture } from './CoverPicture'
import type { OpenPost } from './find-post'
import { JsonLd } from './JsonLd'
import { liveBlocks } from './live-blocks'
import { PreviewBar } from './PreviewBar'
import { translationFor } from './translations'

/** A page without date or author. The first-level heading is part of its text. */
export async function PageArticle({ open: { site, now }, post, isPreview }: OpenPost) {
  const read = readMarkdown(post.body, { words: translationFor(site.language) })
  const document = isPreview ? await inlineDiagrams(read) : read
  const hasTitle = document.outline.some(({ level }) => level === 1)
  return (
    <main id="content" tabIndex={-1}>
      {isPreview ? <PreviewBar post={post} now={now} /> : <JsonLd graph={structuredData(site, post, [])} />}
      <article className={hasTitle ? 'post page titled' : 'post page'}>
        {!hasTitle && <PageHead title={post.title} cover={post.cover} />}
        <PostBody document={document} blocks={liveBlocks} hasTitle={hasTitle} />
      </article>
    </main>
  )
}

function PageHead({ title, cover }: Pick<OpenPost['post'], 'title' | 'cover'>) {
  return (
    <header className="post-head">
      <h1 dir="auto">{title}</h1>
      {cover && (
        <figure className="post-cover">
          <CoverPicture picture={cover} sizes="(min-width: 64rem) 60rem, 100vw" isFirst />
        </figure>
      )}
    </header>
  )
}
