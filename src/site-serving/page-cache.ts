import type { OutgoingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import { type Visit, visitHeader, writeVisit } from '#visits/visit'
import type { UnavailableReason } from '#http/error-page'
import { toCachedPage, type CachedPage, compressWithBrotli, sizeOf } from './cached-page'
import type { PagesProcess } from './pages-process'
import type { RenderResponse } from '#http/forward'
import { contentSecurityPolicy, newNonce } from '#http/security-headers'

interface PageCacheSettings {
  pages: Pick<PagesProcess, 'render'>
  maxBytes: number
  now: () => Date
  /** The next scheduled change of a project's site. */
  nextChangeAt: (projectId: number, now: Date) => Date | undefined
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

interface CacheEntry extends CachedPage {
  freshUntil: number
}

interface RenderedPage {
  page: CachedPage
  /** The visit it was rendered for. Visits with the same decisions share the page. */
  visit: Visit
}

/** The delay within which the pages process learns of a change. */
const changeDelayMs = 2000

/** Keeps rendered pages in memory. */
export class PageCache {
  private readonly entries: LRUCache<string, CacheEntry>
  /** The decisions that pages at an address used so far. */
  private readonly uses = new LRUCache<string, readonly string[]>({ max: maxAddresses })
  private readonly rendering = new Map<string, Promise<RenderedPage | UnavailableReason>>()
  private readonly generations = new CacheGenerations()

  constructor(private readonly settings: PageCacheSettings) {
    this.entries = new LRUCache<string, CacheEntry>({ maxSize: settings.maxBytes, sizeCalculation: sizeOf })
  }

  /** Returns a cached page synchronously, otherwise renders it; a reason while the pages process is unavailable. */
  find(pageRequest: PageCacheRequest): ServedPage | Promise<ServedPage | UnavailableReason> {
    if (!pageRequest.isShared) return this.renderAlone(pageRequest)
    const key = this.keyOf(pageRequest)
    const entry = this.entries.get(key)
    const isFresh = entry !== undefined && entry.freshUntil > this.settings.now().getTime()
    return isFresh ? { page: entry, cacheStatus: 'hit' } : this.renderOrJoin(pageRequest, key)
  }

  /** Drops the cached pages of a project, or of all projects, after a change. */
  forget(projectId?: number): void {
    this.generations.advance(projectId, this.settings.now())
    for (const key of this.keysOf(projectId)) this.entries.delete(key)
  }

  /** Marks cached pages as stale: they are served only while the pages process is unavailable. */
  markStale(projectId: number): void {
    this.generations.advance(projectId, this.settings.now())
    for (const key of this.keysOf(projectId)) {
      const entry = this.entries.peek(key)
      if (entry) entry.freshUntil = Number.NEGATIVE_INFINITY
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
    if (typeof rendered === 'string' || rendered.page.status >= 500) return this.staleOr(key, rendered)
    if (!joined || canShare(pageRequest.visit, rendered)) return servedOr(rendered)
    return rendered.page.keepSeconds > 0 ? await this.find(pageRequest) : await this.renderAlone(pageRequest)
  }

  private renderFor(pageRequest: PageCacheRequest, key: string): Promise<RenderedPage | UnavailableReason> {
    const rendering = this.renderAndCache(pageRequest).finally(() => this.rendering.delete(key))
    this.rendering.set(key, rendering)
    return rendering
  }

  private async renderAndCache(pageRequest: PageCacheRequest): Promise<RenderedPage | UnavailableReason> {
    const { projectId } = pageRequest.visit
    const generation = this.generations.of(projectId)
    const begunAt = this.settings.now()
    const rendered = await this.render(pageRequest)
    if (typeof rendered === 'string') return rendered
    const { status, keepSeconds } = rendered.page
    const mayBeKept = status === 200 && keepSeconds > 0 && this.generations.of(projectId) === generation
    if (mayBeKept) this.put(pageRequest, rendered.page, begunAt)
    return rendered
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
    this.uses.set(address, unionOf(this.uses.get(address) ?? [], page.uses))
    const freshUntil = Math.min(
      begunAt.getTime() + page.keepSeconds * 1000,
      this.settings.nextChangeAt(visit.projectId, begunAt)?.getTime() ?? Number.POSITIVE_INFINITY,
      this.generations.earliestNext(visit.projectId, begunAt),
    )
    this.entries.set(this.keyOf(pageRequest), { ...page, freshUntil })
    compressWithBrotli(page).catch(this.settings.onTrouble)
  }

  private staleOr(key: string, rendered: RenderedPage | UnavailableReason): ServedPage | UnavailableReason {
    const entry = this.entries.get(key)
    return entry ? { page: entry, cacheStatus: 'stale' } : servedOr(rendered)
  }
}

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

/**
 * Numbers the states of a site. A render that began before a change answers its waiting requests but is not cached. One
 * that began shortly after may still show the old state and is cached only briefly.
 */
class CacheGenerations {
  private count = 0
  private all = noGeneration
  private readonly ofProjects = new Map<number, Generation>()

  of(projectId: number): string {
    return `${this.all.number} ${this.ofProject(projectId).number}`
  }

  /** The time until which a render begun at that time may be cached: it may show the state before a change. */
  earliestNext(projectId: number, begunAt: Date): number {
    const known = Math.max(this.all.since, this.ofProject(projectId).since) + changeDelayMs
    return known > begunAt.getTime() ? known : Number.POSITIVE_INFINITY
  }

  advance(projectId: number | undefined, now: Date): void {
    const next = { number: ++this.count, since: now.getTime() }
    if (projectId === undefined) this.all = next
    else this.ofProjects.set(projectId, next)
  }

  private ofProject(projectId: number): Generation {
    return this.ofProjects.get(projectId) ?? noGeneration
  }
}

interface Generation {
  number: number
  since: number
}

const noGeneration: Generation = { number: 0, since: Number.NEGATIVE_INFINITY }

/** Cache keys begin with the project's id. */
export const addressKey = (projectId: number, ...parts: readonly string[]): string =>
  [projectId, ...parts].join(' ')
