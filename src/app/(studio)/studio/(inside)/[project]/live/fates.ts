import { type DropReason, dropReasons } from '../../../../../../events/event'
import type { Seen } from './feed'
import { refusalLabel } from './words'

/** How often something happened to what came in. */
export interface Counted {
  label: string
  count: number
}

export interface Tallied {
  stored: number
  dropped: readonly Counted[]
  refused: readonly Counted[]
}

/** What became of all that is held here, and why; the most frequent first. */
export function tallyOf(seen: readonly Seen[]): Tallied {
  const dropped = new Map<string, number>()
  const refused = new Map<string, number>()
  let stored = 0
  for (const { sighting } of seen) {
    if (sighting.kind === 'stored') stored++
    else if (sighting.kind === 'dropped') countIn(dropped, reasonLabel(sighting.reason))
    else countIn(refused, refusalLabel(sighting))
  }
  return { stored, dropped: mostFirst(dropped), refused: mostFirst(refused) }
}

const reasonLabel = (reason: DropReason): string => dropReasons[reason]

function countIn(counts: Map<string, number>, label: string): void {
  counts.set(label, (counts.get(label) ?? 0) + 1)
}

const mostFirst = (counts: ReadonlyMap<string, number>): Counted[] =>
  Array.from(counts, ([label, count]) => ({ label, count })).toSorted((one, other) => other.count - one.count)
