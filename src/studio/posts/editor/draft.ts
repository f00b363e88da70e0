import type { Picture, Post } from '#posts/post'

/** A post on its way: all that its editor changes, as fields hold it. */
export interface PostDraft {
  title: string
  slug: string
  excerpt: string
  body: string
  cover: Picture | undefined
  tags: readonly string[]
  authors: readonly string[]
  series: string
  isFeatured: boolean
  allowsComments: boolean
  metaTitle: string
  metaDescription: string
  canonical: string
  /** '' means the language of the site. */
  language: string
  translationOf: string
  /** A number, or ''. */
  order: string
}

export const draftOf = (post: Post): PostDraft => ({
  title: post.title,
  slug: post.slug,
  excerpt: post.excerpt,
  body: post.body,
  cover: post.cover,
  tags: post.tags,
  authors: post.authors,
  series: post.series ?? '',
  isFeatured: post.isFeatured,
  allowsComments: post.allowsComments,
  metaTitle: post.metaTitle,
  metaDescription: post.metaDescription,
  canonical: post.canonical,
  language: post.language ?? '',
  translationOf: post.translationOf ?? '',
  order: post.order === undefined ? '' : String(post.order),
})

/** The input of a save: null removes a field. The changes of a published post stay unpublished. */
export const inputOf = (draft: PostDraft, version: number) => ({
  ...draft,
  keepUnpublished: true,
  cover: draft.cover ?? null,
  series: draft.series || null,
  language: draft.language || null,
  translationOf: draft.translationOf || null,
  order: draft.order.trim() === '' ? null : Number(draft.order),
  version,
})

const words: Record<keyof PostDraft, string> = {
  title: 'title',
  slug: 'address',
  excerpt: 'excerpt',
  body: 'text',
  cover: 'cover',
  tags: 'tags',
  authors: 'authors',
  series: 'series',
  isFeatured: 'whether it is featured',
  allowsComments: 'whether it has comments',
  metaTitle: 'title for search engines',
  metaDescription: 'description for search engines',
  canonical: 'canonical URL',
  language: 'language',
  translationOf: 'what it is a translation of',
  order: 'position',
}

// the words above are of every part
const parts = Object.keys(words) as (keyof PostDraft)[]

/** What differs, as words: "title", "text". */
export const differingParts = (one: PostDraft, other: PostDraft): string[] =>
  parts.filter((part) => !isSame(one[part], other[part])).map((part) => words[part])

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)

/** After a save, keeps edits made during it and takes the rest from the saved post. */
export function rebaseDraft(now: PostDraft, sent: PostDraft, saved: PostDraft): PostDraft {
  const written = parts.filter((part) => !isSame(now[part], sent[part]))
  return { ...saved, ...Object.fromEntries(written.map((part) => [part, now[part]])) }
}

/** Parses a draft from the browser's storage: it may come from an older version or have been edited by hand. */
export function draftIn(kept: unknown, sample: PostDraft): PostDraft | undefined {
  if (typeof kept !== 'object' || kept === null) return undefined
  const has = new Map<string, unknown>(Object.entries(kept))
  const fits = parts.every((part) => part === 'cover' || isAlike(has.get(part), sample[part]))
  return fits ? { ...sample, ...kept, cover: pictureIn(has.get('cover')) } : undefined
}

const isAlike = (kept: unknown, sample: unknown): boolean =>
  Array.isArray(sample)
    ? Array.isArray(kept) && kept.every((one) => typeof one === 'string')
    : typeof kept === typeof sample

function pictureIn(kept: unknown): Picture | undefined {
  if (typeof kept !== 'object' || kept === null || !('address' in kept) || !('alt' in kept)) return undefined
  const { address, alt } = kept
  if (typeof address !== 'string' || typeof alt !== 'string') return undefined
  return { address, alt, width: pixels(kept, 'width'), height: pixels(kept, 'height') }
}

function pixels(kept: object, name: 'width' | 'height'): number | undefined {
  const value: unknown = Reflect.get(kept, name)
  return typeof value === 'number' ? value : undefined
}
