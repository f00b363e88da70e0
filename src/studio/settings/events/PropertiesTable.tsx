'use client'

import { eventLabel } from '#events/taxonomy'
import type { CatalogueProperty } from '#insights/catalogue/catalogue'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { DefineDialog } from './DefineDialog'
import { DefinedName } from './DefinedName'
import { type CatalogueTableProps, CutList } from './EventsTable'

const columns: TableColumn<CatalogueProperty>[] = [
  {
    key: 'name',
    header: 'Property',
    truncate: true,
    cell: ({ key, label, about, definition }) => (
      <DefinedName label={label} name={key} about={definition.description || about} {...definition} />
    ),
  },
  { key: 'of', header: 'Of', cell: ({ type }) => (type === 'event' ? 'Events' : 'People') },
  {
    key: 'events',
    header: 'Sent with',
    wideOnly: true,
    width: '14rem',
    cell: ({ events }) => (events.length > 0 ? <CutList of={events.map(eventLabel)} /> : '–'),
  },
  { key: 'values', header: 'Type', wideOnly: true, cell: ({ values }) => values ?? 'Unknown' },
]

const actionsFor =
  (props: Pick<CatalogueTableProps, 'slug' | 'whyNot'>) =>
  ({ type, key, label, definition }: CatalogueProperty) => (
    <DefineDialog {...props} type={`${type} property`} name={key} label={label} definition={definition} />
  )

/** The properties of the project's events and persons. */
export function PropertiesTable({
  slug,
  whyNot,
  isSearched,
  properties,
}: CatalogueTableProps & { properties: readonly CatalogueProperty[] }) {
  return (
    <Table
      caption="Properties"
      columns={columns}
      rows={properties}
      rowKey={({ type, key }) => `${type} ${key}`}
      empty={
        isSearched ? (
          <EmptyMessage title="No matching properties" body="Try a shorter search." />
        ) : (
          <EmptyMessage title="No properties yet" body="Properties of events and people are listed here." />
        )
      }
      actions={actionsFor({ slug, whyNot })}
    />
  )
}
