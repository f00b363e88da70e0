'use client'

import { RefreshCw, Trash2 } from 'lucide-react'
import { mainEnvironment } from '#flags/flag'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Badge } from '#ui/Badge'
import type { TableColumn } from '#ui/table/column'
import { CopyField } from '#ui/copy/CopyField'
import { number } from '#ui/format'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Table } from '#ui/table/Table'
import { useDirectChange } from '#studio/parts/Change'
import { removeEnvironment, renewEnvironmentKey } from './actions'

interface EnvironmentRow {
  name: string
  writeKey: string
  /** The number of flags that are on in the environment. */
  on: number
}

const columns: TableColumn<EnvironmentRow>[] = [
  {
    key: 'name',
    header: 'Environment',
    needs: '28rem',
    cell: ({ name }) => <EnvironmentName name={name} />,
  },
  {
    key: 'key',
    header: 'Write key',
    cell: ({ name, writeKey }) => (
      <span className="block max-w-80 min-w-52 py-1">
        <span className="mb-1 block @md/table:hidden">
          <EnvironmentName name={name} />
        </span>
        <CopyField label={`Write key of ${name}`} labelHidden value={writeKey} />
      </span>
    ),
  },
  { key: 'on', header: 'Flags on', numeric: true, wideOnly: true, cell: ({ on }) => number(on) },
]

/** Stacks the name above the key where the table is narrow, otherwise puts it beside the key. */
const EnvironmentName = ({ name }: { name: string }) => (
  <span className="flex items-center gap-2 font-medium">
    {name}
    {name === mainEnvironment && <Badge>Default</Badge>}
  </span>
)

export function EnvironmentsTable({
  slug,
  rows,
  whyNot,
}: {
  slug: string
  rows: readonly EnvironmentRow[]
  whyNot: string | undefined
}) {
  return (
    <Table
      caption="Environments"
      columns={columns}
      rows={rows}
      rowKey={({ name }) => name}
      empty={null}
      actions={actionsFor(slug, whyNot)}
    />
  )
}

const actionsFor = (slug: string, whyNot: string | undefined) =>
  function actions({ name }: EnvironmentRow) {
    if (name === mainEnvironment) return null
    return (
      <>
        <Renew slug={slug} name={name} whyNot={whyNot} />
        <Remove slug={slug} name={name} whyNot={whyNot} />
      </>
    )
  }

interface EnvironmentActionProps {
  slug: string
  name: string
  whyNot: string | undefined
}

function Renew({ slug, name, whyNot }: EnvironmentActionProps) {
  const { make, question } = useDirectChange()
  return (
    <AlertDialog
      title={`Renew write key of ${name}?`}
      body={
        <>
          SDKs with the old key are refused until they use the new one.
          {question}
        </>
      }
      confirmLabel="Renew key"
      onConfirm={() => make(() => renewEnvironmentKey(slug, name), { saved: `Write key of ${name} renewed` })}
      trigger={
        <IconButton
          label={`Renew write key of ${name}`}
          icon={<Icon of={RefreshCw} />}
          disabledReason={whyNot}
        />
      }
    />
  )
}

function Remove({ slug, name, whyNot }: EnvironmentActionProps) {
  const { make, question } = useDirectChange()
  return (
    <AlertDialog
      title={`Remove ${name}?`}
      body={
        <>
          Its write key stops working, and its flag settings are deleted. They stay in each flag’s history.
          {question}
        </>
      }
      confirmLabel="Remove environment"
      typeToConfirm={name}
      onConfirm={() => make(() => removeEnvironment(slug, name), { saved: `${name} removed` })}
      trigger={<IconButton label={`Remove ${name}`} icon={<Icon of={Trash2} />} disabledReason={whyNot} />}
    />
  )
}
