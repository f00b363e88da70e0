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
import { useDirectChange } from '#app/(studio)/Change'
import { removeEnvironment, renewEnvironmentKey } from './actions'

interface EnvironmentRow {
  name: string
  writeKey: string
  /** How many flags are on there. */
  on: number
}

const columns: TableColumn<EnvironmentRow>[] = [
  {
    key: 'name',
    header: 'Environment',
    cell: ({ name }) => (
      <span className="flex items-center gap-2 font-medium">
        {name}
        {name === mainEnvironment && <Badge>The project itself</Badge>}
      </span>
    ),
  },
  {
    key: 'key',
    header: 'Write key',
    cell: ({ name, writeKey }) => (
      <span className="block max-w-80 min-w-56 py-1">
        <CopyField label={`Write key of ${name}`} labelHidden value={writeKey} />
      </span>
    ),
  },
  { key: 'on', header: 'Flags on', numeric: true, wideOnly: true, cell: ({ on }) => number(on) },
]

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
      title={`Renew the write key of ${name}?`}
      body={
        <>
          Whatever uses the old one is refused from now on, until it is given the new one.
          {question}
        </>
      }
      confirmLabel="Renew the key"
      onConfirm={() => make(() => renewEnvironmentKey(slug, name), { saved: `${name} has a new write key` })}
      trigger={
        <IconButton
          label={`Renew the key of ${name}`}
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
          Its write key is refused from now on, and how flags are set there is lost. Each flag’s history knows
          how that was.
          {question}
        </>
      }
      confirmLabel="Remove the environment"
      typeToConfirm={name}
      onConfirm={() => make(() => removeEnvironment(slug, name), { saved: `${name} removed` })}
      trigger={<IconButton label={`Remove ${name}`} icon={<Icon of={Trash2} />} disabledReason={whyNot} />}
    />
  )
}
