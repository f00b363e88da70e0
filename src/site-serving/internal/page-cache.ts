import type { OutgoingHttpHeaders } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { type Visit, visitHeader, writeVisit } from '#visits/visit'
import type { UnavailableReason } from '#http/error-page'
import type { RenderResponse } from '#http/forward'
import { contentSecurityPolicy, newNonce } from '#http/security-headers'
import { CacheGenerations } from './cache-generations'
import { toCachedPage, type CachedPage, compressWithBrotli, sizeOf } from './cached-page'
import { compareContent, type ContentMatch, flagsPart, isLive, type LivePart } from './shown-parts'
import { isUsesNote, usesNote } from './stored-page'
import type { PageFiles } from './page-files'
import type { PagesProcess } from '../pages-process'

interface PageCacheSettings {
  pages: Pick<PagesProcess, 'render'>
  maxBytes: number
  now: () => Date
  /** The next scheduled change of a project's site. */
  nextChangeAt: (projectId: number, now: Date) => Date | undefined
  /** The fingerprint of a part of the content as it is published now; undefined if it is not. */
  fingerprint: (projectId: number, part: string, now: Date) => string | undefined
  /** Pages on disk; without it, pages are in memory only. */
  files?: Pick<PageFiles, 'read' | 'write' | 'remove'>
  /** Reports errors of background renders. */
  onTrouble: (this: void, problem: unknown) => void
}

/** A requested page and the visit that requests it. */
export interface PageCacheRequest {
  /** The cache key: host, path and the relevant part of the query. */
  address: string
  visit: Visit
  /** False for a page of this visit only: it bypasses the cache. */
  isShared: boolean
  /** The request to the pages process. */
  path: string
  headers: OutgoingHttpHeaders
}

export interface ServedPage {
  page: CachedPage
  cacheStatus: 'hit' | 'miss' | 'stale'
}

/** Larger than the number of pages of a site, so that an address outlives its cached pages. */
const maxAddresses = 20_000
const maxMissing = 1000

interface CacheEntry extends CachedPage {
  freshUntil: number
  /** The content that the page was compared with, and the result. */
  checked: { generation: string; match: ContentMatch }
  /** The time before which the page is not rendered again: the pages process did not know the latest content. */
  waitsUntil: number
}

interface RenderedPage {
  page: CachedPage
  /** The visit it was rendered for. Visits with the same decisions share the page. */
  visit: Visit
}

/** The time that a visitor waits for a new rendering before the page is served as it was. */
const patienceMs = { changed: 1000, overdue: 3000, expired: 250 }
/** After a change, the time until which its page should be rendered again: later visitors wait longer for it. */
const overdueAfterMs = 10_000
const pagesBehindMs = 200

/**
 * Keeps rendered pages in memory and on disk. A page is fresh while the content that it shows is published unchanged. A
 * page whose content changed is served as it was for a moment while it is rendered again, and as long as the pages
 * process is unavailable; a page that shows something taken back is never served.
 */
export class PageCache {
  private readonly entries: LRUCache<string, CacheEntry>
  /** Files that are not there: apart, so that unknown addresses displace no page. */
  private readonly missing = new LRUCache<string, CacheEntry>({ max: maxMissing })
  /** The decisions that pages at an address used so far. */
  private readonly uses = new LRUCache<string, readonly string[]>({ max: maxAddresses })
  private readonly rendering = new Map<string, Promise<RenderedPage | UnavailableReason>>()
  private readonly reading = new Map<string, Promise<CacheEntry | undefined>>()
  /** Changes of what pages show besides published content. */
  private readonly generations = new CacheGenerations()
  private readonly contentGenerations = new CacheGenerations()

  constructor(private readonly settings: PageCacheSettings) {
    this.entries = new LRUCache<string, CacheEntry>({ maxSize: settings.maxBytes, sizeCalculation: sizeOf })
  }

  /** Returns a cached page synchronously, otherwise renders it; a reason while the pages process is unavailable. */
  find(pageRequest: PageCacheRequest): ServedPage | Promise<ServedPage | UnavailableReason> {
    if (!pageRequest.isShared) return this.renderAlone(pageRequest)
    const key = this.keyOf(pageRequest)
    const entry = this.entryAt(key, pageRequest.visit.projectId)
    if (entry && this.isFresh(entry)) return { page: entry, cacheStatus: 'hit' }
    return this.findLater(pageRequest, key, entry)
  }

  /** Returns a page that is in memory and fresh; undefined for all that `find` has to look for. */
  fresh(pageRequest: PageCacheRequest): ServedPage | undefined {
    if (!pageRequest.isShared) return undefined
    const entry = this.entryAt(this.keyOf(pageRequest), pageRequest.visit.projectId)
    return entry && this.isFresh(entry) ? { page: entry, cacheStatus: 'hit' } : undefined
  }

  /** Compares cached pages with the content of a project, or of all projects, when they are next requested. */
  contentChanged(projectId?: number): void {
    this.contentGenerations.advance(projectId, this.settings.now())
  }

  /** Drops the pages that show something live, after it changed. */
  forgetShowing(part: LivePart, projectId?: number): void {
    this.generations.advance(projectId, this.settings.now())
    for (const key of this.keysOf(projectId))
      if (this.entries.peek(key)?.content?.has(part)) this.entries.delete(key)
  }

  /** Marks the pages that depend on decisions as stale: they are served only while the pages process is unavailable. */
  flagsChanged(projectId: number): void {
    this.generations.advance(projectId, this.settings.now())
    for (const key of this.keysOf(projectId)) {
      const entry = this.entries.peek(key)
      if (entry && entry.uses.length > 0) entry.freshUntil = Number.NEGATIVE_INFINITY
    }
  }

  private keysOf(projectId: number | undefined): string[] {
    return [...this.entries.keys()].filter(
      (key) => projectId === undefined || key.startsWith(addressKey(projectId, '')),
    )
  }

  private keyOf({ address, visit }: PageCacheRequest): string {
    const used = this.uses.get(address)
    return used && used.length > 0 ? `${address} ${valuesOf(used, visit)}` : address
  }

  /** Returns the page in memory, unless it shows something that is not published any more. */
  private entryAt(key: string, projectId: number): CacheEntry | undefined {
    const entry = this.entries.get(key) ?? this.missing.get(key)
    if (!entry) return undefined
    const generation = this.contentGenerations.of(projectId)
    if (entry.checked.generation !== generation)
      entry.checked = { generation, match: this.matchOf(entry, projectId) }
    if (entry.checked.match !== 'gone') return entry
    this.entries.delete(key)
    this.missing.delete(key)
    this.settings.files?.remove(key)
    return undefined
  }

  private matchOf({ content }: CachedPage, projectId: number): ContentMatch {
    const now = this.settings.now()
    return content
      ? compareContent(content, (part) => this.settings.fingerprint(projectId, part, now))
      : 'gone'
  }

  private isFresh({ freshUntil, checked }: CacheEntry): boolean {
    return checked.match === 'same' && freshUntil > this.settings.now().getTime()
  }

  private async findLater(
    pageRequest: PageCacheRequest,
    key: string,
    known: CacheEntry | undefined,
  ): Promise<ServedPage | UnavailableReason> {
    const entry = known ?? (this.settings.files && (await this.readOrJoin(key, pageRequest.visit.projectId)))
    // the file has said which decisions the pages of this address use
    if (!entry && this.keyOf(pageRequest) !== key) return await this.find(pageRequest)
    if (entry && this.isFresh(entry)) return { page: entry, cacheStatus: 'hit' }
    if (!entry) return await this.renderOrJoin(pageRequest, key)
    return await this.renew(pageRequest, key, entry)
  }

  /** Renders a page again. If that takes long, the page is served as it was, and the rendering goes on. */
  private async renew(
    pageRequest: PageCacheRequest,
    key: string,
    entry: CacheEntry,
  ): Promise<ServedPage | UnavailableReason> {
    const now = this.settings.now().getTime()
    const stale: ServedPage = { page: entry, cacheStatus: 'stale' }
    if (entry.waitsUntil > now) return stale
    const renewed = this.renderOrJoin(pageRequest, key)
    const isChanged = entry.checked.match === 'changed'
    if (!isChanged && entry.freshUntil === Number.NEGATIVE_INFINITY) return await renewed
    const changedMs = now - this.contentGenerations.since(pageRequest.visit.projectId)
    const why = !isChanged ? 'expired' : changedMs > overdueAfterMs ? 'overdue' : 'changed'
    const deadline = new AbortController()
    const tooLate = pause(patienceMs[why], stale, { signal: deadline.signal }).catch(() => stale)
    try {
      return await Promise.race([renewed, tooLate])
    } finally {
      deadline.abort()
      renewed.catch(this.settings.onTrouble)
    }
  }

  private readOrJoin(key: string, projectId: number): Promise<CacheEntry | undefined> {
    const reading =
      this.reading.get(key) ?? this.readFile(key, projectId).finally(() => this.reading.delete(key))
    this.reading.set(key, reading)
    return reading
  }

  private async readFile(key: string, projectId: number): Promise<CacheEntry | undefined> {
    const stored = await this.settings.files?.read(key)
    if (!stored) return undefined
    if (isUsesNote(stored)) {
      this.uses.set(key, unionOf(this.uses.get(key) ?? [], stored.uses))
      return undefined
    }
    const checked = { generation: '', match: 'changed' } as const
    this.entries.set(key, { ...stored, checked, waitsUntil: 0 })
    return this.entryAt(key, projectId)
  }

  private async renderAlone(pageRequest: PageCacheRequest): Promise<ServedPage | UnavailableReason> {
    return servedOr(await this.render(pageRequest))
  }

  /** Joins a running render of the same page. Renders separately if the decisions differ. */
  private async renderOrJoin(
    pageRequest: PageCacheRequest,
    key: string,
  ): Promise<ServedPage | UnavailableReason> {
    const joined = this.rendering.get(key)
    const rendered = await (joined ?? this.renderFor(pageRequest, key))
    if (typeof rendered === 'string' || rendered.page.status >= 500)
      return this.staleOr(key, pageRequest, rendered)
    if (!joined || this.canJoin(pageRequest.visit, rendered)) return servedOr(rendered)
    return rendered.page.keepSeconds > 0 ? await this.find(pageRequest) : await this.renderAlone(pageRequest)
  }

  /** Whether the visit may get a page that another visit requested, maybe before something was taken back. */
  private canJoin(visit: Visit, rendered: RenderedPage): boolean {
    const { page } = rendered
    return canShare(visit, rendered) && (!page.content || this.matchOf(page, visit.projectId) !== 'gone')
  }

  private renderFor(pageRequest: PageCacheRequest, key: string): Promise<RenderedPage | UnavailableReason> {
    const rendering = this.renderAndCache(pageRequest).finally(() => this.rendering.delete(key))
    this.rendering.set(key, rendering)
    return rendering
  }

  private async renderAndCache(pageRequest: PageCacheRequest): Promise<RenderedPage | UnavailableReason> {
    const before = this.generationOf(pageRequest)
    const begunAt = this.settings.now()
    const rendered = await this.render(pageRequest)
    if (typeof rendered === 'string') return rendered
    const { keepSeconds, content } = rendered.page
    const after = this.generationOf(pageRequest)
    const isCurrent = before.others === after.others && (content || before.content === after.content)
    if (isKept(rendered.page) && keepSeconds > 0 && isCurrent) this.put(pageRequest, rendered.page, begunAt)
    return rendered
  }

  private generationOf({ visit: { projectId } }: PageCacheRequest): { others: string; content: string } {
    return { others: this.generations.of(projectId), content: this.contentGenerations.of(projectId) }
  }

  private async render({
    path,
    headers,
    visit,
  }: PageCacheRequest): Promise<RenderedPage | UnavailableReason> {
    // Next adds the nonce to its own scripts, which distinguishes them from all others
    const nonce = newNonce()
    const requestHeaders = {
      ...headers,
      [visitHeader]: writeVisit(visit),
      'content-security-policy': contentSecurityPolicy({ nonce }),
    }
    const answered = await this.settings.pages.render({ path, headers: requestHeaders })
    return typeof answered === 'string' ? answered : await parseRendered(answered, visit, nonce)
  }

  private put(pageRequest: PageCacheRequest, page: CachedPage, begunAt: Date): void {
    const { address, visit } = pageRequest
    const { projectId } = visit
    const match = page.content ? this.matchOf(page, projectId) : 'same'
    if (match === 'gone') return
    this.uses.set(address, unionOf(this.uses.get(address) ?? [], page.uses))
    const key = this.keyOf(pageRequest)
    const checked = { generation: this.contentGenerations.of(projectId), match }
    const waitsUntil = match === 'changed' ? this.settings.now().getTime() + pagesBehindMs : 0
    const entry = { ...page, freshUntil: this.freshUntil(page, projectId, begunAt), checked, waitsUntil }
    if (page.status === 404) return void this.missing.set(key, entry)
    this.entries.set(key, entry)
    this.finish(key, entry, pageRequest).catch(this.settings.onTrouble)
  }

  private freshUntil({ keepSeconds, content }: CachedPage, projectId: number, begunAt: Date): number {
    return Math.min(
      begunAt.getTime() + keepSeconds * 1000,
      this.settings.nextChangeAt(projectId, begunAt)?.getTime() ?? Number.POSITIVE_INFINITY,
      this.generations.earliestNext(projectId, begunAt),
      content ? Number.POSITIVE_INFINITY : this.contentGenerations.earliestNext(projectId, begunAt),
    )
  }

  private async finish(key: string, entry: CacheEntry, { address, visit }: PageCacheRequest): Promise<void> {
    await compressWithBrotli(entry)
    const { files, fingerprint, now } = this.settings
    const { content, checked, waitsUntil: _waitsUntil, ...stored } = entry
    if (!files || checked.match !== 'same' || !content || isLive(content)) return
    if (entry.uses.length === 0) return files.write(key, { ...stored, content })
    const flags = fingerprint(visit.projectId, flagsPart, now())
    // stale since it was rendered
    if (flags === undefined || stored.freshUntil === Number.NEGATIVE_INFINITY) return
    files.write(address, usesNote(this.uses.get(address) ?? entry.uses))
    files.write(key, { ...stored, content: new Map([...content, [flagsPart, flags]]) })
  }

  private staleOr(
    key: string,
    { visit }: PageCacheRequest,
    rendered: RenderedPage | UnavailableReason,
  ): ServedPage | UnavailableReason {
    const entry = this.entryAt(key, visit.projectId)
    return entry ? { page: entry, cacheStatus: 'stale' } : servedOr(rendered)
  }
}

/** A page, or a missing file that says what would bring it back. */
const isKept = ({ status, isDocument, content }: CachedPage): boolean =>
  status === 200 || (status === 404 && !isDocument && content !== undefined)

const servedOr = (rendered: RenderedPage | UnavailableReason): ServedPage | UnavailableReason =>
  typeof rendered === 'string' ? rendered : { page: rendered.page, cacheStatus: 'miss' }

/** Rejects a response that is truncated or cannot be parsed. */
async function parseRendered(
  answered: RenderResponse,
  visit: Visit,
  nonce: string,
): Promise<RenderedPage | UnavailableReason> {
  try {
    return { page: await toCachedPage(answered, nonce), visit }
  } catch {
    return 'lost'
  }
}

const canShare = (visit: Visit, { page, visit: other }: RenderedPage): boolean =>
  page.keepSeconds > 0 && valuesOf(page.uses, visit) === valuesOf(page.uses, other)

/** The decisions as pages see them: a missing one is off. */
const valuesOf = (uses: readonly string[], { decisions }: Visit): string =>
  uses.map((key) => JSON.stringify(decisions[key] ?? false)).join()

const unionOf = (one: readonly string[], other: readonly string[]): readonly string[] =>
  other.every((key) => one.includes(key)) ? one : [...new Set([...one, ...other])].toSorted()

/** Cache keys begin with the project's id. */
export const addressKey = (projectId: number, ...parts: readonly string[]): string =>
  [projectId, ...parts].join(' ')
