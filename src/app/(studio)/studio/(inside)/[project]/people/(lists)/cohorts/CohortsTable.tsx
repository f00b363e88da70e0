'use client'

import { Group } from 'lucide-react'
import type { TableColumn } from '#ui/table/column'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { number } from '#ui/format'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Table } from '#ui/table/Table'
import { paths } from '#app/paths'
import { type Clock, RelativeTime } from '#app/(studio)/RelativeTime'

interface CohortRow {
  id: string
  name: string
  /** Who is in it. */
  words: string
  createdBy: string
  changedAt: Date
  size: number | undefined
}

const columnsFor = (clock: Clock): TableColumn<CohortRow>[] => [
  {
    key: 'name',
    header: 'Cohort',
    truncate: true,
    cell: ({ name, words }) => (
      <>
        {name}
        <span className="ml-2 font-normal text-muted">{words}</span>
      </>
    ),
  },
  {
    key: 'size',
    header: 'Persons now',
    width: '8rem',
    numeric: true,
    cell: ({ size }) => (size === undefined ? '–' : number(size)),
  },
  {
    key: 'changed',
    header: 'Changed',
    width: '12rem',
    wideOnly: true,
    cell: ({ changedAt, createdBy }) => (
      <>
        <RelativeTime at={changedAt} clock={clock} />
        <span className="block truncate text-xs text-muted">made by {createdBy}</span>
      </>
    ),
  },
]

export function CohortsTable({
  slug,
  cohorts,
  clock,
  mayWrite,
}: {
  slug: string
  cohorts: readonly CohortRow[]
  clock: Clock
  mayWrite: boolean
}) {
  return (
    <Table
      caption="Cohorts"
      columns={columnsFor(clock)}
      rows={cohorts}
      rowKey={({ id }) => id}
      rowHref={({ id }) => paths.cohort(slug, id)}
      empty={
        <EmptyMessage
          icon={<Icon of={Group} size="lg" />}
          title="No cohort yet"
          body="Say who belongs together: those who bought twice in 30 days, those on a plan, those who came and never returned."
          action={mayWrite && <LinkButton href={paths.newCohort(slug)}>Make a cohort</LinkButton>}
        />
      }
    />
  )
}
