'use client'

import { useState } from 'react'
import type { AuditEntry } from '#projects/audit'
import { auditActions } from '#projects/audit-actions'
import { DescriptionList } from '#ui/DescriptionList'
import { Dialog } from '#ui/overlay/Dialog'
import { date, time } from '#ui/format'
import type { Clock } from '#studio/parts/RelativeTime'
import { Actor } from './AuditTable'
import { changesIn, type AuditFieldChange } from './difference'

interface EntryPanelProps {
  entry: AuditEntry | undefined
  clock: Clock
  close: () => void
}

/** One entry of the log, whole, along the edge of the page. */
export function EntryPanel({ entry, clock, close }: EntryPanelProps) {
  // while the panel closes it still shows its content
  const [shown, setShown] = useState(entry)
  if (entry && entry !== shown) setShown(entry)

  return (
    <Dialog
      title={shown ? `Entry ${shown.sequence}` : ''}
      description={shown && `${auditActions[shown.action]} ${shown.subject}`}
      place="right"
      size="md"
      open={entry !== undefined}
      onOpenChange={(open) => !open && close()}
    >
      {shown && <Entry entry={shown} clock={clock} />}
    </Dialog>
  )
}

function Entry({ entry, clock: { timeZone } }: { entry: AuditEntry; clock: Clock }) {
  const { at, actor, origin, before, after } = entry
  const changes = changesIn(before, after)

  return (
    <div className="flex flex-col gap-6">
      <DescriptionList
        facts={[
          { term: 'Actor', value: <Actor {...actor} /> },
          { term: 'Time', value: `${date(at, timeZone)}, ${time(at, timeZone)} ${timeZone}` },
          { term: 'Origin', value: origin.client },
          { term: 'Network', value: origin.address || 'Unknown', mono: true },
          { term: 'Request', value: origin.requestId || 'none', mono: true },
        ]}
      />
      <section>
        <h3 className="mb-2 text-base font-semibold">Changes</h3>
        {changes.length === 0 ? (
          <p className="text-muted">No settings changed.</p>
        ) : (
          <Changes changes={changes} />
        )}
      </section>
    </div>
  )
}

function Changes({ changes }: { changes: readonly AuditFieldChange[] }) {
  return (
    <dl className="divide-y divide-line overflow-hidden rounded-lg border border-line">
      {changes.map(({ field, before, after }) => (
        <div key={field}>
          <dt className="bg-sunken px-3 py-1.5 text-xs font-medium text-muted">{field}</dt>
          <dd className="grid gap-px bg-line font-mono text-xs leading-5 *:px-3 *:py-1.5 *:break-words *:whitespace-pre-wrap">
            {before !== undefined && (
              <del className="bg-danger-soft text-danger-ink no-underline before:mr-2 before:content-['−']">
                {before}
              </del>
            )}
            {after !== undefined && (
              <ins className="bg-success-soft text-success-ink no-underline before:mr-2 before:content-['+']">
                {after}
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
