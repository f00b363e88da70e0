import { type Author, addressOf, type Picture, type Post } from '#posts/post'
import type { BodySummary } from '#posts/prepared-content'
import type { PageVisit } from '#visits/visit'
import type { OpenSite } from './open-site'

/** A post as lists show it to this visitor. */
export interface ListEntry {
  address: string
  title: string
  excerpt: string
  cover: Picture | undefined
  /** Pages have none to show. */
  publishedAt: Date | undefined
  /** 0 for pages of the site folder. */
  minutes: number
  authors: Author[]
  tags: readonly string[]
  isFeatured: boolean
  /** The variant of its trial. The browser confirms the exposure once the entry is in view. */
  shown: { flag: string; variant: string } | undefined
}

interface PostWithSummary extends PostInTrial {
  summary: BodySummary
}

export async function entriesOf(
  posts: readonly Post[],
  open: Pick<OpenSite, 'site' | 'visit' | 'published' | 'prepared'>,
): Promise<ListEntry[]> {
  open.published.noteListed(posts)
  const authors = authorsBySlug(open)
  const summaries = await open.prepared.summaries(posts)
  return posts.flatMap((post, index) => {
    const summary = summaries[index]
    return summary ? [entryOf({ ...withTrialVariant(post, open.visit), summary }, authors)] : []
  })
}

export function authorsBySlug({ site, published }: Pick<OpenSite, 'site' | 'published'>) {
  return new Map(published.authors(site.projectId).map((author) => [author.slug, author]))
}

export const authorsOf = (post: Post, authors: ReadonlyMap<string, Author>): Author[] =>
  post.authors.flatMap((slug) => authors.get(slug) ?? [])

interface PostInTrial {
  post: Post
  shown: ListEntry['shown']
}

/** While variants of a post are tried, its own title, excerpt and cover give way to the visitor's. */
function withTrialVariant(post: Post, visit: PageVisit): PostInTrial {
  const { trial } = post
  if (trial?.state.name !== 'running') return { post, shown: undefined }

  const key = visit.variant(trial.key)
  const variant = trial.variants.find((each) => each.key === key)
  if (!variant) return { post, shown: undefined }
  const { title = post.title, excerpt = post.excerpt, cover = post.cover } = variant
  return { post: { ...post, title, excerpt, cover }, shown: { flag: trial.key, variant: variant.key } }
}

function entryOf({ post, shown, summary }: PostWithSummary, authors: ReadonlyMap<string, Author>): ListEntry {
  return {
    address: addressOf(post),
    title: post.title,
    excerpt: post.excerpt || summary.opening,
    cover: post.cover,
    publishedAt: post.kind === 'post' ? post.publishedAt : undefined,
    minutes: summary.minutes,
    authors: authorsOf(post, authors),
    tags: post.tags,
    isFeatured: post.isFeatured,
    shown,
  }
}
