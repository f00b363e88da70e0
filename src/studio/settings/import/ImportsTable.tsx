'use client'

import { History, Undo2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import type { Import } from '#imports/import'
import { Badge, type Tone } from '#ui/Badge'
import { number } from '#ui/format'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Panel } from '#ui/page/Panel'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { useDirectChange } from '#studio/parts/Change'
import { CalendarDate, type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { undoImport } from './import-actions'

type ImportRow = Omit<Import, 'projectId' | 'fingerprint' | 'source'> & {
  label: string
  isBeingRead: boolean
}

const states: Record<Import['state'], { tone: Tone; word: string }> = {
  running: { tone: 'warning', word: 'Not ended' },
  storing: { tone: 'info', word: 'Being stored' },
  done: { tone: 'success', word: 'Complete' },
  undoing: { tone: 'info', word: 'Being undone' },
  undone: { tone: 'neutral', word: 'Undone' },
}

const columnsFor = (clock: Clock): TableColumn<ImportRow>[] => [
  {
    key: 'files',
    header: 'Import',
    cell: ({ label, name, firstAt, lastAt }) => (
      <span className="block py-0.5">
        <span className="block max-w-72 truncate font-medium">{name}</span>
        <span className="block text-xs text-muted">
          {label}
          {firstAt && lastAt && (
            <>
              , <CalendarDate at={firstAt} clock={clock} /> to <CalendarDate at={lastAt} clock={clock} />
            </>
          )}
        </span>
      </span>
    ),
  },
  {
    key: 'state',
    header: 'State',
    width: '8rem',
    cell: ({ state, isBeingRead }) =>
      isBeingRead ? (
        <Badge tone="info" dot>
          Importing
        </Badge>
      ) : (
        <Badge tone={states[state].tone}>{states[state].word}</Badge>
      ),
  },
  { key: 'rows', header: 'Rows', numeric: true, wideOnly: true, cell: ({ rows }) => number(rows) },
  {
    key: 'events',
    header: 'Events',
    numeric: true,
    cell: ({ kept, sums, profiles, stored, state }) => (
      <>
        {number(stored ?? kept)}
        {state === 'done' && stored !== undefined && stored < kept && (
          <span className="block text-xs text-muted">{number(kept - stored)} were there already</span>
        )}
        {sums > 0 && <span className="block text-xs text-muted">{number(sums)} daily totals</span>}
        {profiles > 0 && (
          <span className="block text-xs text-muted">{number(profiles)} people and groups</span>
        )}
      </>
    ),
  },
  {
    key: 'dropped',
    header: 'Left out',
    wideOnly: true,
    cell: ({ dropped }) => <LeftOut dropped={dropped} />,
  },
  {
    key: 'begun',
    header: 'Begun',
    width: '9rem',
    wideOnly: true,
    cell: ({ createdAt, createdBy }) => (
      <>
        <RelativeTime at={createdAt} clock={clock} />
        <span className="block max-w-40 truncate text-xs text-muted">by {createdBy}</span>
      </>
    ),
  },
]

const LeftOut = ({ dropped }: Pick<ImportRow, 'dropped'>) =>
  Object.entries(dropped).map(([reason, amount]) => (
    <span key={reason} className="block text-xs text-muted">
      {number(amount)} {reason}
    </span>
  ))

const refreshMs = 2000

interface ImportsTableProps {
  slug: string
  clock: Clock
  imports: readonly ImportRow[]
  /** Whether uploaded files are being read. */
  isReading: boolean
}

/** The imports of the project. It refreshes the page while something is in progress. */
export function ImportsTable({ slug, clock, imports, isReading }: ImportsTableProps) {
  const router = useRouter()
  const isUnderWay = isReading || imports.some(({ state }) => state === 'storing' || state === 'undoing')

  useEffect(() => {
    if (!isUnderWay) return undefined
    const timer = setInterval(() => router.refresh(), refreshMs)
    return () => clearInterval(timer)
  }, [isUnderWay, router])

  return (
    <Panel flush title="Imports">
      <Table
        caption="Imports"
        columns={columnsFor(clock)}
        rows={imports}
        rowKey={({ id }) => id}
        empty={
          <EmptyMessage
            icon={<Icon of={History} size="lg" />}
            title="No imports yet"
            body="Choose a product and its files above, or run tilth import on the server."
          />
        }
        actions={actionsFor(slug)}
      />
    </Panel>
  )
}

const actionsFor = (slug: string) => (row: ImportRow) =>
  canBeUndone(row) && <UndoImport slug={slug} row={row} />

const canBeUndone = ({ state }: ImportRow): boolean => state !== 'undone' && state !== 'undoing'

function UndoImport({ slug, row: { id, name, stored, kept, sums } }: { slug: string; row: ImportRow }) {
  const { make, question } = useDirectChange()
  return (
    <AlertDialog
      title={`Undo the import of ${name}?`}
      body={
        <>
          {sums > 0
            ? `Its ${number(sums)} daily totals are deleted.`
            : `Its ${number(stored ?? kept)} events are deleted, and people who have no other event.`}{' '}
          The same files can be imported again.
          {question}
        </>
      }
      confirmLabel="Undo import"
      onConfirm={() => make(() => undoImport(slug, id), { saved: 'The import is being undone' })}
      trigger={<IconButton label={`Undo the import of ${name}`} icon={<Icon of={Undo2} />} />}
    />
  )
}
