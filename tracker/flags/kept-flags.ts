export interface FlagDecision {
  value: boolean | string
  /** Absent where it may not be kept nor counted. */
  version: number | undefined
  payload: unknown
}

/** The decisions that a browser keeps for the visitor's next page. */
export interface KeptFlags {
  /** A digest of the visitor's id, which is not kept itself; 0 without one. */
  of: number
  until: number
  flags: [string, FlagDecision][]
  /** The exposures that were reported. */
  told: string[]
}

/** As stored: beside each key first what elements show of it, which the form for the head reads. */
interface StoredFlags extends Omit<KeptFlags, 'flags'> {
  flags: [string, boolean | string | undefined, FlagDecision][]
}

/** A visit ends after half an hour without a page. */
const keptMs = 30 * 60_000

/** Reads what is kept, if it is for this visitor or for one that the page has not named yet. */
export function recall(store: Record<string, string>, visitor: string | undefined): KeptFlags {
  const of = digest(visitor)
  try {
    // only `keep` writes it
    const { flags, ...kept } = JSON.parse(store.tilth_flags || '') as StoredFlags
    if (kept.until > Date.now() && (!of || of === kept.of))
      return { ...kept, flags: flags.map(([key, , decision]) => [key, decision]) }
  } catch {
    // nothing
  }
  return renewed({ of, until: 0, flags: [], told: [] })
}

/** Good until the visit is over. */
export const renewed = (kept: KeptFlags): KeptFlags => ({ ...kept, until: Date.now() + keptMs })

/** Keeps nothing for a visitor who does not want to be followed. */
export function keep(store: Record<string, string>, { flags, ...kept }: KeptFlags): void {
  const { globalPrivacyControl, doNotTrack } = navigator
  if (store.tilth_off || globalPrivacyControl || doNotTrack === '1') return
  const stored: StoredFlags = {
    ...kept,
    flags: flags.map(([key, decision]) => [key, shownValue(decision), decision]),
  }
  try {
    store.tilth_flags = JSON.stringify(stored)
  } catch {
    // the site has used up its storage
  }
}

/** A visitor who is held out sees the page as it is. */
export const shownValue = (decision: FlagDecision | undefined): boolean | string | undefined =>
  String(decision?.value).startsWith('holdout-') ? false : decision?.value

/** Tells visitors of one browser apart, and nothing more. */
const digest = (visitor = ''): number =>
  Array.from(visitor).reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) | 0, 0)
