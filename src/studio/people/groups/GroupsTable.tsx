'use client'

import type { GroupProfile } from '#insights/people/person-records'
import type { TableColumn } from '#ui/table/column'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { number } from '#ui/format'
import { Table } from '#ui/table/Table'
import { paths } from '#studio/paths'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'

const columnsFor = (clock: Clock): TableColumn<GroupProfile>[] => [
  {
    key: 'name',
    header: 'Group',
    truncate: true,
    cell: ({ name, key }) => (
      <>
        {name}
        {name !== key && <span className="ml-2 font-mono text-xs font-normal text-muted">{key}</span>}
      </>
    ),
  },
  {
    key: 'persons',
    header: 'People, 30 days',
    width: '10rem',
    numeric: true,
    cell: ({ persons }) => number(persons),
  },
  {
    key: 'last',
    header: 'Last seen',
    width: '9rem',
    wideOnly: true,
    cell: ({ lastSeen }) => (lastSeen ? <RelativeTime at={new Date(lastSeen)} clock={clock} /> : '–'),
  },
]

export function GroupsTable({
  slug,
  groups,
  clock,
}: {
  slug: string
  groups: readonly GroupProfile[]
  clock: Clock
}) {
  return (
    <Table
      caption="Groups"
      columns={columnsFor(clock)}
      rows={groups}
      rowKey={({ key }) => key}
      rowHref={({ type, key }) => paths.group(slug, type, key)}
      empty={<EmptyMessage title="No matching groups" body="Groups appear with their first event." />}
    />
  )
}
