import type { Json } from '#events/event'

/** A request's visitor with every decision made for it. Only the front creates it. */
export interface Visit {
  projectId: number
  /** The id the visitor is counted under: the daily hash, or the site's cookie. */
  visitor: string
  isCookieless: boolean
  /** Every flag of the project and every trial of its posts, by key. Undecided ones are left out. */
  decisions: Readonly<Record<string, boolean | string>>
  payloads: Readonly<Record<string, Json>>
  /** Decisions that are not sent to browsers: server-only flags, and trials. */
  withheld: readonly string[]
  /** Whether a preview link overrides decisions: such a visit is neither cached nor counted. */
  isTried: boolean
  /** Set while a page is rendered to a file of another server. */
  staticSite?: StaticSite
}

/** A site whose pages are files on another server. */
export interface StaticSite {
  /** The origin of the site, without a trailing slash. */
  origin: string
  /** The origin of Tilth, which counts its visits and decides its flags. */
  server: string
}

/** Passes the visit from the front to the pages. The front removes it from incoming requests. */
export const visitHeader = 'x-tilth-visit'

/** Response headers of the pages: the decisions that a page shows, and how long it may be cached. */
export const usesHeader = 'x-tilth-uses'
/** Response header of the pages: the parts of the content that a page shows, with their fingerprints. */
export const contentHeader = 'x-tilth-content'
export const keepHeader = 'x-tilth-keep'
/** Response header of a page that reports a missing address. */
export const missedHeader = 'x-tilth-missed'

export const writeVisit = (visit: Visit): string => Buffer.from(JSON.stringify(visit)).toString('base64url')

export const readVisit = (header: string): Visit =>
  // only the front writes it, with the function above
  JSON.parse(Buffer.from(header, 'base64url').toString()) as Visit

export const writeContent = (content: ReadonlyMap<string, string>): string =>
  Array.from(content, ([part, fingerprint]) => `${encodeURIComponent(part)}=${fingerprint}`).join()

/** Undefined for a page that named no content: then it may show any. */
export function readContent(header: string | undefined): ReadonlyMap<string, string> | undefined {
  if (!header) return undefined
  return new Map(
    header.split(/,\s*/).map((entry): [string, string] => {
      const [part = '', fingerprint = ''] = entry.split('=')
      return [decodeURIComponent(part), fingerprint]
    }),
  )
}

/** A visit, and the decisions that a page used of it. Visits that agree in those share a cached page. */
export class PageVisit {
  private readonly used = new Set<string>()
  private readonly shownContent = new Map<string, string>()
  private seconds = Number.POSITIVE_INFINITY
  private isMissed = false

  constructor(
    readonly visit: Visit,
    /** The address of the request, from the root of the site. */
    readonly address = '/',
  ) {}

  /** Returns the variant's key, or whether the flag is on. A call counts as an exposure. */
  variant(key: string): boolean | string {
    this.used.add(key)
    return valueIn(this.visit.decisions, key) ?? false
  }

  payload(key: string): Json | undefined {
    this.used.add(key)
    return valueIn(this.visit.payloads, key)
  }

  /** Decides like `variant`, for components that the browser renders again: server-only flags are off. */
  variantInBrowsers(key: string): boolean | string {
    return this.visit.withheld.includes(key) ? false : this.variant(key)
  }

  /** Notes that the page shows a part of the content. The first fingerprint is the one that it showed. */
  noteContent(part: string, fingerprint: string): void {
    if (!this.shownContent.has(part)) this.shownContent.set(part, fingerprint)
  }

  /** Lets other visits share this page for this long; of several calls the shortest applies. */
  cacheFor(seconds: number): void {
    this.seconds = Math.min(this.seconds, Math.max(0, seconds))
  }

  /** Excludes this page from the cache. */
  doNotCache(): void {
    this.seconds = 0
  }

  /** Marks the page as missing. Next's `notFound` renders nothing in browsers without scripts. */
  markMissing(): void {
    this.isMissed = true
  }

  get isMarkedMissing(): boolean {
    return this.isMissed
  }

  get uses(): string[] {
    return [...this.used].toSorted()
  }

  /** The parts of the content that the page showed. */
  get content(): ReadonlyMap<string, string> {
    return this.shownContent
  }

  /** The value of the cache header; undefined if the page set none. */
  get keep(): string | undefined {
    if (this.seconds === Number.POSITIVE_INFINITY) return undefined
    return this.seconds > 0 ? String(this.seconds) : 'no'
  }
}

const valueIn = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined
