'use client'

import { History as HistoryIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/Button'
import type { TableColumn } from '#ui/table/column'
import { Dialog } from '#ui/overlay/Dialog'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Table } from '#ui/table/Table'
import { useToast } from '#ui/overlay/Toast'
import { useDirectChange } from '#studio/parts/Change'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { restoreLayout } from './changes'

interface DashboardVersionRow {
  version: number
  cards: number
  changedBy: string
  changedAt: Date
}

interface DashboardHistoryProps {
  slug: string
  id: string
  versions: readonly DashboardVersionRow[]
  clock: Clock
  whyNot?: string
}

const columnsFor = (clock: Clock): TableColumn<DashboardVersionRow>[] => [
  { key: 'version', header: 'Version', numeric: true, cell: ({ version }) => version },
  { key: 'cards', header: 'Cards', numeric: true, cell: ({ cards }) => cards },
  { key: 'when', header: 'Changed', cell: ({ changedAt }) => <RelativeTime at={changedAt} clock={clock} /> },
  { key: 'by', header: 'By', truncate: true, cell: ({ changedBy }) => changedBy },
]

const actionsFor =
  (newest: number | undefined, restore: (version: number) => Promise<void>, whyNot: string | undefined) =>
  ({ version }: DashboardVersionRow) =>
    version !== newest && (
      <Button size="sm" disabledReason={whyNot} onClick={() => void restore(version)}>
        Restore
      </Button>
    )

/** The dashboard's earlier versions, each with a button that restores it. */
export function DashboardHistory({ slug, id, versions, clock, whyNot }: DashboardHistoryProps) {
  const [isOpen, setOpen] = useState(false)
  const showToast = useToast()
  const { make } = useDirectChange()
  const [newest] = versions
  const restore = async (version: number) => {
    const failed = await make(() => restoreLayout(slug, id, version), {
      saved: `Version ${version} restored`,
      onDone: () => setOpen(false),
    })
    if (failed) showToast({ title: failed.error, tone: 'danger' })
  }

  return (
    <Dialog
      title="Version history"
      description="Restore any earlier layout. Restoring creates a new version."
      size="lg"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={<IconButton label="Version history" icon={<Icon of={HistoryIcon} />} />}
    >
      <Table
        caption="Version history"
        columns={columnsFor(clock)}
        rows={versions}
        rowKey={({ version }) => String(version)}
        empty={null}
        actions={actionsFor(newest?.version, restore, whyNot)}
        maxHeight="24rem"
      />
    </Dialog>
  )
}
