'use client'

import { valueName } from '#events/value-names'
import type { CatalogueEvent } from '#insights/catalogue/catalogue'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { number } from '#ui/format'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { DefineDialog } from './DefineDialog'
import { DefinedName } from './DefinedName'

export interface CatalogueTableProps {
  slug: string
  clock: Clock
  whyNot: string | undefined
  isSearched: boolean
}

const columnsFor = (clock: Clock): TableColumn<CatalogueEvent>[] => [
  {
    key: 'name',
    header: 'Event',
    truncate: true,
    cell: ({ name, label, about, definition }) => (
      <DefinedName label={label} name={name} about={definition.description || about} {...definition} />
    ),
  },
  { key: 'count', header: 'Last 30 days', numeric: true, cell: ({ count }) => number(count) },
  {
    key: 'first',
    header: 'First seen',
    wideOnly: true,
    cell: ({ firstAt }) => <RelativeTime at={firstAt} clock={clock} />,
  },
  {
    key: 'last',
    header: 'Last seen',
    wideOnly: true,
    cell: ({ lastAt }) => <RelativeTime at={lastAt} clock={clock} />,
  },
  {
    key: 'libraries',
    header: 'Sent by',
    wideOnly: true,
    width: '10rem',
    cell: ({ libraries }) => (
      <CutList of={libraries.length > 0 ? libraries.map((name) => valueName('$lib', name)) : ['Unknown']} />
    ),
  },
]

/** Names in one line, which are cut where there is no room. */
export function CutList({ of: names }: { of: readonly string[] }) {
  const text = names.join(', ')
  return (
    <span className="block truncate" title={text}>
      <bdi>{text}</bdi>
    </span>
  )
}

const actionsFor =
  (props: Pick<CatalogueTableProps, 'slug' | 'whyNot'>) =>
  ({ name, label, definition }: CatalogueEvent) => (
    <DefineDialog {...props} type="event" name={name} label={label} definition={definition} />
  )

/** The events of a project, the most frequent first. */
export function EventsTable({
  slug,
  clock,
  whyNot,
  isSearched,
  events,
}: CatalogueTableProps & { events: readonly CatalogueEvent[] }) {
  return (
    <Table
      caption="Events"
      columns={columnsFor(clock)}
      rows={events}
      rowKey={({ name }) => name}
      empty={
        isSearched ? (
          <EmptyMessage title="No matching events" body="Try a shorter search." />
        ) : (
          <EmptyMessage title="No events yet" body="Events are listed here once the project has sent some." />
        )
      }
      actions={actionsFor({ slug, whyNot })}
    />
  )
}
