import { type Post, slugOf } from '#posts/post'

/** All of a series in the order they are to be read. */
export const seriesOf = (posts: readonly Post[], series: string): Post[] =>
  posts
    .filter((post) => post.series !== undefined && slugOf(post.series) === slugOf(series))
    .toSorted((one, other) => publishedMs(one) - publishedMs(other))

const publishedMs = ({ publishedAt }: Post): number => publishedAt?.getTime() ?? Number.POSITIVE_INFINITY

export const withTag = (posts: readonly Post[], tag: string): Post[] =>
  posts.filter(({ tags }) => tags.some((each) => slugOf(each) === tag))

/** Posts to read next: those with the most common tags, then the newest. The post's series has its own links. */
export function relatedTo(post: Post, newestFirst: readonly Post[], most: number): Post[] {
  const own = new Set(post.tags.map(slugOf))
  const shared = ({ tags }: Post) => tags.filter((tag) => own.has(slugOf(tag))).length
  return newestFirst
    .filter(({ id, series }) => id !== post.id && !(series !== undefined && series === post.series))
    .toSorted((one, other) => shared(other) - shared(one))
    .slice(0, most)
}
