import { hash } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { atom, type FeedEntryText, type FeedDetails, jsonFeed, maxFeedEntries, rss } from './feeds'
import { type LlmsLists, llmsLists, type LlmsPage, llmsText } from './llms'
import { heapShare } from '#world/heap-share'
import type { Post } from './post'
import type { Published } from './published/published'
import { openReadingTasks, type ReadingTasks } from './reading/internal/reading-tasks'
import type { ReadingThread } from './reading/reading-thread'
import { readingMinutes } from './internal/reading-time'
import { createSearch, type PostSearch, searchTexts } from './search'
import type { Site } from './site'
import type { SummaryFile } from './internal/summary-file'

interface PreparedContentDependencies {
  published: Pick<
    Published,
    'everything' | 'posts' | 'pages' | 'site' | 'projectIds' | 'onChange' | 'authors'
  >
  now: () => Date
  onTrouble: (problem: unknown) => void
  /** Keeps summaries for the time after a restart. */
  file?: Pick<SummaryFile, 'read' | 'write'> | undefined
  /** Lets other requests be served. */
  yieldToOthers?: () => Promise<unknown>
  /** The duration of a slice of work; 0 yields after each post. */
  sliceMs?: number
  /** The limit of a reader's wait for the first text. The front allows pages ten seconds. */
  maxWaitMs?: number
}

/** The parts of a post's body that lists show. */
export interface BodySummary {
  /** The beginning; the post's own excerpt takes precedence. */
  opening: string
  minutes: number
}

/** A text computed from all published posts of a project. */
interface PreparedText {
  text: string
  /** False while a newer one is being prepared. */
  isCurrent: boolean
}

/** The results for one state of a project's posts. */
interface PreparedSite {
  llms: LlmsLists
  search: PostSearch
}

const feedWriters = { json: jsonFeed, rss, atom }
export type FeedForm = keyof typeof feedWriters

const usualMaxWaitMs = 5000
/** Shorter than rendering a page. A shorter slice would starve the preparation under constant traffic. */
const usualSliceMs = 15
const maxHtmlLetters = Math.min(10_000_000, heapShare(0.02))
/** A cache with `max` would allocate the room of every entry at once, 2 MB here. */
const summaryCacheSize = { maxSize: 50_000, sizeCalculation: () => 1 }

/**
 * Content computed from all posts of a project: `llms.txt`, the search index, excerpts and feed texts. Reading two
 * thousand posts takes ten seconds of processor time. So it runs in the background after each change: in a thread of
 * its own where there is memory for one, otherwise some milliseconds at a time, with other requests in between.
 * Summaries are cached by the hash of the body, so a changed post costs one reading. The previous state is served while
 * a new one is prepared.
 */
export class PreparedContent {
  private readonly sites = new Map<number, PreparedSite>()
  private readonly firstPreparations = new Map<number, PromiseWithResolvers<void>>()
  private readonly outdated = new Set<number>()
  private readonly openings = new LRUCache<string, string>(summaryCacheSize)
  private readonly html = new LRUCache<string, string>({
    maxSize: maxHtmlLetters,
    sizeCalculation: (html, key) => html.length + key.length,
  })
  private readonly hashes = new WeakMap<Post, string>()
  private reading: Promise<void> | undefined
  private readonly stopListening: () => void
  private preparing: { projectId: number } | undefined
  private preparesAll = false
  private isClosed = false
  private sliceStartedAt = Number.NEGATIVE_INFINITY
  private preparation: Promise<void> | undefined
  private readonly tasks = openReadingTasks()
  private thread: Pick<ReadingThread, 'run' | 'createSearch' | 'close'> | undefined

  constructor(private readonly dependencies: PreparedContentDependencies) {
    this.stopListening = dependencies.published.onChange((projectId) => {
      if (this.preparesAll || this.firstPreparations.has(projectId)) this.markOutdated(projectId)
    })
  }

  /**
   * Prepares every project now and after each change, in the process that renders pages. Texts are read in the thread, if
   * there is one.
   */
  prepareAll(thread?: PreparedContent['thread']): void {
    this.thread = thread
    this.preparesAll = true
    for (const projectId of this.dependencies.published.projectIds()) this.markOutdated(projectId)
  }

  /** Undefined if the first preparation takes longer than a reader waits. The text names other pages of the site as well. */
  async llms(projectId: number, others: readonly LlmsPage[] = []): Promise<PreparedText | undefined> {
    const { maxWaitMs = usualMaxWaitMs } = this.dependencies
    await Promise.race([this.first(projectId), pause(maxWaitMs, undefined, { ref: false })])
    const prepared = this.sites.get(projectId)
    if (!prepared) return undefined
    const site = this.dependencies.published.site(projectId)
    const text = site ? llmsText(site, prepared.llms, others) : ''
    return { text, isCurrent: this.isCurrent(projectId) }
  }

  /** Returns posts, the best match first. Until the first index is there, words are matched exactly. */
  async search(projectId: number, words: string, now: Date): Promise<Post[]> {
    const { published } = this.dependencies
    void this.first(projectId)
    const search =
      this.sites.get(projectId)?.search ??
      searchTexts(published.everything(projectId), () => this.yieldWhenDue())
    const found = await search(words)
    // the index may be older than the posts, so unpublished posts are filtered out
    const visible = [...published.posts(projectId, now), ...published.pages(projectId, now)]
    const byId = new Map(visible.map((post) => [post.id, post]))
    return found.flatMap(({ id }) => byId.get(id) ?? [])
  }

  /** Returns a summary of each post, in the same order. */
  async summaries(posts: readonly Post[]): Promise<BodySummary[]> {
    await this.readFile()
    const summaries: BodySummary[] = []
    for (const post of posts)
      summaries.push({ opening: await this.openingOf(post), minutes: readingMinutes(post.body) })
    return summaries
  }

  /** Returns a feed of these posts. */
  async feed(form: FeedForm, site: Site, posts: readonly Post[], feed: FeedDetails): Promise<string> {
    const listed = posts.slice(0, maxFeedEntries)
    const texts = new Map<Post, FeedEntryText>()
    for (const post of listed)
      texts.set(post, { summary: await this.excerpt(post), html: await this.htmlFor(post, site) })
    const textOf = (post: Post): FeedEntryText => texts.get(post) ?? { summary: '', html: '' }
    return feedWriters[form](site, listed, feed, textOf)
  }

  /** Resolves once everything outdated is prepared. */
  async settled(): Promise<void> {
    await this.preparation
  }

  async close(): Promise<void> {
    this.isClosed = true
    this.stopListening()
    await this.preparation
    await this.thread?.close()
    // with what was summarized since the last change
    if (this.reading) await this.keepSummaries().catch(this.dependencies.onTrouble)
  }

  private first(projectId: number): Promise<void> {
    const known = this.firstPreparations.get(projectId)
    if (known && (this.sites.has(projectId) || !this.isCurrent(projectId))) return known.promise
    const first = known ?? Promise.withResolvers<void>()
    this.firstPreparations.set(projectId, first)
    this.markOutdated(projectId)
    return first.promise
  }

  private isCurrent(projectId: number): boolean {
    return !this.outdated.has(projectId) && this.preparing?.projectId !== projectId
  }

  private markOutdated(projectId: number): void {
    if (this.isClosed) return
    if (!this.firstPreparations.has(projectId))
      this.firstPreparations.set(projectId, Promise.withResolvers<void>())
    this.outdated.add(projectId)
    this.preparation ??= this.prepareOutdated().finally(() => (this.preparation = undefined))
  }

  private async prepareOutdated(): Promise<void> {
    // `published` calls this listener before its other listeners have run
    await this.yieldToOthers()
    do {
      for (const projectId of this.outdated) {
        this.outdated.delete(projectId)
        this.preparing = { projectId }
        await this.replace(projectId).catch(this.dependencies.onTrouble)
        this.preparing = undefined
      }
      await this.keepSummaries().catch(this.dependencies.onTrouble)
      // posts may have changed while the file was written
    } while (this.outdated.size > 0)
  }

  /** Reads the file once, before the first summary is needed. */
  private readFile(): Promise<void> {
    return (this.reading ??= this.readStored().catch(this.dependencies.onTrouble))
  }

  private async readStored(): Promise<void> {
    for (const [key, opening] of (await this.dependencies.file?.read()) ?? []) this.openings.set(key, opening)
  }

  /** Writes the summaries of the posts that there are. */
  private async keepSummaries(): Promise<void> {
    const { file, published } = this.dependencies
    if (!file) return
    const summaries = new Map<string, string>()
    for (const post of published.projectIds().flatMap((id) => published.everything(id))) {
      const key = this.hashOf(post)
      const opening = this.openings.peek(key)
      if (opening !== undefined) summaries.set(key, opening)
    }
    await file.write(summaries)
  }

  private async replace(projectId: number): Promise<void> {
    const prepared = await this.prepare(projectId)
    if (!prepared) return
    this.sites.set(projectId, prepared)
    this.firstPreparations.get(projectId)?.resolve()
  }

  /** Undefined if it was stopped because Tilth shuts down. */
  private async prepare(projectId: number): Promise<PreparedSite | undefined> {
    const { published, now } = this.dependencies
    await this.readFile()
    const all = published.everything(projectId)
    const excerpts = new Map<Post, string>()
    for (const post of all) {
      if (this.isClosed) return undefined
      excerpts.set(post, await this.excerpt(post))
    }
    const search = await this.searchFor(projectId, all)
    const site = published.site(projectId)
    const at = now()
    const excerptFor = (post: Post): string => excerpts.get(post) ?? post.excerpt
    const llms = site
      ? llmsLists(site, published.posts(projectId, at), published.pages(projectId, at), excerptFor)
      : { pages: [], posts: [] }
    return { llms, search }
  }

  private async searchFor(projectId: number, all: readonly Post[]): Promise<PostSearch> {
    const yieldWhenDue = () => this.yieldWhenDue()
    if (!this.thread) return await createSearch(all, yieldWhenDue)
    return await this.thread.createSearch(projectId, all, searchTexts(all, yieldWhenDue))
  }

  private async excerpt(post: Post): Promise<string> {
    return post.excerpt || (await this.openingOf(post))
  }

  private openingOf(post: Post): Promise<string> {
    return this.memoize(this.openings, this.hashOf(post), () => this.read('opening', post.body))
  }

  private htmlFor(post: Post, { origin }: Site): Promise<string> {
    const key = `${this.hashOf(post)} ${origin}`
    return this.memoize(this.html, key, () => this.read('feedHtml', { body: post.body, origin }))
  }

  private async memoize(
    cache: LRUCache<string, string>,
    key: string,
    make: () => Promise<string>,
  ): Promise<string> {
    const known = cache.get(key)
    if (known !== undefined) return known
    const value = await make()
    cache.set(key, value)
    return value
  }

  /** Reads a text in the thread, or here after other requests. */
  private async read<Task extends 'opening' | 'feedHtml'>(
    task: Task,
    input: Parameters<ReadingTasks[Task]>[0],
  ): Promise<string> {
    const answer = await this.thread?.run(task, input)
    if (answer !== undefined) return answer
    await this.yieldWhenDue()
    // a task and its input belong together
    return (this.tasks[task] as (of: typeof input) => string)(input)
  }

  private hashOf(post: Post): string {
    const known = this.hashes.get(post)
    if (known !== undefined) return known
    const made = hash('sha256', post.body, 'base64url')
    this.hashes.set(post, made)
    return made
  }

  private async yieldWhenDue(): Promise<void> {
    const { sliceMs = usualSliceMs } = this.dependencies
    if (performance.now() - this.sliceStartedAt >= sliceMs) await this.yieldToOthers()
  }

  private async yieldToOthers(): Promise<void> {
    await (this.dependencies.yieldToOthers ?? nextTurn)()
    this.sliceStartedAt = performance.now()
  }
}
