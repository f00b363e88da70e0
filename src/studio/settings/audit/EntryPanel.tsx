'use client'

import { useState } from 'react'
import type { AuditEntry } from '#projects/audit'
import { auditActions } from '#projects/audit-actions'
import { DescriptionList } from '#ui/DescriptionList'
import { Dialog } from '#ui/overlay/Dialog'
import { date, time } from '#ui/format'
import type { Clock } from '#studio/parts/RelativeTime'
import { Actor } from './AuditTable'

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

/** A field that was, or is, otherwise; undefined on the side where there was none. */
interface AuditFieldChange {
  field: string
  before: string | undefined
  after: string | undefined
}

/** The changes between two states, field by field; a state that is no object is one field of its own. */
export function changesIn(before: unknown, after: unknown): AuditFieldChange[] {
  const was = fieldsOf(before)
  const is = fieldsOf(after)
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((field) => ({ field, before: was.get(field), after: is.get(field) }))
    .filter((change) => change.before !== change.after)
}

function fieldsOf(state: unknown): Map<string, string> {
  if (state === undefined || state === null) return new Map()
  if (typeof state !== 'object' || Array.isArray(state)) return new Map([['value', asText(state)]])
  const known = Object.entries(state).filter(([, value]) => value !== undefined && value !== null)
  return new Map(known.map(([field, value]) => [fieldLabel(field), asText(value)]))
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 1)

/** "timeZone" is called "time zone" on every other page. */
const fieldLabel = (field: string): string => field.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
