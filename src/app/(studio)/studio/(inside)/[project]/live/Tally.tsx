'use client'

import { Button } from '../../../../../../ui/Button'
import { number } from '../../../../../../ui/format'
import { Panel } from '../../../../../../ui/Panel'
import { CopyField } from '../../../../../../ui/CopyField'
import type { Seen } from './feed'
import type { LiveProject } from './LiveView'
import type { Kind } from './question'
import { Sign } from './Signs'
import { type Counted, tallyOf } from './fates'
import type { Ask } from './use-live-question'

/** What was not kept, and why, beside what was. */
export function Tally({ seen, project, ask }: { seen: readonly Seen[]; project: LiveProject; ask: Ask }) {
  const { stored, dropped, refused } = tallyOf(seen)
  const show = (kind: Kind) => () => ask({ kind })

  return (
    <Panel title="What became of them">
      <div className="flex flex-col gap-4">
        <Fate kind="stored" label="Stored" count={stored} show={show('stored')} />
        <Fate kind="dropped" label="Dropped" count={sum(dropped)} reasons={dropped} show={show('dropped')} />
        <Fate kind="refused" label="Refused" count={sum(refused)} reasons={refused} show={show('refused')} />
        {refused.length > 0 && <CopyField label="The right key" value={project.key} />}
      </div>
    </Panel>
  )
}

const sum = (counted: readonly Counted[]): number => counted.reduce((total, { count }) => total + count, 0)

interface FateProps {
  kind: Kind
  label: string
  count: number
  reasons?: readonly Counted[]
  show: () => void
}

function Fate({ kind, label, count, reasons = [], show }: FateProps) {
  return (
    <section>
      <h3 className="flex h-7 items-center gap-2.5 font-medium">
        <Sign kind={kind} />
        <span className="grow">{label}</span>
        {reasons.length > 0 && (
          <Button size="sm" variant="quiet" onClick={show} aria-label={`Show only what was ${kind}`}>
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
