'use client'

import { Signpost, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ListedRedirect } from '#posts/redirects'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Badge } from '#ui/Badge'
import type { TableColumn } from '#ui/table/column'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Table } from '#ui/table/Table'
import { Tooltip } from '#ui/overlay/Tooltip'
import { useDirectChange } from '#studio/parts/Change'
import { removeRedirect } from './actions'

interface RedirectsTableProps {
  slug: string
  rows: readonly ListedRedirect[]
  whyNot: string | undefined
  create: ReactNode
}

const columns: TableColumn<ListedRedirect>[] = [
  {
    key: 'from',
    header: 'From',
    cell: ({ from }) => <span className="font-mono text-xs wrap-anywhere">{from}</span>,
  },
  {
    key: 'to',
    header: 'To',
    cell: ({ to }) => <span className="font-mono text-xs wrap-anywhere">{to}</span>,
  },
  {
    key: 'origin',
    header: 'Created',
    wideOnly: true,
    width: '9rem',
    cell: ({ isAutomatic }) =>
      isAutomatic ? (
        <Tooltip label="Created when the URL changed.">
          <span>
            <Badge>Automatic</Badge>
          </span>
        </Tooltip>
      ) : (
        'Manual'
      ),
  },
]

export function RedirectsTable({ slug, rows, whyNot, create }: RedirectsTableProps) {
  return (
    <Table
      caption="Redirects"
      columns={columns}
      rows={rows}
      rowKey={({ from }) => from}
      empty={
        <EmptyMessage
          icon={<Icon of={Signpost} size="lg" />}
          title="No redirects"
          body="Changing a published URL creates a redirect automatically. Add redirects for URLs of your old site here."
          action={create}
        />
      }
      actions={actionsFor(slug, whyNot)}
    />
  )
}

const actionsFor =
  (slug: string, whyNot: string | undefined) =>
  ({ from }: ListedRedirect) => <Remove slug={slug} from={from} whyNot={whyNot} />

function Remove({ slug, from, whyNot }: { slug: string; from: string; whyNot: string | undefined }) {
  const { make, question } = useDirectChange()
  return (
    <AlertDialog
      title={`Remove redirect from ${from}?`}
      body={
        <>
          Links to this URL will show “page not found”.
          {question}
        </>
      }
      confirmLabel="Remove redirect"
      onConfirm={() => make(() => removeRedirect(slug, from), { saved: `Redirect from ${from} removed` })}
      trigger={
        <IconButton
          label={`Remove redirect from ${from}`}
          icon={<Icon of={Trash2} />}
          disabledReason={whyNot}
        />
      }
    />
  )
}
