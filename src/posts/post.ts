/** What the site publishes. A post stands in the blog and has a date; a page stands anywhere and has none to show. */
export interface Post {
  /** Of one written in the studio its number; of one in a folder its file, such as `file:posts/hello.md`. */
  id: string
  projectId: number
  kind: 'post' | 'page'
  source: 'studio' | 'folder'
  /** The end of a post's address, /blog/hello; the whole of a page's, where '' is home and 'docs/start' has two parts. */
  slug: string
  title: string
  /** The summary in lists, feeds and search results. If it is '', the beginning of the body is used. */
  excerpt: string
  /** Markdown, with the blocks of `blocks.ts`. */
  body: string
  cover: Picture | undefined
  /** As they are shown; the first is the one that counts most. */
  tags: readonly string[]
  /** Slugs of authors, the first first. */
  authors: readonly string[]
  /** Posts of one name follow each other by date. */
  series: string | undefined
  isFeatured: boolean
  allowsComments: boolean
  /** Title and description for search engines, where they differ from the post's. */
  metaTitle: string
  metaDescription: string
  /** Where it was published first, if that was elsewhere. */
  canonical: string
  /** Absent on a draft; one in the future is waited for. */
  publishedAt: Date | undefined
  createdAt: Date
  /** When its readers last got something else to read. */
  changedAt: Date
  /** Grows with each change. A change based on an older version is refused. */
  version: number
  archivedAt: Date | undefined
  /** Which of several titles, covers or excerpts is best, while that is tried or once it is known. */
  trial: Trial | undefined
}

export interface Picture {
  /** An address on this server: `/_tilth/images/…` of an uploaded one. */
  address: string
  /** The alternative text for readers who cannot see the picture; '' if it is decorative. */
  alt: string
  width?: number | undefined
  height?: number | undefined
}

/**
 * A trial of titles, excerpts or covers. Lists show each visitor one variant in place of the original; feeds,
 * canonical URLs and social cards show the original. The original is the variant 'a'.
 */
export interface Trial {
  /** What visits decide it by: 'post-42-1', the second number growing with each trial of that post. */
  key: string
  variants: readonly TrialVariant[]
  startedAt: Date
  /** How the winner is chosen: by clicks, or by complete reads. */
  metric: 'clicks' | 'reads'
  state: TrialState
}

export interface TrialVariant {
  /** 'a', 'b' … 'e' */
  key: string
  /** Absent fields are those of the post. */
  title?: string | undefined
  excerpt?: string | undefined
  cover?: Picture | undefined
}

export type TrialState =
  | { name: 'running' }
  /** A variant won by the numbers, and the post has its texts now. */
  | { name: 'won'; winner: string; at: Date; by: string }
  | { name: 'stopped'; at: Date; by: string }

export interface Author {
  slug: string
  name: string
  bio: string
  picture: Picture | undefined
  /** Their own pages elsewhere. */
  links: readonly { label: string; address: string }[]
}

/** An address that used to be, and where it leads now. Both begin with '/'; the second may be elsewhere. */
export interface Redirect {
  from: string
  to: string
}

export type PostState = 'draft' | 'scheduled' | 'published' | 'archived'

export function stateOf(
  { publishedAt, archivedAt }: Pick<Post, 'publishedAt' | 'archivedAt'>,
  now: Date,
): PostState {
  if (archivedAt) return 'archived'
  if (!publishedAt) return 'draft'
  return publishedAt > now ? 'scheduled' : 'published'
}

/** From the root of its site. */
export const addressOf = ({ kind, slug }: Pick<Post, 'kind' | 'slug'>): string =>
  kind === 'post' ? `/blog/${slug}` : `/${slug}`

export const tagAddress = (tag: string): string => `/blog/tags/${slugOf(tag)}`
export const authorAddress = (slug: string): string => `/blog/authors/${slug}`
export const seriesAddress = (series: string): string => `/blog/series/${slugOf(series)}`

/** "Über uns!" becomes "uber-uns"; letters of other scripts stay. */
export const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .normalize('NFC')
    .slice(0, 80)
    .replaceAll(/^-+|-+$/g, '')
