/** A post or page of another product, before its text is converted. */
export interface ImportedPost {
  kind: 'post' | 'page'
  title: string
  /** The last part of the address there, which is tidied before it is used here. */
  slug: string
  html: string
  excerpt: string
  tags: readonly string[]
  /** Names. */
  authors: readonly string[]
  /** Undefined for a draft. */
  publishedAt: Date | undefined
  createdAt: Date | undefined
  changedAt: Date | undefined
  cover: { address: string; alt: string } | undefined
  isFeatured: boolean
  metaTitle: string
  metaDescription: string
  canonical: string
  /** The paths that it had there. */
  oldPaths: readonly string[]
  /** Losses and differences, with their reasons. */
  notes: readonly string[]
}

interface ImportedAuthor {
  name: string
  bio: string
}

/** The contents of an export. */
export interface ImportedContent {
  posts: readonly ImportedPost[]
  authors: readonly ImportedAuthor[]
  /** Entries that are not taken, with the reason. */
  skipped: readonly { title: string; why: string }[]
  /** The address of the old site, for pictures that are named without it. */
  origin: string | undefined
}

export const emptyPost: Omit<ImportedPost, 'title' | 'slug' | 'html'> = {
  kind: 'post',
  excerpt: '',
  tags: [],
  authors: [],
  publishedAt: undefined,
  createdAt: undefined,
  changedAt: undefined,
  cover: undefined,
  isFeatured: false,
  metaTitle: '',
  metaDescription: '',
  canonical: '',
  oldPaths: [],
  notes: [],
}

/** Posts that not everyone could read must not become public by an import. */
export const restrictedNote = 'Not everyone could read it: it is kept as a draft.'

/** An export that cannot be read. Its message names what was expected. */
export class UnreadableExportError extends Error {}

export const dateOf = (text: string | undefined | null): Date | undefined => {
  const date = new Date(text ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date
}
