'use client'

import { Bot, KeyRound, Terminal } from 'lucide-react'
import { useState } from 'react'
import type { AuditEntry } from '#projects/audit'
import { auditActions } from '#projects/audit-actions'
import { Avatar } from '#ui/Avatar'
import { DescriptionList } from '#ui/DescriptionList'
import { Dialog } from '#ui/overlay/Dialog'
import { date, time } from '#ui/format'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { Panel } from '#ui/page/Panel'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { VisuallyHidden } from '#ui/VisuallyHidden'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'

const columnsFor = (clock: Clock): TableColumn<AuditEntry>[] => [
  {
    key: 'who',
    header: 'Actor',
    cell: ({ actor, action, subject }) => (
      <>
        <Actor {...actor} />
        {/* the button's name includes the entry, not only its author */}
        <VisuallyHidden>{`${auditActions[action]} ${subject}`}</VisuallyHidden>
      </>
    ),
  },
  {
    key: 'what',
    header: 'Action',
    cell: ({ action, subject, at }) => (
      <span className="block max-w-md">
        <span className="text-muted">{auditActions[action]} </span>
        <span className="font-medium break-words">{subject}</span>
        <span className="block text-xs text-muted md:hidden">
          <RelativeTime at={at} clock={clock} />
        </span>
      </span>
    ),
  },
  {
    key: 'from',
    header: 'Origin',
    width: '11rem',
    wideOnly: true,
    cell: ({ origin }) => <span className="text-muted">{origin.client}</span>,
  },
  {
    key: 'when',
    header: 'Time',
    width: '9rem',
    wideOnly: true,
    cell: ({ at }) => <RelativeTime at={at} clock={clock} />,
  },
]

/** Each row opens its values before and after, and its origin. */
export function AuditTable({
  entries,
  clock,
  isNarrowed,
}: {
  entries: readonly AuditEntry[]
  clock: Clock
  isNarrowed: boolean
}) {
  const [opened, setOpened] = useState<number>()

  return (
    <Panel flush>
      <Table
        caption="Audit log"
        columns={columnsFor(clock)}
        rows={entries}
        rowKey={({ sequence }) => String(sequence)}
        onRowSelect={({ sequence }) => setOpened(sequence)}
        empty={
          isNarrowed ? (
            <EmptyMessage title="No matching entries" body="Choose another action or actor." />
          ) : (
            <EmptyMessage title="No entries yet" />
          )
        }
      />
      <EntryPanel
        entry={entries.find(({ sequence }) => sequence === opened)}
        clock={clock}
        close={() => setOpened(undefined)}
      />
    </Panel>
  )
}

function Actor({ kind, name }: AuditEntry['actor']) {
  return (
    <span className="flex items-center gap-2.5">
      {kind === 'member' ? (
        <Avatar name={name} size="sm" decorative />
      ) : (
        <Icon
          of={kind === 'key' ? KeyRound : kind === 'agent' ? Bot : Terminal}
          className="text-faint"
          label={kindLabels[kind]}
        />
      )}
      <span className="max-w-28 truncate font-medium sm:max-w-44">{name}</span>
    </span>
  )
}

const kindLabels = { key: 'Secret key', agent: 'Assistant', operator: 'Command line' }

interface EntryPanelProps {
  entry: AuditEntry | undefined
  clock: Clock
  close: () => void
}

/** One entry of the log, whole, along the edge of the page. */
function EntryPanel({ entry, clock, close }: EntryPanelProps) {
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
