import { pathOf, pathOfPost } from '../../addresses'
import { addressOf, type Author, type Post, type Trial } from '../../post'
import { translationKey } from '../../languages'
import { destinationOf, type StoredRedirect } from '../../redirects'
import type { Site } from '../../site'
import type { ContentState } from './content-parts'

/** A conflict of addresses, or an unreadable file, to report to the author. */
export interface PostProblem {
  /** The id of the post, as in `Post`. */
  id: string
  message: string
}

interface PublishedContent {
  /** The posts of the studio and of a folder. */
  posts: readonly Post[]
  authors: readonly Author[]
  redirects: readonly StoredRedirect[]
}

/** A project's published and scheduled posts, sorted once after each change. */
export class PublishedIndex {
  readonly authors: readonly Author[]
  readonly problems: readonly PostProblem[]
  readonly trials: readonly Trial[]
  private readonly timelines: Readonly<Record<Post['kind'], PostTimeline>>
  private readonly everything: PostTimeline
  private readonly byPath: ReadonlyMap<string, Post>
  private readonly byTranslation: ReadonlyMap<string, readonly Post[]>
  private readonly byId: ReadonlyMap<string, Post>
  private readonly redirects: ReadonlyMap<string, string>

  constructor({ posts, authors, redirects }: PublishedContent) {
    const { byPlace, problems } = indexByPath(posts.filter(isForReaders))
    const all = [...byPlace.values()].toSorted(newestFirst)
    this.authors = authors
    this.problems = problems
    this.trials = all.flatMap(({ trial }) => (trial?.state.name === 'running' ? [trial] : []))
    this.byPath = byPlace
    this.byTranslation = Map.groupBy(all, translationKey)
    this.byId = new Map(all.map((post) => [post.id, post]))
    this.everything = new PostTimeline(all)
    this.timelines = {
      post: new PostTimeline(all.filter(({ kind }) => kind === 'post')),
      page: new PostTimeline(all.filter(({ kind }) => kind === 'page')),
    }
    this.redirects = redirectDestinations(redirects, this.byId)
  }

  visible(kind: Post['kind'], now: Date): readonly Post[] {
    return this.timelines[kind].visibleAt(now)
  }

  at(path: string, now: Date): Post | undefined {
    const post = this.byPath.get(path)
    return post && isVisible(post, now) ? post : undefined
  }

  private byIdAt(id: string, now: Date): Post | undefined {
    const post = this.byId.get(id)
    return post && isVisible(post, now) ? post : undefined
  }

  contentAt(site: Site, now: Date): ContentState {
    const { authors } = this
    const [posts, pages] = [this.visible('post', now), this.visible('page', now)]
    return { posts, pages, authors, site, visiblePost: (id) => this.byIdAt(id, now) }
  }

  /** A post and its translations, by publication. */
  translations(post: Post, now: Date): readonly Post[] {
    return this.byTranslation.get(translationKey(post))?.filter((one) => isVisible(one, now)) ?? []
  }

  destination(path: string): string | undefined {
    return destinationOf(path, this.redirects)
  }

  addressesOf(post: Post): string[] {
    const own = addressOf(post)
    const place = pathOf(own)
    const leadHere = Array.from(this.redirects).filter(([, to]) => to.startsWith('/') && pathOf(to) === place)
    return [own, ...leadHere.map(([from]) => from)]
  }

  /** All posts, the newest first, scheduled ones included. */
  get all(): readonly Post[] {
    return this.everything.all
  }

  nextChangeAt(now: Date): Date | undefined {
    return this.everything.nextAfter(now)
  }
}

/** Posts sorted by date, scheduled ones included. Between two publication times all requests share one list. */
class PostTimeline {
  private currentSlice: { from: number; list: readonly Post[] } | undefined

  constructor(readonly all: readonly Post[]) {}

  visibleAt(now: Date): readonly Post[] {
    const from = this.firstVisible(now)
    if (this.currentSlice?.from !== from) this.currentSlice = { from, list: this.all.slice(from) }
    return this.currentSlice.list
  }

  nextAfter(now: Date): Date | undefined {
    return this.all[this.firstVisible(now) - 1]?.publishedAt
  }

  private firstVisible(now: Date): number {
    let [low, high] = [0, this.all.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (timeOf(this.all[middle]) > now.getTime()) low = middle + 1
      else high = middle
    }
    return low
  }
}

const timeOf = (post: Post | undefined): number => post?.publishedAt?.getTime() ?? 0

/** Posts of the same instant are ordered by creation, the latest first, in every process. */
const newestFirst = (one: Post, other: Post): number =>
  timeOf(other) - timeOf(one) ||
  other.createdAt.getTime() - one.createdAt.getTime() ||
  other.id.localeCompare(one.id, 'en', { numeric: true })

const isForReaders = ({ archivedAt, publishedAt }: Post): boolean => !archivedAt && publishedAt !== undefined

const isVisible = (post: Post, now: Date): boolean => timeOf(post) <= now.getTime()

/** Indexes posts by path. Posts of the studio come first: a file does not replace one of them. */
function indexByPath(posts: readonly Post[]): { byPlace: Map<string, Post>; problems: PostProblem[] } {
  const byPath = new Map<string, Post>()
  const problems: PostProblem[] = []
  const studioFirst = posts.toSorted((one, other) => Number(isFile(one)) - Number(isFile(other)))
  for (const post of studioFirst) {
    const place = pathOfPost(post)
    const existing = byPath.get(place)
    if (existing) problems.push({ id: post.id, message: addressConflict(existing, place) })
    else byPath.set(place, post)
  }
  return { byPlace: byPath, problems }
}

const isFile = ({ source }: Post): boolean => source === 'folder'

const addressConflict = (existing: Post, place: string): string =>
  existing.source === 'studio'
    ? `“${existing.title}”, written in the studio, is at ${place} already. Give the file another slug.`
    : `The file ${fileOf(existing)} is at ${place} already. Give one of the two another slug.`

export const fileOf = ({ id }: Pick<Post, 'id'>): string => id.replace(/^file:/, '')

function redirectDestinations(
  redirects: readonly StoredRedirect[],
  byId: ReadonlyMap<string, Post>,
): Map<string, string> {
  const known = new Map<string, string>()
  for (const { from, leadsTo } of redirects) {
    const post = 'post' in leadsTo ? byId.get(leadsTo.post) : undefined
    const to = 'address' in leadsTo ? leadsTo.address : post && addressOf(post)
    if (to !== undefined) known.set(from, to)
  }
  return known
}
