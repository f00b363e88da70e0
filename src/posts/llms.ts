import { addressOf, type Post } from './post'
import type { Site } from './site'

/** The limit of the list; the sitemap contains all addresses. */
const maxListed = 5000

/** A page that is no post. */
export interface LlmsPage {
  address: string
  title: string
  description: string
}

/** The lists of posts and pages, which are made of all texts. */
export type LlmsLists = Readonly<Record<'pages' | 'posts', readonly string[]>>

export function llmsLists(
  site: Site,
  posts: readonly Post[],
  pages: readonly Post[],
  excerptFor: (post: Post) => string,
): LlmsLists {
  const entries = (all: readonly Post[]): string[] =>
    all
      .slice(0, maxListed)
      .map((post) => entry(site, { ...post, address: markdownAddress(post) }, excerptFor(post)))
  return { pages: entries(pages), posts: entries(posts) }
}

/**
 * The site's content for language models: Markdown in the format of llmstxt.org, with a link to each post as Markdown.
 */
export function llmsText(site: Site, { pages, posts }: LlmsLists, others: readonly LlmsPage[] = []): string {
  const head = [`# ${line(site.name)}`, ...(site.description ? [`> ${line(site.description)}`] : [])]
  const ofOthers = others.map((page) => entry(site, page, page.description))
  const lists = [list('Pages', [...ofOthers, ...pages]), list('Posts', posts), feedsOf(site)]
  return `${[...head, ...lists.filter(Boolean)].join('\n\n')}\n`
}

const list = (title: string, entries: readonly string[]): string =>
  entries.length === 0 ? '' : [`## ${title}`, '', ...entries.slice(0, maxListed)].join('\n')

function entry(
  { origin }: Site,
  { title, address }: Pick<LlmsPage, 'title' | 'address'>,
  words: string,
): string {
  const excerpt = line(words)
  return `- [${label(title || address)}](${origin}${address})${excerpt ? `: ${excerpt}` : ''}`
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
