import type { OutgoingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import { type Visit, visitHeader, writeVisit } from '../visits/visit'
import type { Unavailable } from './honest-page'
import { keep, type KeptPage, packBetter, sizeOf } from './kept-page'
import type { Pages } from './pages-child'
import type { Answered } from './pass-on'

interface PageCacheSettings {
  pages: Pick<Pages, 'render'>
  maxBytes: number
  now: () => Date
  /** When something else appears on a project's site by itself. */
  nextChangeAt: (projectId: number, now: Date) => Date | undefined
  /** Hears what went wrong where nobody waits for it. */
  onTrouble: (this: void, problem: unknown) => void
}

/** A page of a project's site, and for whom. */
export interface Wanted {
  /** What tells it from every other page: host, path, and what of the question matters. */
  address: string
  visit: Visit
  /** False where it is this visit's alone, and is neither looked up nor kept. */
  isShared: boolean
  /** What the pages are asked. */
  path: string
  headers: OutgoingHttpHeaders
}

export interface Shown {
  page: KeptPage
  how: 'hit' | 'miss' | 'stale'
}

/** More addresses than a site has pages, so that none of them is forgotten before its pages are. */
const mostAddresses = 20_000

interface Kept extends KeptPage {
  freshUntil: number
}

interface Rendered {
  page: KeptPage
  /** For whom it was rendered: whoever agrees in what it uses may have it as well. */
  visit: Visit
}

/** So long the pages may take to hear of a change that we know of already. */
const untilPagesKnowMs = 2000

/** What the pages rendered once, in memory for all others. */
export class PageCache {
  private readonly shelf: LRUCache<string, Kept>
  /** Which decisions the pages at an address have been seen to use. */
  private readonly uses = new LRUCache<string, readonly string[]>({ max: mostAddresses })
  private readonly underWay = new Map<string, Promise<Rendered | Unavailable>>()
  private readonly editions = new Editions()

  constructor(private readonly settings: PageCacheSettings) {
    this.shelf = new LRUCache<string, Kept>({ maxSize: settings.maxBytes, sizeCalculation: sizeOf })
  }

  /** At once where it is kept; why there is none where the pages are away. */
  find(wanted: Wanted): Shown | Promise<Shown | Unavailable> {
    if (!wanted.isShared) return this.renderAlone(wanted)
    const key = this.keyOf(wanted)
    const kept = this.shelf.get(key)
    const isFresh = kept !== undefined && kept.freshUntil > this.settings.now().getTime()
    return isFresh ? { page: kept, how: 'hit' } : this.renderOrJoin(wanted, key)
  }

  /** Something has changed: what is kept of this project, or of all, may not be shown any more. */
  forget(projectId?: number): void {
    this.editions.turn(projectId, this.settings.now())
    for (const key of this.keysOf(projectId)) this.shelf.delete(key)
  }

  /** Visitors may get something else now: what is kept is shown only while the pages are away. */
  outdate(projectId: number): void {
    this.editions.turn(projectId, this.settings.now())
    for (const key of this.keysOf(projectId)) {
      const kept = this.shelf.peek(key)
      if (kept) kept.freshUntil = Number.NEGATIVE_INFINITY
    }
  }

  private keysOf(projectId: number | undefined): string[] {
    return [...this.shelf.keys()].filter(
      (key) => projectId === undefined || key.startsWith(addressKey(projectId, '')),
    )
  }

  private keyOf({ address, visit }: Wanted): string {
    const used = this.uses.get(address)
    return used && used.length > 0 ? `${address} ${valuesOf(used, visit)}` : address
  }

  private async renderAlone(wanted: Wanted): Promise<Shown | Unavailable> {
    return shownOr(await this.render(wanted))
  }

  /** Whoever asks for a page that is being rendered waits for it, and renders one of their own where it is not theirs. */
  private async renderOrJoin(wanted: Wanted, key: string): Promise<Shown | Unavailable> {
    const joined = this.underWay.get(key)
    const rendered = await (joined ?? this.renderFor(wanted, key))
    if (typeof rendered === 'string' || rendered.page.status >= 500) return this.staleOr(key, rendered)
    if (!joined || isAlsoFor(wanted.visit, rendered)) return shownOr(rendered)
    return rendered.page.keepSeconds > 0 ? await this.find(wanted) : await this.renderAlone(wanted)
  }

  private renderFor(wanted: Wanted, key: string): Promise<Rendered | Unavailable> {
    const rendering = this.renderAndKeep(wanted).finally(() => this.underWay.delete(key))
    this.underWay.set(key, rendering)
    return rendering
  }

  private async renderAndKeep(wanted: Wanted): Promise<Rendered | Unavailable> {
    const { projectId } = wanted.visit
    const edition = this.editions.of(projectId)
    const begunAt = this.settings.now()
    const rendered = await this.render(wanted)
    if (typeof rendered === 'string') return rendered
    const { status, keepSeconds } = rendered.page
    const mayBeKept = status === 200 && keepSeconds > 0 && this.editions.of(projectId) === edition
    if (mayBeKept) this.put(wanted, rendered.page, begunAt)
    return rendered
  }

  private async render({ path, headers, visit }: Wanted): Promise<Rendered | Unavailable> {
    const told = { ...headers, [visitHeader]: writeVisit(visit) }
    const answered = await this.settings.pages.render({ path, headers: told })
    return typeof answered === 'string' ? answered : await readable(answered, visit)
  }

  private put(wanted: Wanted, page: KeptPage, begunAt: Date): void {
    const { address, visit } = wanted
    this.uses.set(address, union(this.uses.get(address) ?? [], page.uses))
    const freshUntil = Math.min(
      begunAt.getTime() + page.keepSeconds * 1000,
      this.settings.nextChangeAt(visit.projectId, begunAt)?.getTime() ?? Number.POSITIVE_INFINITY,
      this.editions.soonest(visit.projectId, begunAt),
    )
    this.shelf.set(this.keyOf(wanted), { ...page, freshUntil })
    packBetter(page).catch(this.settings.onTrouble)
  }

  private staleOr(key: string, rendered: Rendered | Unavailable): Shown | Unavailable {
    const kept = this.shelf.get(key)
    return kept ? { page: kept, how: 'stale' } : shownOr(rendered)
  }
}

const shownOr = (rendered: Rendered | Unavailable): Shown | Unavailable =>
  typeof rendered === 'string' ? rendered : { page: rendered.page, how: 'miss' }

/** Where an answer breaks off or cannot be read, there is no page. */
async function readable(answered: Answered, visit: Visit): Promise<Rendered | Unavailable> {
  try {
    return { page: await keep(answered), visit }
  } catch {
    return 'lost'
  }
}

const isAlsoFor = (visit: Visit, { page, visit: other }: Rendered): boolean =>
  page.keepSeconds > 0 && valuesOf(page.uses, visit) === valuesOf(page.uses, other)

/** What pages see of decisions: one that was not made is off. */
const valuesOf = (uses: readonly string[], { decisions }: Visit): string =>
  uses.map((key) => JSON.stringify(decisions[key] ?? false)).join()

const union = (one: readonly string[], other: readonly string[]): readonly string[] =>
  other.every((key) => one.includes(key)) ? one : [...new Set([...one, ...other])].toSorted()

/**
 * What was begun before a change is shown to whoever waited for it, but is not kept; what is begun just after it may still
 * be as it was before, and is not kept for long.
 */
class Editions {
  private turns = 0
  private all = none
  private readonly ofProjects = new Map<number, Edition>()

  of(projectId: number): string {
    return `${this.all.number} ${this.ofProject(projectId).number}`
  }

  /** Until when what was begun then may be kept, for it may not know yet of what has changed. */
  soonest(projectId: number, begunAt: Date): number {
    const known = Math.max(this.all.since, this.ofProject(projectId).since) + untilPagesKnowMs
    return known > begunAt.getTime() ? known : Number.POSITIVE_INFINITY
  }

  turn(projectId: number | undefined, now: Date): void {
    const next = { number: ++this.turns, since: now.getTime() }
    if (projectId === undefined) this.all = next
    else this.ofProjects.set(projectId, next)
  }

  private ofProject(projectId: number): Edition {
    return this.ofProjects.get(projectId) ?? none
  }
}

interface Edition {
  number: number
  since: number
}

const none: Edition = { number: 0, since: Number.NEGATIVE_INFINITY }

/** Everything that tells one page of a project's site from another begins with whose it is. */
export const addressKey = (projectId: number, ...parts: readonly string[]): string =>
  [projectId, ...parts].join(' ')
