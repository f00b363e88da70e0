import { cachedSlugOf } from '#posts/cached-slug'
import type { Post } from '#posts/post'

/** All of a series in the order they are to be read. */
export function seriesOf(posts: readonly Post[], series: string): Post[] {
  const slug = cachedSlugOf(series)
  return posts
    .filter((post) => post.series !== undefined && cachedSlugOf(post.series) === slug)
    .toSorted((one, other) => publishedMs(one) - publishedMs(other))
}

const publishedMs = ({ publishedAt }: Post): number => publishedAt?.getTime() ?? Number.POSITIVE_INFINITY

export const withTag = (posts: readonly Post[], tag: string): Post[] =>
  posts.filter(({ tags }) => tags.some((each) => cachedSlugOf(each) === tag))

/** Posts to read next: those with the most common tags, then the newest. The post's series has its own links. */
export function relatedTo(post: Post, newestFirst: readonly Post[], most: number): Post[] {
  const own = new Set(post.tags.map(cachedSlugOf))
  return newestFirst
    .filter(({ id, series }) => id !== post.id && !(series !== undefined && series === post.series))
    .map((other) => ({ other, shared: sharedWith(own, other) }))
    .toSorted((one, two) => two.shared - one.shared)
    .slice(0, most)
    .map(({ other }) => other)
}

const sharedWith = (slugs: ReadonlySet<string>, { tags }: Post): number =>
  slugs.size === 0 ? 0 : tags.filter((tag) => slugs.has(cachedSlugOf(tag))).length

export const sharesTag = (post: Post, other: Post): boolean =>
  sharedWith(new Set(post.tags.map(cachedSlugOf)), other) > 0
