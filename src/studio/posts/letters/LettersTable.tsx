'use client'

import { Mail } from 'lucide-react'
import type { LetterState } from '#letters/letter'
import { Badge } from '#ui/Badge'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { number } from '#ui/format'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { paths } from '#studio/paths'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { letterStateLabels } from './letter-states'

export interface LetterRow {
  id: string
  title: string
  list: string
  state: LetterState
  at: Date
  delivered: number
  clicked: number
  unsubscribed: number
  bounced: number
}

const columnsFor = (clock: Clock): TableColumn<LetterRow>[] => [
  { key: 'title', header: 'Newsletter', truncate: true, cell: ({ title }) => title },
  { key: 'state', header: 'State', cell: ({ state }) => <Badge>{letterStateLabels[state]}</Badge> },
  { key: 'list', header: 'List', wideOnly: true, cell: ({ list }) => list },
  { key: 'at', header: 'Time', wideOnly: true, cell: ({ at }) => <RelativeTime at={at} clock={clock} /> },
  { key: 'delivered', header: 'Delivered', numeric: true, cell: ({ delivered }) => number(delivered) },
  { key: 'clicked', header: 'Clicked', numeric: true, cell: ({ clicked }) => number(clicked) },
  {
    key: 'unsubscribed',
    header: 'Unsubscribed',
    numeric: true,
    wideOnly: true,
    cell: ({ unsubscribed }) => number(unsubscribed),
  },
  {
    key: 'bounced',
    header: 'Bounced',
    numeric: true,
    wideOnly: true,
    cell: ({ bounced }) => number(bounced),
  },
]

export const LettersTable = ({
  slug,
  clock,
  rows,
}: {
  slug: string
  clock: Clock
  rows: readonly LetterRow[]
}) => (
  <Table
    caption="Newsletters"
    columns={columnsFor(clock)}
    rows={rows}
    rowKey={({ id }) => id}
    rowHref={({ id }) => paths.letter(slug, id)}
    empty={
      <EmptyMessage
        icon={<Icon of={Mail} size="lg" />}
        title="No newsletters yet"
        body="Add a sign-up form to a post, then send a post to everyone who confirmed."
        action={<LinkButton href={paths.newLetter(slug)}>New newsletter</LinkButton>}
      />
    }
  />
)
