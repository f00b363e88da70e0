'use client'

import { UsersRound } from 'lucide-react'
import type { ListedPerson } from '#insights/people/person-records'
import { Badge } from '#ui/Badge'
import type { TableColumn, Sort } from '#ui/table/column'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { number } from '#ui/format'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Table } from '#ui/table/Table'
import { type PeopleQuestion, paths } from '#app/paths'
import { type Clock, RelativeTime } from '#app/(studio)/RelativeTime'

const columnsFor = (clock: Clock, isSortable: boolean): TableColumn<ListedPerson>[] => [
  { key: 'name', header: 'Person', cell: (person) => <PersonName person={person} />, truncate: true },
  {
    key: 'last',
    header: 'Last seen',
    width: '9rem',
    sortable: isSortable,
    cell: ({ lastSeen }) => <SeenTime at={lastSeen} clock={clock} />,
  },
  {
    key: 'first',
    header: 'First seen',
    width: '9rem',
    wideOnly: true,
    sortable: isSortable,
    cell: ({ firstSeen }) => <SeenTime at={firstSeen} clock={clock} />,
  },
  {
    key: 'events',
    header: 'Events',
    width: '7rem',
    numeric: true,
    wideOnly: true,
    sortable: isSortable,
    cell: ({ events }) => number(events),
  },
]

/** Persons, each leading to their page; sorted by the address where there is a question. */
export function PersonsTable({
  slug,
  persons,
  clock,
  question,
  isLoading = false,
}: {
  slug: string
  persons: readonly ListedPerson[]
  clock: Clock
  question?: PeopleQuestion
  isLoading?: boolean
}) {
  return (
    <Table
      caption="Persons"
      columns={columnsFor(clock, question !== undefined)}
      rows={persons}
      rowKey={({ id }) => id}
      rowHref={({ id }) => paths.person(slug, id)}
      state={isLoading ? 'loading' : 'ready'}
      sort={question && sortOf(question)}
      sortHref={
        question &&
        (({ by, direction }) =>
          paths.people(slug, {
            ...question,
            sort: by,
            up: direction === 'ascending' ? '1' : undefined,
            page: undefined,
          }))
      }
      empty={<NoPersons slug={slug} isNarrowed={question !== undefined && isNarrowed(question)} />}
    />
  )
}

const sortOf = ({ sort = 'last', up }: PeopleQuestion): Sort => ({
  by: sort,
  direction: up === undefined ? 'descending' : 'ascending',
})

const isNarrowed = ({ search, filter, cohort, period }: PeopleQuestion): boolean =>
  [search, filter, cohort, period].some(Boolean)

const NoPersons = ({ slug, isNarrowed: wasAsked }: { slug: string; isNarrowed: boolean }) =>
  wasAsked ? (
    <EmptyMessage
      icon={<Icon of={UsersRound} size="lg" />}
      title="No matching persons"
      body="Try a longer period or fewer conditions."
      action={<LinkButton href={paths.people(slug)}>Show everybody</LinkButton>}
    />
  ) : (
    <EmptyMessage
      icon={<Icon of={UsersRound} size="lg" />}
      title="No persons yet"
      body="Persons appear with their first event. Call identify on your site to give them a name."
      action={<LinkButton href={paths.connect(slug)}>Connect a site</LinkButton>}
    />
  )

function PersonName({ person: { name, distinctId, isIdentified } }: { person: ListedPerson }) {
  return (
    <>
      {name}
      {!isIdentified && (
        <span className="ml-2">
          <Badge>Visitor</Badge>
        </span>
      )}
      {distinctId !== '' && distinctId !== name && (
        <span className="ml-2 font-mono text-xs font-normal text-muted">{distinctId}</span>
      )}
    </>
  )
}

const SeenTime = ({ at, clock }: { at: string | undefined; clock: Clock }) =>
  at === undefined ? <span className="text-muted">–</span> : <RelativeTime at={new Date(at)} clock={clock} />
