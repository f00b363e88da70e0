import type { z } from 'zod'
import type { Unchanging } from '#collection/unchanging'
import type { authorSchema } from './authors'
import type { picture, postContent, postSchema, trial } from './post-schema'

/** The types of the schemas in `post-schema`, for code that goes to browsers without them. */
export type Post = Unchanging<z.infer<typeof postSchema>, Trial | UnpublishedChanges>
export type PostContent = Unchanging<z.infer<typeof postContent>>
type ContentField = keyof PostContent
export type Picture = z.infer<typeof picture>
export type Trial = z.infer<typeof trial>
export type TrialVariant = Trial['variants'][number]
export type TrialState = Trial['state']

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

export type Author = Unchanging<z.infer<typeof authorSchema>>

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

/** The part of a post that authors write. Publication, trial and archive are not in it. */
export function contentPartOf({
  id: _id,
  projectId: _projectId,
  kind: _kind,
  source: _source,
  publishedAt: _publishedAt,
  createdAt: _createdAt,
  changedAt: _changedAt,
  version: _version,
  archivedAt: _archivedAt,
  trial: _trial,
  picturesBeside: _picturesBeside,
  unpublished: _unpublished,
  ...content
}: Post): PostContent {
  return content
}

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
