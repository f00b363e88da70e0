import { stringify } from 'yaml'
import { addressOf, type Post } from './post'
import type { Site } from './site'

/** A post as a file of Markdown: what is known of it above, its text as it was written below. A folder of posts can take it. */
export function postMarkdown(post: Post, site: Pick<Site, 'origin'>): string {
  const { title, excerpt, publishedAt, changedAt, tags, authors, series, cover, canonical } = post
  const front = {
    title,
    ...(excerpt && { excerpt }),
    address: site.origin + addressOf(post),
    ...(publishedAt && { date: publishedAt.toISOString() }),
    changed: changedAt.toISOString(),
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(authors.length > 0 && { authors: [...authors] }),
    ...(series && { series }),
    ...(cover && { cover: cover.address }),
    ...(canonical && { canonical }),
  }
  return `---\n${stringify(front, { lineWidth: 0 })}---\n\n${post.body.trimEnd()}\n`
}
