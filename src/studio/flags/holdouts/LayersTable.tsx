'use client'

import { Layers } from 'lucide-react'
import type { ReactNode } from 'react'
import { percentText } from '#flags/words'
import type { TableColumn } from '#ui/table/column'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { Table } from '#ui/table/Table'
import { removeLayer } from './actions'
import { LayerForm } from './LayerForm'
import { RemoveEntry } from './RemoveEntry'

interface LayerRow {
  id: number
  name: string
  /** In their order. */
  slices: readonly { flag: string; environment: string; from: number; until: number }[]
}

interface LayersTableProps {
  slug: string
  rows: readonly LayerRow[]
  whyNot: string | undefined
  create: ReactNode
}

const columns: TableColumn<LayerRow>[] = [
  {
    key: 'name',
    header: 'Layer',
    cell: ({ name }) => <span className="block max-w-60 truncate">{name}</span>,
  },
  {
    key: 'slices',
    header: 'Slices',
    cell: ({ slices }) =>
      slices.length === 0 ? (
        'No flags'
      ) : (
        <ul className="flex min-w-40 flex-col gap-0.5">
          {slices.map(({ flag, environment, from, until }) => (
            <li key={`${environment} ${flag}`}>
              {flag}: {from} to {percentText(until)} in {environment}
            </li>
          ))}
        </ul>
      ),
  },
]

export function LayersTable({ slug, rows, whyNot, create }: LayersTableProps) {
  return (
    <Table
      caption="Layers"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => String(id)}
      empty={
        <EmptyMessage
          icon={<Icon of={Layers} size="lg" />}
          title="No layers yet"
          body="Use a layer for experiments on the same page: its flags never share a visitor."
          action={create}
        />
      }
      actions={actionsFor(slug, whyNot)}
    />
  )
}

const actionsFor = (slug: string, whyNot: string | undefined) => (row: LayerRow) => (
  <>
    <LayerForm slug={slug} layer={row} whyNot={whyNot} />
    <RemoveEntry
      name={row.name}
      noun="layer"
      consequence="A layer can be removed when no flag uses it."
      remove={() => removeLayer(slug, row.id)}
      whyNot={whyNot}
    />
  </>
)
