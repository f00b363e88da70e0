import { stringify } from 'yaml'
import { addressOf, type Post } from './post'
import type { Site } from './site'

/** Writes a post as a Markdown file: front matter, then the unchanged body. A folder of posts can read it. */
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
