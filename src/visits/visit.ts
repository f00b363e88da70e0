import type { Json } from '../events/event'

/** One request's visitor together with every decision made for it. Begun by the front, and by nobody else. */
export interface Visit {
  projectId: number
  /** The id they are counted under: of today, or of the site's cookie. */
  visitor: string
  isCookieless: boolean
  /** Every flag of the project and every trial of its posts, by key. What could not be decided is not among them. */
  decisions: Readonly<Record<string, boolean | string>>
  payloads: Readonly<Record<string, Json>>
  /** Decisions that no browser is told of: flags for servers alone, and trials, which are this server's own affair. */
  withheld: readonly string[]
  /** Whether a link for trying flags out says what is shown: such a visit is neither kept nor counted. */
  isTried: boolean
}

/** Passed from the front to the pages in `visitHeader`; whoever sends it from outside has it taken away. */
export const visitHeader = 'x-tilth-visit'

/** What the pages say of what they rendered: which decisions it shows, and how long it may be kept. */
export const usesHeader = 'x-tilth-uses'
export const keepHeader = 'x-tilth-keep'
/** Said where the page tells its reader that there is nothing at this address. */
export const missedHeader = 'x-tilth-missed'

export const writeVisit = (visit: Visit): string => Buffer.from(JSON.stringify(visit)).toString('base64url')

export const readVisit = (header: string): Visit =>
  // only the front writes it, with the function above
  JSON.parse(Buffer.from(header, 'base64url').toString()) as Visit

/** What a page was given, and what it used of it: two visits that agree in that get the same page. */
export class PageVisit {
  private readonly used = new Set<string>()
  private seconds = Number.POSITIVE_INFINITY
  private isMissed = false

  constructor(readonly visit: Visit) {}

  /** The key of the variant, or whether the flag is on. Whoever asks shows it: an exposure follows. */
  variant(key: string): boolean | string {
    this.used.add(key)
    return valueIn(this.visit.decisions, key) ?? false
  }

  payload(key: string): Json | undefined {
    this.used.add(key)
    return valueIn(this.visit.payloads, key)
  }

  /** As `variant`, for parts that a browser renders again: it knows nothing of what is for servers alone. */
  variantInBrowsers(key: string): boolean | string {
    return this.visit.withheld.includes(key) ? false : this.variant(key)
  }

  /** Others may be shown this page for so long; of several wishes the shortest counts. */
  keepFor(seconds: number): void {
    this.seconds = Math.min(this.seconds, Math.max(0, seconds))
  }

  /** This page is for this visit alone. */
  keepNot(): void {
    this.seconds = 0
  }

  /** There is nothing here, and the page says so. Next's own way of saying it shows nothing to whoever runs no script. */
  miss(): void {
    this.isMissed = true
  }

  get missed(): boolean {
    return this.isMissed
  }

  get uses(): string[] {
    return [...this.used].toSorted()
  }

  /** In the words of `keepHeader`; undefined where the page had no wish. */
  get keep(): string | undefined {
    if (this.seconds === Number.POSITIVE_INFINITY) return undefined
    return this.seconds > 0 ? String(this.seconds) : 'no'
  }
}

const valueIn = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined
