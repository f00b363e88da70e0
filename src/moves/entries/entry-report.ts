/** Kinds of entries, in the order in which they come: cohorts are named by flags, and flags by what is behind them. */
export const entryKinds = ['cohorts', 'flags', 'insights', 'surveys', 'experiments'] as const
export type EntryKind = (typeof entryKinds)[number]

interface ReportedEntry {
  kind: EntryKind
  name: string
}

/** An entry with a sentence about it. */
interface RemarkedEntry extends ReportedEntry {
  why: string
}

/** The outcome for the entries of a project of PostHog's: each is in one of the first three lists. */
export interface EntryReport {
  made: ReportedEntry[]
  /** Entries that are here already, and stay as they are. */
  there: ReportedEntry[]
  leftOut: RemarkedEntry[]
  notes: RemarkedEntry[]
}
