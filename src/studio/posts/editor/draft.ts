import type { Picture, Post } from '#posts/post'
import { changedLabels } from '#studio/parts/draft-fields'

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

const labels: Record<keyof PostDraft, string> = {
  title: 'Title',
  slug: 'Address',
  excerpt: 'Excerpt',
  body: 'Text',
  cover: 'Cover',
  tags: 'Tags',
  authors: 'Authors',
  series: 'Series',
  isFeatured: 'Featured',
  allowsComments: 'Comments',
  metaTitle: 'Title for search engines',
  metaDescription: 'Description for search engines',
  canonical: 'Canonical URL',
  language: 'Language',
  translationOf: 'Translation of',
  order: 'Position',
}

/** The parts that differ, by their labels. */
export const differencesOf = (before: PostDraft, after: PostDraft): string[] =>
  changedLabels(labels, before, after)

// the labels above are of every part
const parts = Object.keys(labels) as (keyof PostDraft)[]

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
