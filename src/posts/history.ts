import type { Post } from './post'

/** How a post was from then on, who made it so, and why, where they said so. */
export interface PostVersion {
  version: number
  post: Post
  by: string
  at: Date
  note: string | undefined
}

/** Older ones are forgotten: a post may be a megabyte, and editors save often. */
export const mostVersions = 100
