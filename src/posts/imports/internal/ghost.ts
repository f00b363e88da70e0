import { z } from 'zod'
import {
  dateOf,
  emptyPost,
  type ImportedContent,
  type ImportedPost,
  restrictedNote,
  UnreadableExportError,
} from '../imported-content'

const id = z.union([z.string(), z.number()]).transform(String)
const text = z.string().nullish()

const ghostPost = z.object({
  id,
  title: text,
  slug: text,
  html: text,
  lexical: text,
  mobiledoc: text,
  feature_image: text,
  featured: z.union([z.boolean(), z.number()]).nullish(),
  type: text,
  page: z.union([z.boolean(), z.number()]).nullish(),
  status: text,
  visibility: text,
  created_at: text,
  updated_at: text,
  published_at: text,
  custom_excerpt: text,
  canonical_url: text,
  codeinjection_head: text,
  codeinjection_foot: text,
})
type GhostPost = z.infer<typeof ghostPost>

const order = z.number().nullish()
const ghostData = z.object({
  posts: z.array(ghostPost),
  posts_meta: z
    .array(z.object({ post_id: id, meta_title: text, meta_description: text, feature_image_alt: text }))
    .default([]),
  tags: z.array(z.object({ id, name: text, visibility: text })).default([]),
  posts_tags: z.array(z.object({ post_id: id, tag_id: id, sort_order: order })).default([]),
  users: z.array(z.object({ id, name: text, bio: text })).default([]),
  posts_authors: z.array(z.object({ post_id: id, author_id: id, sort_order: order })).default([]),
})
type GhostData = z.infer<typeof ghostData>

const database = z.object({ data: ghostData })
const ghostExport = z.union([
  z.object({ db: z.tuple([database], z.unknown()) }).transform(({ db }) => db[0].data),
  database.transform(({ data }) => data),
])

/** Ghost writes this where the address of the site would be. */
const siteMark = '__GHOST_URL__'

/** Reads the JSON of Ghost: Settings → Advanced → Import/Export. */
export function readGhost(json: unknown): ImportedContent {
  const parsed = ghostExport.safeParse(json)
  if (!parsed.success)
    throw new UnreadableExportError(
      'This is no export of Ghost. Export it in Settings → Advanced → Import/Export.',
    )
  const { data } = parsed
  return {
    posts: data.posts.map((post) => importedPost(post, data)),
    authors: data.users.flatMap(({ name, bio }) => (name ? [{ name, bio: bio ?? '' }] : [])),
    skipped: [],
    origin: undefined,
  }
}

function importedPost(post: GhostPost, data: GhostData): ImportedPost {
  const isPage = post.type === 'page' || Boolean(post.page)
  const isPublic = post.visibility === 'public' || !post.visibility
  const isPublished = isPublic && (post.status === 'published' || post.status === 'scheduled')
  return {
    ...emptyPost,
    ...textsOf(post),
    ...descriptionOf(post, data),
    ...linksOf(post, data),
    kind: isPage ? 'page' : 'post',
    publishedAt: isPublished ? dateOf(post.published_at) : undefined,
    createdAt: dateOf(post.created_at),
    changedAt: dateOf(post.updated_at),
    isFeatured: Boolean(post.featured),
    oldPaths: post.slug ? [`/${post.slug}/`] : [],
    notes: notesOn(post, isPublic),
  }
}

const withoutMark = (address: string | null | undefined): string => (address ?? '').replaceAll(siteMark, '')

const textsOf = ({ title, slug, html, custom_excerpt: excerpt, canonical_url: canonical }: GhostPost) => ({
  title: title ?? '',
  slug: slug ?? '',
  html: withoutMark(html),
  excerpt: excerpt ?? '',
  canonical: withoutMark(canonical),
})

function descriptionOf({ id: postId, feature_image: image }: GhostPost, { posts_meta: all }: GhostData) {
  const meta = all.find(({ post_id }) => post_id === postId)
  return {
    metaTitle: meta?.meta_title ?? '',
    metaDescription: meta?.meta_description ?? '',
    cover: image ? { address: withoutMark(image), alt: meta?.feature_image_alt ?? '' } : undefined,
  }
}

const linksOf = (post: GhostPost, data: GhostData) => ({
  tags: linked(data.posts_tags, post.id, 'tag_id', data.tags)
    .filter(({ name, visibility }) => visibility !== 'internal' && !name?.startsWith('#'))
    .flatMap(({ name }) => name ?? []),
  authors: linked(data.posts_authors, post.id, 'author_id', data.users).flatMap(({ name }) => name ?? []),
})

function notesOn(post: GhostPost, isPublic: boolean): string[] {
  const notes: [applies: boolean, note: string][] = [
    [!isPublic, restrictedNote],
    [post.status === 'sent', 'It was sent by e-mail only: it is kept as a draft.'],
    [
      !post.html && Boolean(post.lexical ?? post.mobiledoc),
      'Its text is only in the format of Ghost’s editor, and is lost.',
    ],
    [Boolean(post.codeinjection_head ?? post.codeinjection_foot), 'Its injected code is lost.'],
  ]
  return notes.filter(([applies]) => applies).map(([, note]) => note)
}

/** The rows that a post is linked to, in its order. */
function linked<Row extends { id: string }, Key extends string>(
  links: readonly ({ post_id: string; sort_order?: number | null | undefined } & Record<Key, string>)[],
  postId: string,
  key: Key,
  rows: readonly Row[],
): Row[] {
  return links
    .filter(({ post_id }) => post_id === postId)
    .toSorted((a, b) => (a.sort_order ?? 0) - (b.sort_order ?? 0))
    .flatMap((link) => rows.find((row) => row.id === link[key]) ?? [])
}
