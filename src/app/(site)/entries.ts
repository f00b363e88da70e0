import { type Author, addressOf, type Picture, type Post } from '../../posts/post'
import { excerptOf, readMarkdown } from '../../posts/markdown'
import type { PageVisit } from '../../visits/visit'
import type { OpenSite } from './open-site'

/** A post as lists show it to this visitor. */
export interface Entry {
  address: string
  title: string
  excerpt: string
  cover: Picture | undefined
  /** Pages have none to show. */
  publishedAt: Date | undefined
  minutes: number
  authors: Author[]
  tags: readonly string[]
  isFeatured: boolean
  /** Which variant of its trial this is: whoever has it in view confirms that it was seen. */
  shown: { flag: string; variant: string } | undefined
}

export const entriesOf = (posts: readonly Post[], open: Pick<OpenSite, 'site' | 'visit' | 'published'>) => {
  const authors = authorsBySlug(open)
  return posts.map((post) => entryOf(tried(post, open.visit), authors))
}

export function authorsBySlug({ site, published }: Pick<OpenSite, 'site' | 'published'>) {
  return new Map(published.authors(site.projectId).map((author) => [author.slug, author]))
}

export const authorsOf = (post: Post, authors: ReadonlyMap<string, Author>): Author[] =>
  post.authors.flatMap((slug) => authors.get(slug) ?? [])

interface Tried {
  post: Post
  shown: Entry['shown']
}

/** While variants of a post are tried, its own title, excerpt and cover give way to the visitor's. */
function tried(post: Post, visit: PageVisit): Tried {
  const { trial } = post
  if (trial?.state.name !== 'running') return { post, shown: undefined }

  const key = visit.variant(trial.key)
  const variant = trial.variants.find((each) => each.key === key)
  if (!variant) return { post, shown: undefined }
  const { title = post.title, excerpt = post.excerpt, cover = post.cover } = variant
  return { post: { ...post, title, excerpt, cover }, shown: { flag: trial.key, variant: variant.key } }
}

function entryOf({ post, shown }: Tried, authors: ReadonlyMap<string, Author>): Entry {
  return {
    address: addressOf(post),
    title: post.title,
    excerpt: excerptOf(post),
    cover: post.cover,
    publishedAt: post.kind === 'post' ? post.publishedAt : undefined,
    minutes: readMarkdown(post.body).minutes,
    authors: authorsOf(post, authors),
    tags: post.tags,
    isFeatured: post.isFeatured,
    shown,
  }
}
