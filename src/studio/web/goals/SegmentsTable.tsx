'use client'

import { ListFilter, Trash2 } from 'lucide-react'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Badge } from '#ui/Badge'
import type { TableColumn } from '#ui/table/column'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { LinkButton } from '#ui/LinkButton'
import { Panel } from '#ui/page/Panel'
import { Table } from '#ui/table/Table'
import { paths } from '#studio/paths'
import { useDirectChange } from '#studio/parts/Change'
import { removeSegment } from '../changes'
import type { GoalsTableContext } from './GoalsTable'

interface SegmentRow {
  id: string
  name: string
  isShared: boolean
  createdBy: string
  /** The segment's conditions, in words. */
  words: string
}

type SegmentsTableContext = Omit<GoalsTableContext, 'events'>

const columns: TableColumn<SegmentRow>[] = [
  {
    key: 'name',
    header: 'Segment',
    cell: ({ name, isShared }) => (
      <span className="flex items-center gap-2 font-medium">
        {name} {!isShared && <Badge>Only you</Badge>}
      </span>
    ),
  },
  { key: 'words', header: 'Filters', cell: ({ words }) => <bdi>{words}</bdi>, truncate: true },
  { key: 'by', header: 'Created by', cell: ({ createdBy }) => createdBy, wideOnly: true },
]

export function SegmentsTable({
  segments,
  ...context
}: SegmentsTableContext & { segments: readonly SegmentRow[] }) {
  return (
    <Panel flush title="Segments" description="Saved filter conditions.">
      <Table
        caption="Segments"
        columns={columns}
        rows={segments}
        rowKey={({ id }) => id}
        empty={
          <EmptyMessage
            icon={<Icon of={ListFilter} size="lg" />}
            title="No segments yet"
            body="Filter the overview, then save the filters as a segment."
          />
        }
        actions={actionsFor(context)}
      />
    </Panel>
  )
}

const actionsFor = (context: SegmentsTableContext) => (row: SegmentRow) => (
  <SegmentActions row={row} {...context} />
)

function SegmentActions({ row: { id, name }, slug, whyNot }: SegmentsTableContext & { row: SegmentRow }) {
  const { make, question } = useDirectChange()
  return (
    <span className="flex items-center gap-1">
      <LinkButton size="sm" variant="quiet" href={paths.web(slug, [['segment', id]])}>
        Show
      </LinkButton>
      <AlertDialog
        title={`Remove ${name}?`}
        body={<>Links to it show all visitors from then on.{question}</>}
        confirmLabel="Remove segment"
        onConfirm={() => make(() => removeSegment(slug, id), { saved: `${name} removed` })}
        trigger={<IconButton label={`Remove ${name}`} icon={<Icon of={Trash2} />} disabledReason={whyNot} />}
      />
    </span>
  )
}
