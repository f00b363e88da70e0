import { isDemo } from '../projects/demo-project'
import { Directory } from '../projects/directory'
import type { Project } from '../projects/project'
import type { Projects } from '../projects/projects'
import { allProjects } from '../projects/store'
import type { Store } from '../store/store'
import type { World } from '../world/world'
import { pathOf, placeOf } from './addresses'
import type { Author, Post, Trial } from './post'
import { type PostProblem, Shelf } from './published/shelf'
import type { KeptRedirect } from './redirects'
import type { Site } from './site'
import { siteOf } from './sites'
import { everyAuthor, everyRedirect, everySite, everyStamp, postsNumbered } from './store'

/** Posts that are not written in the studio: a folder of Markdown files. */
export interface PostSource {
  /** With those that are drafts there. Always the same list until something changes. */
  posts(projectId: number): readonly Post[]
  authors?(projectId: number): readonly Author[]
  /** What could not be read, and why. */
  problems?(projectId: number): readonly PostProblem[]
  /** Hears the project whose files are others now. */
  onChange(listener: (projectId: number) => void): () => void
}

export const noFolder: PostSource = { posts: () => [], onChange: () => () => {} }

interface Ground {
  store: Store
  world: World
  /** Knows of a project that was made a moment ago. */
  projects: Pick<Projects, 'numbered' | 'at'>
  folder: PostSource
  /** Where Tilth itself is reached: a site is there where its project names no host. */
  addresses: readonly string[]
  onTrouble: (problem: unknown) => void
}

const topics: ReadonlySet<string> = new Set(['posts', 'sites', 'projects'])

/** The word of a change comes once, so what could not be read is tried again. */
const retryMs = 5000
/** A clock that was set, or a machine that slept, is noticed after so long. */
const longestNapMs = 60_000

/** All of it as it was last read. Never changed, only replaced. */
interface Known {
  directory: Directory
  posts: ReadonlyMap<number, Post>
  shelves: ReadonlyMap<number, { shelf: Shelf; fingerprint: string }>
  sites: ReadonlyMap<number, Site>
}

/** Of one project, what is kept in the store. */
interface Kept {
  posts: readonly Post[]
  authors: readonly Author[]
  redirects: readonly KeptRedirect[]
  settings: unknown
}

const nothingKnown: Known = {
  directory: new Directory([]),
  posts: new Map(),
  shelves: new Map(),
  sites: new Map(),
}
const bareShelf = new Shelf({ posts: [], authors: [], redirects: [] })

/** What everybody may read, of every project, in memory: asked for by each page there is. */
export class Published {
  private known = nothingKnown
  private readonly folderStates = new Map<number, number>()
  private readonly listeners = new Set<(projectId: number) => void>()
  private readonly stopListening: (() => void)[] = []
  private isStale = false
  private isClosed = false
  private reading: Promise<void> | undefined
  private retry: NodeJS.Timeout | undefined
  private alarm: NodeJS.Timeout | undefined
  /** Everybody was told of what appeared until then. */
  private toldUntil: Date

  private constructor(private readonly ground: Ground) {
    this.toldUntil = ground.world.now()
  }

  static async open(ground: Ground): Promise<Published> {
    const published = new Published(ground)
    published.stopListening.push(
      ground.store.onChange((topic) => {
        if (topics.has(topic)) void published.reload().catch(ground.onTrouble)
      }),
      ground.folder.onChange((projectId) => published.folderChanged(projectId)),
    )
    await published.reload()
    return published
  }

  /** Undefined where there is none: the project is archived, or its owners want no site. */
  site(projectId: number): Site | undefined {
    const site = this.known.sites.get(projectId) ?? this.newSite(projectId)
    return site?.isOn ? site : undefined
  }

  /** Whose site is at this host. A demo is shown only where there is nothing else. */
  siteAt(host: string): Site | undefined {
    const { directory } = this.known
    const project = directory.at(host) ?? usualAmong(directory.all) ?? this.ground.projects.at(host)
    return project && this.site(project.id)
  }

  /** Newest first. */
  posts(projectId: number, now: Date): readonly Post[] {
    return this.shelf(projectId).visible('post', now)
  }

  pages(projectId: number, now: Date): readonly Post[] {
    return this.shelf(projectId).visible('page', now)
  }

  bySlug(projectId: number, kind: Post['kind'], slug: string, now: Date): Post | undefined {
    const post = this.shelf(projectId).at(placeOf({ kind, slug }), now)
    return post?.kind === kind ? post : undefined
  }

  /** What stands at a path: decoded or not, with a slash at the end or without. */
  at(projectId: number, path: string, now: Date): Post | undefined {
    return this.shelf(projectId).at(pathOf(path), now)
  }

  /** From the root of the site: its own, and those that lead to it. */
  addressesOf(post: Post): string[] {
    return this.shelf(post.projectId).addressesOf(post)
  }

  /** Where whoever asks for this path is sent, as a header can say it; undefined where something is published. */
  redirectFor(projectId: number, path: string): string | undefined {
    const shelf = this.shelf(projectId)
    const place = pathOf(path)
    if (shelf.at(place, this.ground.world.now())) return undefined
    const to = shelf.destination(place)
    return to === undefined ? undefined : asHeader(to)
  }

  authors(projectId: number): readonly Author[] {
    return this.shelf(projectId).authors
  }

  /** Those under way, of what is published. */
  trials(projectId: number): readonly Trial[] {
    return this.shelf(projectId).trials
  }

  /** The best first. */
  search(projectId: number, words: string, now: Date): Post[] {
    return this.shelf(projectId).search(words, now)
  }

  /** When the next scheduled post appears. */
  nextChangeAt(projectId: number, now: Date): Date | undefined {
    return this.shelf(projectId).nextChangeAt(now)
  }

  /** Posts that cannot stand where they want to, and files that cannot be read. */
  problems(projectId: number): PostProblem[] {
    return [...this.shelf(projectId).problems, ...(this.ground.folder.problems?.(projectId) ?? [])]
  }

  /** Hears the project of which there is something else to read now, also when a post's time has come. */
  onChange(listener: (projectId: number) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** When every change that was announced until now is known here, or could not be read. */
  async caughtUp(): Promise<void> {
    await this.reading?.catch(() => {})
  }

  /** Tells of what has appeared since it was last told: by the clock, and by whoever sets the clock. */
  tellWhatAppeared(): void {
    const now = this.ground.world.now()
    for (const [projectId, { shelf }] of this.known.shelves) {
      const next = shelf.nextChangeAt(this.toldUntil)
      if (next && next <= now) this.tell(projectId)
    }
    this.toldUntil = now
    this.setAlarm()
  }

  async close(): Promise<void> {
    this.isClosed = true
    for (const stop of this.stopListening) stop()
    clearTimeout(this.retry)
    clearTimeout(this.alarm)
    this.listeners.clear()
    await this.caughtUp()
    clearTimeout(this.alarm)
  }

  private newSite(projectId: number): Site | undefined {
    const { projects, addresses } = this.ground
    if (this.known.directory.numbered(projectId)) return undefined
    const project = projects.numbered(projectId)
    return project && siteOf(project, undefined, addresses)
  }

  private shelf(projectId: number): Shelf {
    return this.known.shelves.get(projectId)?.shelf ?? bareShelf
  }

  private tell(projectId: number): void {
    for (const listener of this.listeners) listener(projectId)
  }

  private setAlarm(): void {
    clearTimeout(this.alarm)
    if (this.isClosed) return
    const now = this.ground.world.now()
    const times = Array.from(this.known.shelves.values(), ({ shelf }) => shelf.nextChangeAt(now)?.getTime())
    const next = Math.min(...times.map((time) => time ?? Infinity))
    if (next === Infinity) return
    const waitMs = Math.min(next - now.getTime(), longestNapMs)
    this.alarm = setTimeout(() => this.tellWhatAppeared(), waitMs).unref()
  }

  private folderChanged(projectId: number): void {
    this.folderStates.set(projectId, (this.folderStates.get(projectId) ?? 0) + 1)
    void this.reload().catch(this.ground.onTrouble)
  }

  /** Reads what changed; whoever asks while that is done waits for the reading after it. */
  private async reload(): Promise<void> {
    this.isStale = true
    this.reading ??= this.readUntilFresh().finally(() => (this.reading = undefined))
    await this.reading
  }

  private async readUntilFresh(): Promise<void> {
    try {
      while (this.isStale) {
        this.isStale = false
        this.take(await this.read())
      }
    } catch (problem) {
      this.tryAgainLater()
      throw problem
    }
  }

  private tryAgainLater(): void {
    clearTimeout(this.retry)
    if (this.isClosed) return
    this.retry = setTimeout(() => void this.reload().catch(this.ground.onTrouble), retryMs).unref()
  }

  private take(known: Known): void {
    const before = this.known
    this.known = known
    for (const [projectId, { shelf }] of known.shelves)
      if (before.shelves.get(projectId)?.shelf !== shelf) this.tell(projectId)
    this.setAlarm()
  }

  private async read(): Promise<Known> {
    const { store, addresses } = this.ground
    const posts = await this.readPosts()
    const byProject = Map.groupBy(posts.values(), ({ projectId }) => projectId)
    const authors = await everyAuthor(store)
    const redirects = await everyRedirect(store)
    const settings = await everySite(store)
    // asked of the store, for what is in memory may not have heard of the same change yet
    const directory = new Directory(await allProjects(store))
    const live = directory.all.filter(({ archivedAt }) => !archivedAt)
    const keptOf = ({ id }: Project): Kept => ({
      posts: byProject.get(id) ?? [],
      authors: authors.get(id) ?? [],
      redirects: redirects.get(id) ?? [],
      settings: settings.get(id),
    })
    return {
      directory,
      posts,
      shelves: new Map(live.map((project) => [project.id, this.shelved(project, keptOf(project))])),
      sites: new Map(
        live.map((project) => [project.id, siteOf(project, settings.get(project.id), addresses)]),
      ),
    }
  }

  /** Bodies are large, and most stay as they are: only what has another version than the one known is read. */
  private async readPosts(): Promise<Map<number, Post>> {
    const { store } = this.ground
    const stamps = await everyStamp(store)
    const changed = stamps.filter(({ id, version }) => this.known.posts.get(id)?.version !== version)
    const read = await postsNumbered(
      store,
      changed.map(({ id }) => id),
    )
    return new Map([...this.known.posts, ...read.map((post): [number, Post] => [Number(post.id), post])])
  }

  /** The same shelf as before, where the same stands on it. */
  private shelved(project: Project, kept: Kept): { shelf: Shelf; fingerprint: string } {
    const { id } = project
    const fingerprint = fingerprintOf(project, kept, this.folderStates.get(id))
    const known = this.known.shelves.get(id)
    if (known?.fingerprint === fingerprint) return known
    const { folder } = this.ground
    const authors = [...kept.authors, ...(folder.authors?.(id) ?? [])]
    const shelf = new Shelf({
      posts: [...kept.posts, ...folder.posts(id)],
      authors: authors.filter(({ slug }, place) => authors.findIndex((one) => one.slug === slug) === place),
      redirects: kept.redirects,
    })
    return { shelf, fingerprint }
  }
}

function usualAmong(all: readonly Project[]): Project | undefined {
  const live = all.filter(({ archivedAt }) => !archivedAt)
  return live.find((project) => !isDemo(project)) ?? live[0]
}

const fingerprintOf = (project: Project, { posts, ...kept }: Kept, folderState: number | undefined): string =>
  JSON.stringify([project, kept, posts.map(({ id, version }) => [id, version]), folderState])

/** Headers are written in ASCII. */
function asHeader(to: string): string {
  const { href, origin } = new URL(to, 'http://here.invalid')
  return origin === 'http://here.invalid' ? href.slice(origin.length) : href
}
