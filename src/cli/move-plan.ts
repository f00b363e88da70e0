import type { Config } from '#server/config'
import type { Installation } from '#server/main'

/** The settings of the old form and of the new one. */
export interface Move {
  old: Config
  next: Config
  installation: Installation
  /** Journals of other fronts whose events are left behind. */
  without: readonly string[]
}

/** An engine or a store in the data folder is copied with it; a server that both forms name stays as it is. */
export const movesEngine = ({ old, next }: Move): boolean =>
  next.engineUrl === undefined || next.engineUrl !== old.engineUrl

export const movesStore = ({ old, next }: Move): boolean =>
  next.storeUrl === undefined || next.storeUrl !== old.storeUrl
