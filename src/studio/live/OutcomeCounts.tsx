'use client'

import { Button } from '#ui/Button'
import { number } from '#ui/format'
import { Panel } from '#ui/page/Panel'
import { CopyField } from '#ui/copy/CopyField'
import type { LiveFeedEntry } from './feed'
import type { LiveProject } from './LiveView'
import type { LiveEventKind } from './list-filter'
import { LiveEventIcon } from './LiveEventIcon'
import type { SetLiveFilter } from './use-live-filter'
import { type DropReason, dropReasons } from '#events/event'
import { refusalLabel } from './live-event-explanations'

/** The counts of accepted and dropped events, with reasons. */
export function OutcomeCounts({
  seen: entries,
  project,
  ask,
}: {
  seen: readonly LiveFeedEntry[]
  project: LiveProject
  ask: SetLiveFilter
}) {
  const { stored, dropped, refused } = countLiveEvents(entries)
  const show = (kind: LiveEventKind) => () => ask({ kind })

  return (
    <Panel title="Status">
      <div className="flex flex-col gap-4">
        <OutcomeRow kind="stored" label="Stored" count={stored} show={show('stored')} />
        <OutcomeRow
          kind="dropped"
          label="Dropped"
          count={sum(dropped)}
          reasons={dropped}
          show={show('dropped')}
        />
        <OutcomeRow
          kind="refused"
          label="Refused"
          count={sum(refused)}
          reasons={refused}
          show={show('refused')}
        />
        {refused.length > 0 && <CopyField label="Correct key" value={project.key} />}
      </div>
    </Panel>
  )
}

const sum = (counted: readonly LabelledCount[]): number =>
  counted.reduce((total, { count }) => total + count, 0)

interface OutcomeRowProps {
  kind: LiveEventKind
  label: string
  count: number
  reasons?: readonly LabelledCount[]
  show: () => void
}

function OutcomeRow({ kind, label, count, reasons = [], show }: OutcomeRowProps) {
  return (
    <section>
      <h3 className="flex h-7 items-center gap-2.5 font-medium">
        <LiveEventIcon kind={kind} />
        <span className="grow">{label}</span>
        {reasons.length > 0 && (
          <Button size="sm" variant="quiet" onClick={show} aria-label={`Show only ${kind}`}>
            Show
          </Button>
        )}
        <span className="tabular-nums">{number(count)}</span>
      </h3>
      {reasons.length > 0 && (
        <ul className="mt-1 flex flex-col gap-1 pl-4.5 text-xs text-muted">
          {reasons.map((reason) => (
            <li key={reason.label} className="flex justify-between gap-3">
              <span className="min-w-0 break-words">{reason.label}</span>
              <span className="tabular-nums">{number(reason.count)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The number of events with one outcome. */
interface LabelledCount {
  label: string
  count: number
}

interface LiveEventCounts {
  stored: number
  dropped: readonly LabelledCount[]
  refused: readonly LabelledCount[]
}

/** The outcomes of all held events with their reasons; the most frequent first. */
export function countLiveEvents(entries: readonly LiveFeedEntry[]): LiveEventCounts {
  const dropped = new Map<string, number>()
  const refused = new Map<string, number>()
  let stored = 0
  for (const { liveEvent } of entries) {
    if (liveEvent.kind === 'stored') stored++
    else if (liveEvent.kind === 'dropped') increment(dropped, reasonLabel(liveEvent.reason))
    else increment(refused, refusalLabel(liveEvent))
  }
  return { stored, dropped: mostFirst(dropped), refused: mostFirst(refused) }
}

const reasonLabel = (reason: DropReason): string => dropReasons[reason]

function increment(counts: Map<string, number>, label: string): void {
  counts.set(label, (counts.get(label) ?? 0) + 1)
}

const mostFirst = (counts: ReadonlyMap<string, number>): LabelledCount[] =>
  Array.from(counts, ([label, count]) => ({ label, count })).toSorted((one, other) => other.count - one.count)
