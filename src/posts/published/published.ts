import { usualProject } from '#projects/demo-project'
import { ProjectDirectory } from '#projects/directory'
import type { Project } from '#projects/project'
import type { Projects } from '#projects/projects'
import { allProjects } from '#projects/store'
import { LiveCopy, listenByProject } from '#store/live-copy'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { asciiLocation, pathOf, pathOfPost } from '../addresses'
import { withBodyOutsideHeap } from '../internal/memory'
import type { Author, Post, Trial } from '../post'
import { partFingerprint } from './internal/content-parts'
import { type PostProblem, PublishedIndex } from './internal/published-index'
import type { StoredRedirect } from '../redirects'
import { ShownContent } from './internal/shown-content'
import type { Site } from '../site'
import { allSites, siteOf } from '../internal/sites'
import { allStamps, findPublicPosts } from '../internal/store'
import { allAuthors } from '../internal/stored-authors'
import { allRedirects } from '../internal/stored-redirects'

/** A source of posts outside the studio: a folder of Markdown files. */
export interface PostSource {
  /** Returns the posts, drafts included. The list is the same object until something changes. */
  posts(projectId: number): readonly Post[]
  authors?(projectId: number): readonly Author[]
  /** Returns the files that could not be read, with reasons. */
  problems?(projectId: number): readonly PostProblem[]
  /** Calls the listener with the id of a project whose files have changed. */
  onChange(listener: (projectId: number) => void): () => void
}

export const noFolder: PostSource = { posts: () => [], onChange: () => () => {} }

interface Dependencies {
  store: Store
  world: World
  /** Includes projects that were just created. */
  projects: Pick<Projects, 'numbered' | 'at'>
  folder: PostSource
  /** The addresses of this Tilth, which serve sites of projects without a host. */
  addresses: readonly string[]
  /** The origin below which each site has a preview address. */
  previews?: string | undefined
  onTrouble: (problem: unknown) => void
}

const retryMs = 5000
/** A changed clock, or a machine that was asleep, is noticed after this time. */
const maxTimerMs = 60_000

/** The state as last read. It is replaced as a whole, never changed. */
interface PublishedState {
  directory: ProjectDirectory
  posts: ReadonlyMap<number, Post>
  indexes: ReadonlyMap<number, { index: PublishedIndex; fingerprint: string }>
  sites: ReadonlyMap<number, Site>
  /** The projects whose sites have a URL, by its host. */
  byUrl: ReadonlyMap<string, number>
}

/** The stored content of one project. */
interface StoredContent {
  posts: readonly Post[]
  authors: readonly Author[]
  redirects: readonly StoredRedirect[]
  settings: unknown
}

const emptyState: PublishedState = {
  directory: new ProjectDirectory([]),
  posts: new Map(),
  indexes: new Map(),
  sites: new Map(),
  byUrl: new Map(),
}
const emptyIndex = new PublishedIndex({ posts: [], authors: [], redirects: [] })

/** Keeps all published content of all projects in memory, because every page needs it. */
export class Published {
  private readonly copy: LiveCopy<PublishedState>
  private readonly folderStates = new Map<number, number>()
  private readonly appearanceListeners = new Set<(projectId: number) => void>()
  private readonly stopListening: () => void
  private isClosed = false
  private nextChangeTimer: NodeJS.Timeout | undefined
  /** Posts that appeared up to this time have been announced to listeners. */
  private announcedUntil: Date

  private constructor(private readonly dependencies: Dependencies) {
    const { store, world, folder, onTrouble } = dependencies
    this.announcedUntil = world.now()
    this.copy = new LiveCopy({
      store,
      topics: ['posts', 'sites', 'projects'],
      initial: emptyState,
      read: (last) => this.read(last),
      onTrouble,
      retryMs,
    })
    this.copy.onChange(() => this.scheduleNextChange())
    this.stopListening = folder.onChange((projectId) => this.folderChanged(projectId))
  }

  static async open(dependencies: Dependencies): Promise<Published> {
    const published = new Published(dependencies)
    await published.copy.reload()
    return published
  }

  /** Returns undefined if the project is archived or has its site turned off. */
  site(projectId: number): Site | undefined {
    const site = this.copy.value.sites.get(projectId) ?? this.newSite(projectId)
    return site?.isOn ? site : undefined
  }

  /** The site at a host. A demo is served only if there is no other site. */
  siteAt(host: string): Site | undefined {
    const { directory } = this.copy.value
    const claiming = directory.isClaimed(host)
      ? directory.at(host)?.id
      : this.copy.value.byUrl.get(comparable(host))
    const other = (): number | undefined =>
      (usualProject(directory.all) ?? this.dependencies.projects.at(host))?.id
    const projectId = claiming ?? other()
    return projectId === undefined ? undefined : this.site(projectId)
  }

  /** Returns an origin for browsers; undefined if the site's URL leads to another project's, or it is off. */
  openableOrigin({
    projectId,
    isOn,
    origin,
  }: Pick<Site, 'projectId' | 'isOn' | 'origin'>): string | undefined {
    const leadsHere = origin !== '' && this.siteAt(new URL(origin).host)?.projectId === projectId
    return isOn && leadsHere ? origin : undefined
  }

  /** The project whose site is at Tilth's own URL. */
  rootProject(): Project | undefined {
    return rootProject(this.copy.value.directory, this.dependencies.addresses)
  }

  /** Returns posts, the newest first. */
  posts(projectId: number, now: Date): readonly Post[] {
    return this.indexOf(projectId).visible('post', now)
  }

  pages(projectId: number, now: Date): readonly Post[] {
    return this.indexOf(projectId).visible('page', now)
  }

  bySlug(projectId: number, kind: Post['kind'], slug: string, now: Date): Post | undefined {
    const post = this.indexOf(projectId).at(pathOfPost({ kind, slug }), now)
    return post?.kind === kind ? post : undefined
  }

  /** Returns the content of a path, decoded or not, with or without a trailing slash. */
  at(projectId: number, path: string, now: Date): Post | undefined {
    return this.indexOf(projectId).at(pathOf(path), now)
  }

  /** Returns the post's own path and those that redirect to it. */
  addressesOf(post: Post): string[] {
    return this.indexOf(post.projectId).addressesOf(post)
  }

  /** The redirect for a path, as a value for a Location header; undefined if content is published there. */
  redirectFor(projectId: number, path: string): string | undefined {
    const index = this.indexOf(projectId)
    const place = pathOf(path)
    if (index.at(place, this.dependencies.world.now())) return undefined
    const to = index.destination(place)
    return to === undefined ? undefined : asciiLocation(to)
  }

  /** Returns a post and its translations. */
  translations(post: Post, now: Date): readonly Post[] {
    return this.indexOf(post.projectId).translations(post, now)
  }

  authors(projectId: number): readonly Author[] {
    return this.indexOf(projectId).authors
  }

  /** Returns the running trials of published posts. */
  trials(projectId: number): readonly Trial[] {
    return this.indexOf(projectId).trials
  }

  /**
   * Returns the fingerprint of a part of what is visible, such as `post 42`: a `ContentPart`. It is equal in every process
   * that has the same content. Undefined if there is no such part, as for a post that was taken back.
   */
  fingerprint(projectId: number, part: string, now: Date): string | undefined {
    const site = this.site(projectId)
    const index = this.indexOf(projectId)
    return site && partFingerprint(part, index.contentAt(site, now))
  }

  /** The content as a page reads it: `note` is called with what the page uses. */
  shownContent(note: (part: string, fingerprint: string) => void): ShownContent {
    return new ShownContent(this, note)
  }

  /** Returns published and scheduled posts. The list is the same object until something changes. */
  everything(projectId: number): readonly Post[] {
    return this.indexOf(projectId).all
  }

  /** The ids of projects that are not archived. */
  projectIds(): number[] {
    return [...this.copy.value.indexes.keys()]
  }

  /** When the next scheduled post appears. */
  nextChangeAt(projectId: number, now: Date): Date | undefined {
    return this.indexOf(projectId).nextChangeAt(now)
  }

  /** Returns posts with conflicting addresses, and files that cannot be read. */
  problems(projectId: number): PostProblem[] {
    return [...this.indexOf(projectId).problems, ...(this.dependencies.folder.problems?.(projectId) ?? [])]
  }

  /**
   * Calls the listener with the id of a project whose public content has changed, also when a scheduled post appears.
   */
  onChange(listener: (projectId: number) => void): () => void {
    const stop = this.copy.onChange(listenByProject(({ indexes }) => indexes, listener))
    this.appearanceListeners.add(listener)
    return () => {
      stop()
      this.appearanceListeners.delete(listener)
    }
  }

  get staleMs(): number {
    return this.copy.staleMs
  }

  /** Resolves once every change announced until now is loaded, or failed to load. */
  async caughtUp(): Promise<void> {
    await this.copy.caughtUp()
  }

  /** Announces posts that have appeared since the last call. A timer calls it, and tests that set the clock. */
  tellWhatAppeared(): void {
    const now = this.dependencies.world.now()
    for (const [projectId, { index }] of this.copy.value.indexes) {
      const next = index.nextChangeAt(this.announcedUntil)
      if (next && next <= now) for (const listener of this.appearanceListeners) listener(projectId)
    }
    this.announcedUntil = now
    this.scheduleNextChange()
  }

  async close(): Promise<void> {
    this.isClosed = true
    this.stopListening()
    this.appearanceListeners.clear()
    await this.copy.close()
    clearTimeout(this.nextChangeTimer)
  }

  private newSite(projectId: number): Site | undefined {
    const { projects, addresses, previews } = this.dependencies
    if (this.copy.value.directory.numbered(projectId)) return undefined
    const project = projects.numbered(projectId)
    return project && siteOf(project, undefined, { addresses, previews, root: this.rootProject() })
  }

  private indexOf(projectId: number): PublishedIndex {
    return this.copy.value.indexes.get(projectId)?.index ?? emptyIndex
  }

  private scheduleNextChange(): void {
    clearTimeout(this.nextChangeTimer)
    if (this.isClosed) return
    const now = this.dependencies.world.now()
    const times = Array.from(this.copy.value.indexes.values(), ({ index }) =>
      index.nextChangeAt(now)?.getTime(),
    )
    const next = Math.min(...times.map((time) => time ?? Infinity))
    if (next === Infinity) return
    const waitMs = Math.min(next - now.getTime(), maxTimerMs)
    this.nextChangeTimer = setTimeout(() => this.tellWhatAppeared(), waitMs).unref()
  }

  private folderChanged(projectId: number): void {
    this.folderStates.set(projectId, (this.folderStates.get(projectId) ?? 0) + 1)
    this.copy.reloadSoon()
  }

  private async read(last: PublishedState): Promise<PublishedState> {
    const { store, addresses, previews } = this.dependencies
    const posts = await this.readPosts(last.posts)
    const byProject = Map.groupBy(posts.values(), ({ projectId }) => projectId)
    const authors = await allAuthors(store)
    const redirects = await allRedirects(store)
    const settings = await allSites(store)
    // reads the store, because the in-memory projects may not have loaded the same change yet
    const directory = new ProjectDirectory(await allProjects(store), previews)
    const live = directory.all.filter(({ archivedAt }) => !archivedAt)
    const contentOf = ({ id }: Project): StoredContent => ({
      posts: byProject.get(id) ?? [],
      authors: authors.get(id) ?? [],
      redirects: redirects.get(id) ?? [],
      settings: settings.get(id),
    })
    const where = { addresses, previews, root: rootProject(directory, addresses) }
    const sites = live.map((project) => siteOf(project, settings.get(project.id), where))
    return {
      directory,
      posts,
      indexes: new Map(live.map((project) => [project.id, this.indexFor(project, contentOf(project))])),
      sites: new Map(sites.map((site) => [site.projectId, site])),
      byUrl: new Map(
        sites
          .filter(({ address }) => address !== '')
          .map(({ address, projectId }) => [new URL(address).host, projectId]),
      ),
    }
  }

  /** Bodies are large and seldom change, so only posts with a new version are read. */
  private async readPosts(known: PublishedState['posts']): Promise<Map<number, Post>> {
    const { store } = this.dependencies
    const stamps = await allStamps(store)
    const changed = stamps.filter(({ id, version }) => known.get(id)?.version !== version)
    const read = await findPublicPosts(
      store,
      changed.map(({ id }) => id),
    )
    return new Map([
      ...known,
      ...read.map((post): [number, Post] => [Number(post.id), withBodyOutsideHeap(post)]),
    ])
  }

  /** Reuses the index if the content is the same. */
  private indexFor(project: Project, content: StoredContent): { index: PublishedIndex; fingerprint: string } {
    const { id } = project
    const fingerprint = fingerprintOf(project, content, this.folderStates.get(id))
    const known = this.copy.value.indexes.get(id)
    if (known?.fingerprint === fingerprint) return known
    const { folder } = this.dependencies
    const authors = [...content.authors, ...(folder.authors?.(id) ?? [])]
    const index = new PublishedIndex({
      posts: [...content.posts, ...folder.posts(id)],
      authors: authors.filter(({ slug }, place) => authors.findIndex((one) => one.slug === slug) === place),
      redirects: content.redirects,
    })
    return { index, fingerprint }
  }
}

/** A host as URLs write it: in lower case, without the default port and a final dot. */
const comparable = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:(?:80|443)$/, '')
    .replace(/\.(?=:|$)/, '')

function rootProject(directory: ProjectDirectory, [address]: readonly string[]): Project | undefined {
  const claiming = address === undefined ? undefined : directory.at(new URL(address).host)
  return claiming ?? usualProject(directory.all)
}

const fingerprintOf = (
  project: Project,
  { posts, ...content }: StoredContent,
  folderState: number | undefined,
): string => JSON.stringify([project, content, posts.map(({ id, version }) => [id, version]), folderState])
