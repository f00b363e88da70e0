'use client'

import { Group } from 'lucide-react'
import type { TableColumn } from '#ui/table/column'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { number } from '#ui/format'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Table } from '#ui/table/Table'
import { paths } from '#studio/paths'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'

interface CohortRow {
  id: string
  name: string
  /** The cohort's conditions, in words. */
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
    header: 'People now',
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
        <span className="block truncate text-xs text-muted">created by {createdBy}</span>
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
          title="No cohorts yet"
          body="A cohort is a group of people to filter and break down by: on a plan, bought twice in 30 days, never returned."
          action={mayWrite && <LinkButton href={paths.newCohort(slug)}>Create cohort</LinkButton>}
        />
      }
    />
  )
}
