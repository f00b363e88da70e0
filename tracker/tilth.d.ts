/** What can be said with an event: texts, numbers, booleans, and lists and objects of them. */
export type TilthProperties = Record<string, unknown>

/** What an event earned. */
export interface TilthRevenue {
  amount: number | string
  /** By its ISO 4217 code, such as "EUR". */
  currency: string
}

export interface Tilth {
  /** Something happened on this page: `tilth.track('signup', { props: { plan: 'pro' } })`. */
  track(name: string, details?: { props?: TilthProperties; revenue?: TilthRevenue }): void
  /**
   * Who is looking at this page, as your own system knows them. Nothing of it is kept in the browser: say it again on
   * the next page.
   */
  identify(id: string, props?: TilthProperties): void
  /** From now on this browser is not counted on this site. */
  optOut(): void
  optIn(): void
}

/** A call that was made before the script was there: its name and what it was called with. */
export type TilthCall = { [Name in keyof Tilth]: [Name, ...Parameters<Tilth[Name]>] }[keyof Tilth]

declare global {
  interface Window {
    tilth?: Tilth & { q?: TilthCall[] }
  }
}
