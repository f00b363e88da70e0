import { excerptOf } from './markdown'
import { addressOf, type Post } from './post'
import type { Site } from './site'

/** What the site holds, for language models: Markdown in the form of llmstxt.org, which leads to each post as Markdown. */
export function llms(site: Site, posts: readonly Post[], pages: readonly Post[]): string {
  const head = [`# ${line(site.name)}`, ...(site.description ? [`> ${line(site.description)}`] : [])]
  const lists = [listed(site, 'Pages', pages), listed(site, 'Posts', posts), feedsOf(site)]
  return `${[...head, ...lists.filter(Boolean)].join('\n\n')}\n`
}

const listed = (site: Site, title: string, posts: readonly Post[]): string =>
  posts.length === 0 ? '' : [`## ${title}`, '', ...posts.map((post) => entry(site, post))].join('\n')

function entry(site: Site, post: Post): string {
  const excerpt = line(excerptOf(post))
  return `- [${label(post.title)}](${site.origin}${markdownAddress(post)})${excerpt ? `: ${excerpt}` : ''}`
}

/** Where a post is as Markdown. */
export const markdownAddress = (post: Pick<Post, 'kind' | 'slug'>): string =>
  post.slug === '' ? '/index.md' : `${addressOf(post)}.md`

const feedsOf = ({ origin }: Site): string =>
  ['## Optional', '', `- [Feed](${origin}/blog.json): the newest posts in full, as JSON Feed`].join('\n')

/** What is on lines of its own would begin something. */
const line = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
const label = (text: string): string => line(text).replaceAll(/[\\[\]]/g, String.raw`\$&`)
