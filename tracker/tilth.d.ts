/** The properties of an event: texts, numbers, booleans, and lists and objects of them. */
export type TilthProperties = Record<string, unknown>

/** The revenue of an event. */
export interface TilthRevenue {
  amount: number | string
  /** By its ISO 4217 code, such as "EUR". */
  currency: string
}

export interface Tilth {
  /** Reports an event on this page: `tilth.track('signup', { props: { plan: 'pro' } })`. */
  track(name: string, details?: { props?: TilthProperties; revenue?: TilthRevenue }): void
  /**
   * Names the visitor of this page by the id that your own system has for them. The browser does not store the id:
   * call it again on the next page.
   */
  identify(id: string, props?: TilthProperties): void
  /**
   * Decides a flag for this visitor, and counts them: `if (await tilth.flag('new-pricing'))`. Resolves to true or false, or
   * to the variant; to undefined for a flag that is not there, or if Tilth does not answer.
   */
  flag(key: string): Promise<boolean | string | undefined>
  /** The value that comes along with what the flag decides, such as that of a remote configuration. */
  payload(key: string): Promise<unknown>
  /** The values that are known at this moment, which looking at them does not count. */
  flags?: ReadonlyMap<string, boolean | string>
  /** From now on this browser is not counted on this site. */
  optOut(): void
  optIn(): void
}

/** A call that was made before the script was there: its name and what it was called with. */
export type TilthCall =
  | { [Name in TilthCommand]: [Name, ...Parameters<Tilth[Name]>] }[TilthCommand]
  | ['flag' | 'payload', key: string, answer: (value?: unknown) => void]
type TilthCommand = 'track' | 'identify' | 'optOut' | 'optIn'

declare global {
  interface Window {
    tilth?: Tilth & { q?: TilthCall[] }
  }
}
