import type { Post } from './post'

/** A stored version of a post, with its author and their note, if any. */
export interface PostVersion {
  version: number
  post: Post
  by: string
  at: Date
  note: string | undefined
  /** Whether its changes were not published when it was saved, although the post was. */
  isUnpublished: boolean
}

/** Older versions are deleted: a post may be a megabyte, and editors save often. */
export const maxVersions = 100
