/**
 * The progress of an import. `running`: its rows are being sent, or were until it was interrupted. `storing`: all were
 * sent, and the last ones are on their way into the engine. `undoing`: its events are being deleted.
 */
export const importStates = ['running', 'storing', 'done', 'undoing', 'undone'] as const
type ImportState = (typeof importStates)[number]

/** A history that was brought from another product. */
export interface Import {
  id: string
  projectId: number
  /** The product it comes from, such as `posthog`. */
  source: string
  /** The names of its files. */
  name: string
  /** Recognises the same files, so that an interrupted import continues. */
  fingerprint: string
  state: ImportState
  /** Events at this instant or later were left out. */
  until: Date | undefined
  /** Rows read so far: where an interrupted import continues. */
  rows: number
  /** The position of the next row in the source, in its own terms; undefined for files. Moves with `rows`. */
  cursor: string | undefined
  /** Rows that became events. */
  kept: number
  /** Daily totals that were kept, of a product that exports no events. */
  sums: number
  /** Persons and groups that were restored, of an export that has them beside its events. */
  profiles: number
  /** Rows that were left out, by the reason. */
  dropped: Readonly<Record<string, number>>
  /** Events that are stored; fewer than `kept` if some were there already. Undefined until all were written. */
  stored: number | undefined
  /** The times of its first and last event. */
  firstAt: Date | undefined
  lastAt: Date | undefined
  createdBy: string
  createdAt: Date
  changedAt: Date
}
