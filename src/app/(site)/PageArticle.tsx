import { readMarkdown } from '#posts/markdown'
import { addressOf, stateOf } from '#posts/post'
import { structuredData } from '#posts/structured-data'
import { contentsAt } from './contents-at'
import { CoverPicture } from './CoverPicture'
import type { OpenPost } from './find-post'
import { JsonLd } from './JsonLd'
import { PostText } from './kit/PostText'
import { siteForKit } from './kit/site-for-kit'
import { WithLayout } from './kit/WithLayout'
import { PreviewBar } from './PreviewBar'
import { translationFor } from './translations'

/** A page without date or author. The first-level heading is part of its text. */
export async function PageArticle({ open, post, isPreview }: OpenPost) {
  const { site, now } = open
  const document = readMarkdown(post.body, { words: translationFor(site) })
  const hasTitle = document.outline.some(({ level }) => level === 1)
  const before = isPreview ? (
    <PreviewBar state={stateOf(post, now)} />
  ) : (
    <JsonLd graph={structuredData(site, post, [])} />
  )
  const text = <PostText post={post} document={document} hasTitle={hasTitle} />
  const { title, excerpt, cover } = post
  const page = { address: addressOf(post), title, excerpt, cover }
  const { outline } = document
  return (
    <WithLayout
      name="page"
      props={{ site: siteForKit(site), page, hasTitle, outline, contents: contentsAt(post, open) }}
      parts={{ head: !hasTitle && <PageHead title={post.title} cover={post.cover} />, children: text }}
      before={before}
    />
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
