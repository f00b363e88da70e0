import { htmlOf, openingText, readMarkdownOnce } from '../../markdown'
import { createSearch, type PostSearch, type SearchedPost } from '../../search'

/** A post to be searched, with the fingerprint of its version. */
export interface VersionedPost extends SearchedPost {
  version: string
}

/** The order of a project's posts in its search, by their versions. */
interface SearchOrder {
  projectId: number
  versions: readonly string[]
}

/** The memory of a reading thread: posts by their versions, and the search of each project. */
class SearchedPosts {
  private readonly posts = new Map<string, VersionedPost>()
  private readonly searches = new Map<
    number,
    { versions: readonly string[]; find: PostSearch<VersionedPost> }
  >()

  learn(posts: readonly VersionedPost[]): void {
    for (const post of posts) this.posts.set(post.version, post)
  }

  /** Replaces the search of a project, and forgets the posts that no project has any more. False if a post is unknown. */
  async order({ projectId, versions }: SearchOrder): Promise<boolean> {
    const posts = versions.flatMap((version) => this.posts.get(version) ?? [])
    this.searches.set(projectId, { versions, find: await createSearch(posts, async () => {}) })
    // the search has its words
    for (const post of posts) post.body = ''
    const used = new Set([...this.searches.values()].flatMap((search) => search.versions))
    for (const version of this.posts.keys()) if (!used.has(version)) this.posts.delete(version)
    return posts.length === versions.length
  }

  /** The ids of the posts with these words; undefined for an unknown project. */
  async find(projectId: number, words: string): Promise<string[] | undefined> {
    const found = await this.searches.get(projectId)?.find(words)
    return found?.map(({ id }) => id)
  }
}

/** The work that whole texts take, by its name. */
export function openReadingTasks() {
  const searched = new SearchedPosts()
  return {
    opening: (body: string): string => openingText(body),
    feedHtml: ({ body, origin }: { body: string; origin: string }): string =>
      htmlOf(readMarkdownOnce(body), origin),
    learn: (posts: readonly VersionedPost[]): void => searched.learn(posts),
    order: (order: SearchOrder): Promise<boolean> => searched.order(order),
    find: ({ projectId, words }: { projectId: number; words: string }): Promise<string[] | undefined> =>
      searched.find(projectId, words),
  }
}

export type ReadingTasks = ReturnType<typeof openReadingTasks>
