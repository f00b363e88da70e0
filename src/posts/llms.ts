import { addressOf, type Post } from './post'
import type { Site } from './site'

/** The limit of the list; the sitemap contains all addresses. */
const maxListed = 5000

/**
 * The site's content for language models: Markdown in the format of llmstxt.org, with a link to each post as Markdown.
 */
export function llmsText(
  site: Site,
  posts: readonly Post[],
  pages: readonly Post[],
  excerptFor: (post: Post) => string,
): string {
  const head = [`# ${line(site.name)}`, ...(site.description ? [`> ${line(site.description)}`] : [])]
  const listed = (title: string, all: readonly Post[]): string => list(site, title, all, excerptFor)
  const lists = [listed('Pages', pages), listed('Posts', posts), feedsOf(site)]
  return `${[...head, ...lists.filter(Boolean)].join('\n\n')}\n`
}

function list(site: Site, title: string, posts: readonly Post[], excerptFor: (post: Post) => string): string {
  const entries = posts.slice(0, maxListed).map((post) => entry(site, post, excerptFor(post)))
  return entries.length === 0 ? '' : [`## ${title}`, '', ...entries].join('\n')
}

function entry(site: Site, post: Post, words: string): string {
  const excerpt = line(words)
  return `- [${label(post.title)}](${site.origin}${markdownAddress(post)})${excerpt ? `: ${excerpt}` : ''}`
}

/** The address of a post as Markdown. */
export const markdownAddress = (post: Pick<Post, 'kind' | 'slug'>): string =>
  post.slug === '' ? '/index.md' : `${addressOf(post)}.md`

const feedsOf = ({ origin }: Site): string =>
  [
    '## Optional',
    '',
    `- [Feed](${origin}/blog.json): the newest posts in full, as JSON Feed`,
    `- [Sitemap](${origin}/sitemap.xml): every address`,
  ].join('\n')

/** Puts a text on one line, because line breaks could begin other Markdown. */
const line = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
const label = (text: string): string => line(text).replaceAll(/[\\[\]]/g, String.raw`\$&`)
