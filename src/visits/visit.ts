import type { Json } from '../events/event'

/** One request's visitor together with every decision made for it. Begun by the front, and by nobody else. */
export interface Visit {
  projectId: number
  /** The id they are counted under: of today, or of the site's cookie. */
  visitor: string
  isCookieless: boolean
  /** Every flag of the project and every trial of its posts, by key. */
  decisions: Readonly<Record<string, boolean | string>>
  payloads: Readonly<Record<string, Json>>
  /** Whether a link for trying flags out says what is shown: such a visit is neither kept nor counted. */
  isTried: boolean
}

/** Passed from the front to the pages in `visitHeader`; whoever sends it from outside has it taken away. */
export const visitHeader = 'x-tilth-visit'

export const writeVisit = (visit: Visit): string => Buffer.from(JSON.stringify(visit)).toString('base64url')

export const readVisit = (header: string): Visit =>
  // only the front writes it, with the function above
  JSON.parse(Buffer.from(header, 'base64url').toString()) as Visit

/** What a page was given, and what it used of it: two visits that agree in that get the same page. */
export class PageVisit {
  private readonly used = new Set<string>()

  constructor(readonly visit: Visit) {}

  /** The key of the variant, or whether the flag is on. Whoever asks shows it: an exposure follows. */
  variant(key: string): boolean | string {
    this.used.add(key)
    return this.visit.decisions[key] ?? false
  }

  payload(key: string): Json | undefined {
    this.used.add(key)
    return this.visit.payloads[key]
  }

  get uses(): string[] {
    return [...this.used].toSorted()
  }
}
