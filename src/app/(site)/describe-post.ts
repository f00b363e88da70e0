import type { Metadata } from 'next'
import { addressOf } from '#posts/post'
import { excerptOf } from '#posts/markdown'
import { markdownAddress } from '#posts/llms'
import { alternatesAt } from './alternates'
import { contentsAt } from './contents-at'
import { describePage } from './describe-page'
import { authorsBySlug, authorsOf } from './list-entries'
import type { OpenPost } from './find-post'

/** Leaves headline trials out: link previews and search results are the same for all visitors. */
export function describePost({ open, post, isPreview }: OpenPost): Metadata {
  const { site } = open
  const path = addressOf(post)
  const words = {
    title: post.metaTitle || post.title,
    description: post.metaDescription || excerptOf(post),
    path,
    picture: pictureFor(post, path),
    isHidden: isPreview,
    alternates: alternatesAt(path, open),
  }
  const page = describePage(site, words)
  return {
    ...page,
    alternates: {
      ...page.alternates,
      canonical: post.canonical || contentsAt(post, open)?.canonical || path,
      types: { ...page.alternates?.types, 'text/markdown': markdownAddress(post) },
    },
    openGraph: { ...page.openGraph, ...articleOf({ open, post }) },
  }
}

/** Drawn for each post; a page has no more than its cover. */
const pictureFor = ({ kind, cover }: OpenPost['post'], path: string) =>
  kind === 'post' ? `${path}/card.png` : cover?.address

function articleOf({ open, post }: Pick<OpenPost, 'open' | 'post'>): Metadata['openGraph'] {
  if (post.kind === 'page') return undefined
  return {
    type: 'article',
    publishedTime: post.publishedAt?.toISOString(),
    modifiedTime: post.changedAt.toISOString(),
    authors: authorsOf(post, authorsBySlug(open)).map(({ name }) => name),
    tags: [...post.tags],
  }
}
