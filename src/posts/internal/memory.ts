import { hash } from 'node:crypto'
import type { Post } from '../post'
import { openingSource } from '../reading/internal/opening-part'
import { readingMinutes } from './reading-time'

/**
 * Returns the post with its body in UTF-8 outside the heap, decoded at each reading. Two thousand bodies are a sixth of
 * the smallest heap of the pages process, and few of them are read between two changes.
 */
export function withBodyOutsideHeap({ body, ...rest }: Post): Post {
  const bytes = Buffer.from(body)
  const post: Post = {
    // a title cut out of a file would keep the whole text of the file in memory; a clone does not
    ...structuredClone(rest),
    get body() {
      return bytes.toString()
    },
  }
  fingerprints.set(post, digestOf(rest, bytes))
  return post
}

const fingerprints = new WeakMap<Post, string>()

/** Returns a digest of everything a post says: equal in every process that has the same version of it. */
export function fingerprintOf(post: Post): string {
  const known = fingerprints.get(post)
  if (known !== undefined) return known
  const { body, ...rest } = post
  const made = digestOf(rest, Buffer.from(body))
  fingerprints.set(post, made)
  return made
}

/** The digest of the body alone is fast, because the bytes are not decoded. */
const digestOf = (rest: Omit<Post, 'body'>, body: Buffer): string =>
  hash('sha256', `${JSON.stringify(rest)}${hash('sha256', body, 'base64url')}`, 'base64url').slice(0, 16)

const entryFingerprints = new WeakMap<Post, string>()

/** Returns a digest of what lists show of a post. A change of the text behind its opening leaves it equal. */
export function entryFingerprintOf(post: Post): string {
  const known = entryFingerprints.get(post)
  if (known !== undefined) return known
  const made = hash('sha256', JSON.stringify(listedFields(post)), 'base64url').slice(0, 16)
  entryFingerprints.set(post, made)
  return made
}

function listedFields(post: Post): readonly unknown[] {
  const { kind, slug, title, excerpt, body, cover, publishedAt, authors, tags, series, isFeatured } = post
  const summary = [excerpt || openingSource(body), readingMinutes(body)]
  return [kind, slug, title, summary, cover, publishedAt, authors, tags, series, isFeatured, post.trial]
}
