import { pathOf, placeOf } from '../addresses'
import { addressOf, type Author, type Post, type Trial } from '../post'
import { destinationOf, type KeptRedirect } from '../redirects'
import { type Search, searchAmong } from '../search'

/** A post that stands at another's address, or a file that cannot be read: whoever wrote it is told. */
export interface PostProblem {
  /** Of the post, as in `Post`. */
  id: string
  message: string
}

interface Contents {
  /** From the studio and from a folder. */
  posts: readonly Post[]
  authors: readonly Author[]
  redirects: readonly KeptRedirect[]
}

/** Whatever a project's readers may see now or will see some day, put in order once a change. */
export class Shelf {
  readonly authors: readonly Author[]
  readonly problems: readonly PostProblem[]
  readonly trials: readonly Trial[]
  private readonly row: Readonly<Record<Post['kind'], Row>>
  private readonly everything: Row
  private readonly byPlace: ReadonlyMap<string, Post>
  private readonly redirects: ReadonlyMap<string, string>
  private found: Search | undefined

  constructor({ posts, authors, redirects }: Contents) {
    const { byPlace, problems } = placed(posts.filter(isMeantForReaders))
    const all = [...byPlace.values()].toSorted(newestFirst)
    this.authors = authors
    this.problems = problems
    this.trials = all.flatMap(({ trial }) => (trial?.state.name === 'running' ? [trial] : []))
    this.byPlace = byPlace
    this.everything = new Row(all)
    this.row = {
      post: new Row(all.filter(({ kind }) => kind === 'post')),
      page: new Row(all.filter(({ kind }) => kind === 'page')),
    }
    this.redirects = leading(redirects, all)
  }

  visible(kind: Post['kind'], now: Date): readonly Post[] {
    return this.row[kind].until(now)
  }

  at(path: string, now: Date): Post | undefined {
    const post = this.byPlace.get(path)
    return post && isVisible(post, now) ? post : undefined
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

  search(words: string, now: Date): Post[] {
    this.found ??= searchAmong(this.everything.all)
    return this.found(words).filter((post) => isVisible(post, now))
  }

  nextChangeAt(now: Date): Date | undefined {
    return this.everything.nextAfter(now)
  }
}

/** Newest first, those to come among them. Between two of their times everybody is handed the same list. */
class Row {
  private cut: { from: number; list: readonly Post[] } | undefined

  constructor(readonly all: readonly Post[]) {}

  until(now: Date): readonly Post[] {
    const from = this.firstVisible(now)
    if (this.cut?.from !== from) this.cut = { from, list: this.all.slice(from) }
    return this.cut.list
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

/** Several may appear at one instant: then the one that was begun last comes first, in every process. */
const newestFirst = (one: Post, other: Post): number =>
  timeOf(other) - timeOf(one) ||
  other.createdAt.getTime() - one.createdAt.getTime() ||
  other.id.localeCompare(one.id, 'en', { numeric: true })

const isMeantForReaders = ({ archivedAt, publishedAt }: Post): boolean =>
  !archivedAt && publishedAt !== undefined

const isVisible = (post: Post, now: Date): boolean => timeOf(post) <= now.getTime()

/** The studio's stand first: a file does not take the place of what somebody wrote in here. */
function placed(posts: readonly Post[]): { byPlace: Map<string, Post>; problems: PostProblem[] } {
  const byPlace = new Map<string, Post>()
  const problems: PostProblem[] = []
  const studioFirst = posts.toSorted((one, other) => Number(isFile(one)) - Number(isFile(other)))
  for (const post of studioFirst) {
    const place = placeOf(post)
    const there = byPlace.get(place)
    if (there) problems.push({ id: post.id, message: takenBy(there, place) })
    else byPlace.set(place, post)
  }
  return { byPlace, problems }
}

const isFile = ({ source }: Post): boolean => source === 'folder'

const takenBy = (there: Post, place: string): string =>
  there.source === 'studio'
    ? `“${there.title}”, written in the studio, is at ${place} already. Give the file another slug.`
    : `The file ${fileOf(there)} is at ${place} already. Give one of the two another slug.`

export const fileOf = ({ id }: Pick<Post, 'id'>): string => id.replace(/^file:/, '')

function leading(redirects: readonly KeptRedirect[], posts: readonly Post[]): Map<string, string> {
  const byId = new Map(posts.map((post) => [post.id, post]))
  const known = new Map<string, string>()
  for (const { from, leadsTo } of redirects) {
    const post = 'post' in leadsTo ? byId.get(leadsTo.post) : undefined
    const to = 'address' in leadsTo ? leadsTo.address : post && addressOf(post)
    if (to !== undefined) known.set(from, to)
  }
  return known
}
