import { type DropReason, dropReasons } from '#events/event'
import type { LiveFeedEntry } from './feed'
import { refusalLabel } from './sighting-explanations'

/** The number of events with one outcome. */
export interface LabelledCount {
  label: string
  count: number
}

interface SightingCounts {
  stored: number
  dropped: readonly LabelledCount[]
  refused: readonly LabelledCount[]
}

/** The outcomes of all held events with their reasons; the most frequent first. */
export function countSightings(entries: readonly LiveFeedEntry[]): SightingCounts {
  const dropped = new Map<string, number>()
  const refused = new Map<string, number>()
  let stored = 0
  for (const { sighting } of entries) {
    if (sighting.kind === 'stored') stored++
    else if (sighting.kind === 'dropped') increment(dropped, reasonLabel(sighting.reason))
    else increment(refused, refusalLabel(sighting))
  }
  return { stored, dropped: mostFirst(dropped), refused: mostFirst(refused) }
}

const reasonLabel = (reason: DropReason): string => dropReasons[reason]

function increment(counts: Map<string, number>, label: string): void {
  counts.set(label, (counts.get(label) ?? 0) + 1)
}

const mostFirst = (counts: ReadonlyMap<string, number>): LabelledCount[] =>
  Array.from(counts, ([label, count]) => ({ label, count })).toSorted((one, other) => other.count - one.count)
