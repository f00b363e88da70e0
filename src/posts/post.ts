/** A post or a page of the site. A post belongs to the blog and has a date; a page has any address and no date. */
export interface Post {
  /** The id: a number for a post of the studio; its file for a post of a folder, such as `file:posts/hello.md`. */
  id: string
  projectId: number
  kind: 'post' | 'page'
  source: 'studio' | 'folder'
  /**
   * The last part of a post's address, /blog/hello; the whole address of a page, where '' is the home page and
   * 'docs/start' has two parts.
   */
  slug: string
  title: string
  /** The summary in lists, feeds and search results. If it is '', the beginning of the body is used. */
  excerpt: string
  /** Markdown, with the blocks of `blocks.ts`. */
  body: string
  cover: Picture | undefined
  /** Tags in the order of display; the first one is the most important. */
  tags: readonly string[]
  /** Slugs of authors in order. */
  authors: readonly string[]
  /** The name of its series, whose posts are ordered by date. */
  series: string | undefined
  isFeatured: boolean
  allowsComments: boolean
  /** Title and description for search engines, if they differ from the post's. */
  metaTitle: string
  metaDescription: string
  /** The original address, if it was published elsewhere first. */
  canonical: string
  /** The language of its text, such as `de`; undefined for that of the site. */
  language?: string | undefined
  /** The slug of the post that it is a translation of. Posts that name the same one belong together. */
  translationOf?: string | undefined
  /** The position of a page among those of its folder; pages without one come last, by title. */
  order?: number | undefined
  /** Undefined for a draft; a date in the future schedules it. */
  publishedAt: Date | undefined
  createdAt: Date
  /** When its content last changed for readers. */
  changedAt: Date
  /** Grows with each change, unpublished ones included. A change based on an older version is refused. */
  version: number
  archivedAt: Date | undefined
  /** The trial of titles, covers or excerpts, while it runs and after it. */
  trial: Trial | undefined
  /** Of a file in MDX: the addresses of pictures beside it, by how its text names them. */
  picturesBeside?: Readonly<Record<string, string>> | undefined
  /** Changes that readers do not see yet. The site reads posts without them. */
  unpublished?: UnpublishedChanges | undefined
}

/** What authors write, apart from the kind. */
export type ContentField =
  | 'title'
  | 'slug'
  | 'excerpt'
  | 'body'
  | 'cover'
  | 'tags'
  | 'authors'
  | 'series'
  | 'isFeatured'
  | 'allowsComments'
  | 'metaTitle'
  | 'metaDescription'
  | 'canonical'
  | 'language'
  | 'translationOf'
  | 'order'

/** New values of fields; null removes one. */
export type ChangedFields = { readonly [Field in ContentField]?: Post[Field] | null }

/** Saved changes of a published post that readers do not see yet. */
export interface UnpublishedChanges {
  /** The version of the history that has them. */
  version: number
  by: string
  at: Date
  /** Only the fields that differ from the public ones. */
  fields: ChangedFields
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
  /**
   * The key by which visits assign variants: 'post-42-1', where the last number increases with each trial of the post.
   */
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
  /** A variant won, and the post has its texts now. */
  | { name: 'won'; winner: string; at: Date; by: string }
  | { name: 'stopped'; at: Date; by: string }

export interface Author {
  slug: string
  name: string
  bio: string
  picture: Picture | undefined
  /** Their pages elsewhere. */
  links: readonly { label: string; address: string }[]
}

/** An old address and its destination. Both begin with '/'; the destination may be on another server. */
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

/** The address from the root of the site. */
export const addressOf = ({ kind, slug }: Pick<Post, 'kind' | 'slug'>): string =>
  kind === 'post' ? `/blog/${slug}` : `/${slug}`

export const tagAddress = (tag: string): string => `/blog/tags/${slugOf(tag)}`
export const authorAddress = (slug: string): string => `/blog/authors/${slug}`
export const seriesAddress = (series: string): string => `/blog/series/${slugOf(series)}`

/** "Über uns!" becomes "uber-uns", and "C#" is not "C"; letters of other scripts are kept. */
export const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/(?<=[\p{L}\p{N}])#/gu, '-sharp-')
    .replaceAll(/(?<=[\p{L}\p{N}+])\+(?![\p{L}\p{N}])/gu, '-plus-')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .normalize('NFC')
    .slice(0, 80)
    .replaceAll(/^-+|-+$/g, '')
