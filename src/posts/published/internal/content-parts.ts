import { hash } from 'node:crypto'
import { cachedSlugOf } from '../../cached-slug'
import { translationKey } from '../../languages'
import { entryFingerprintOf, fingerprintOf } from '../../internal/memory'
import type { Author, Post } from '../../post'
import type { Site } from '../../site'

/**
 * A part of a project's public content that a page can show. `order` is which posts there are and in which order, without
 * their texts; `posts` and `pages` are every text of the kind; `contents` is where the pages are and what they are called. The lists of a tag, a series and an author are like `order`, and so are the translations of a post.
 * `entry` is what lists show of a post, without the rest of its text.
 */
export type ContentPart =
  | 'site'
  | 'authors'
  | 'order'
  | 'posts'
  | 'pages'
  | 'contents'
  | `tag ${string}`
  | `series ${string}`
  | `author ${string}`
  | `translations ${string}`
  | `post ${string}`
  | `entry ${string}`

/** The state of a project's content at one time: its visible posts and pages, its authors and its settings. */
export interface ContentState {
  posts: readonly Post[]
  pages: readonly Post[]
  authors: readonly Author[]
  site: Site
  visiblePost: (id: string) => Post | undefined
}

/**
 * Returns the fingerprint of a part of the content. It is the same in every process and after a restart, so a page can be
 * compared with what is published now. Undefined for a post that is not visible.
 */
export function partFingerprint(part: string, state: ContentState): string | undefined {
  const [kind, name] = splitPart(part)
  if (kind === 'post' || kind === 'entry') {
    const post = state.visiblePost(name)
    return post && (kind === 'post' ? fingerprintOf : entryFingerprintOf)(post)
  }
  if (kind === 'translations') return translationsFingerprint(part, state)
  return wholeParts[kind]?.(state) ?? listFingerprint(part, kind, state.posts, listsOf)
}

function splitPart(part: string): [kind: string, name: string] {
  const space = part.indexOf(' ')
  return space === -1 ? [part, ''] : [part.slice(0, space), part.slice(space + 1)]
}

const wholeParts: Readonly<Record<string, (state: ContentState) => string>> = {
  site: ({ site }) => memoized(site, 'site', () => digest(JSON.stringify(site))),
  authors: ({ authors }) => memoized(authors, 'authors', () => digest(JSON.stringify(authors))),
  posts: ({ posts }) => memoized(posts, 'texts', () => digest(posts.map(idAndFingerprint).join())),
  pages: ({ pages }) => memoized(pages, 'texts', () => digest(pages.map(idAndFingerprint).join())),
  contents: ({ pages }) =>
    memoized(pages, 'contents', () => {
      const places = pages.map(({ id, slug, title, order, language }) => [id, slug, title, order, language])
      return digest(JSON.stringify(places))
    }),
}

const idAndFingerprint = (post: Post): string => `${post.id} ${fingerprintOf(post)}`

/** The lists that a post is in, with what of the post shows in the list as a whole: its label of a tag, whether it leads. */
const listsOf: Readonly<
  Record<string, (post: Post) => readonly (readonly [list: string, detail: string])[]>
> = {
  order: ({ isFeatured, language }) => [['order', `${isFeatured ? 'featured' : ''} ${language ?? ''}`]],
  tag: ({ tags }) => tags.map((tag) => [`tag ${cachedSlugOf(tag)}`, tag]),
  series: ({ series }) => (series === undefined ? [] : [[`series ${cachedSlugOf(series)}`, series]]),
  author: ({ authors }) => authors.map((slug) => [`author ${slug}`, '']),
}

/** A post and its translations, with where each is. */
const translationLists: typeof listsOf = {
  translations: (post) => [[`translations ${translationKey(post)}`, `${post.slug} ${post.language ?? ''}`]],
}

function translationsFingerprint(part: string, { posts, pages }: ContentState): string | undefined {
  const all = part.startsWith('translations page ') ? pages : posts
  return listFingerprint(part, 'translations', all, translationLists)
}

const emptyList = digest('')

function listFingerprint(
  part: string,
  kind: string,
  posts: readonly Post[],
  known: typeof listsOf,
): string | undefined {
  const lists = known[kind]
  if (!lists) return undefined
  const byList = memoized(posts, `lists of ${kind}`, () => fingerprintsByList(posts, lists))
  return byList.get(part) ?? emptyList
}

function fingerprintsByList(
  posts: readonly Post[],
  listsOfPost: (typeof listsOf)[string],
): ReadonlyMap<string, string> {
  const members = new Map<string, string[]>()
  for (const post of posts)
    for (const [list, detail] of listsOfPost(post)) {
      const known = members.get(list)
      if (known) known.push(post.id, detail)
      else members.set(list, [post.id, detail])
    }
  return new Map(Array.from(members, ([list, ids]) => [list, digest(JSON.stringify(ids))]))
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 16)
}

const memos = new WeakMap<object, Map<string, unknown>>()

/** Computes a value of a list or a record once. Both are replaced, never changed. */
function memoized<Value>(of: object, name: string, make: () => Value): Value {
  const known = memos.get(of) ?? new Map<string, unknown>()
  memos.set(of, known)
  // only this function sets it, and each name has one type of value
  if (known.has(name)) return known.get(name) as Value
  const value = make()
  known.set(name, value)
  return value
}
