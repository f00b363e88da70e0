/** Decisions that a server made for this visitor, so that the first rendering needs no request. */
export interface TilthBootstrap {
  flags: Readonly<Record<string, boolean | string>>
  payloads: Readonly<Record<string, unknown>>
  /** The id of the visitor; undefined for visitors who are told apart for a day only. */
  visitor?: string
  /** Part of the ids of exposures, which server and browser report alike so that each counts once. */
  exposureSeed?: string
  /** Whether the server counted the view of this document. */
  isViewCounted?: boolean
  /** `false` for previews and crawlers, of which nothing is reported. */
  isCounted?: boolean
}
