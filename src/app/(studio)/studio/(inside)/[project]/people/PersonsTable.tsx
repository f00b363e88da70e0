'use client'

import { UsersRound } from 'lucide-react'
import type { PersonSeen } from '../../../../../../insights/people-found'
import { Badge } from '../../../../../../ui/Badge'
import type { Column, Sort } from '../../../../../../ui/column'
import { EmptyMessage } from '../../../../../../ui/EmptyMessage'
import { number } from '../../../../../../ui/format'
import { Icon } from '../../../../../../ui/Icon'
import { LinkButton } from '../../../../../../ui/LinkButton'
import { Table } from '../../../../../../ui/Table'
import { type PeopleQuestion, paths } from '../../../../../paths'
import { type Clock, When } from '../../../../When'

const columnsFor = (clock: Clock, isSortable: boolean): Column<PersonSeen>[] => [
  { key: 'name', header: 'Person', cell: (person) => <Who person={person} />, truncate: true },
  {
    key: 'last',
    header: 'Last seen',
    width: '9rem',
    sortable: isSortable,
    cell: ({ lastSeen }) => <Seen at={lastSeen} clock={clock} />,
  },
  {
    key: 'first',
    header: 'First seen',
    width: '9rem',
    wideOnly: true,
    sortable: isSortable,
    cell: ({ firstSeen }) => <Seen at={firstSeen} clock={clock} />,
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
  persons: readonly PersonSeen[]
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
      empty={<Nobody slug={slug} isNarrowed={question !== undefined && isNarrowed(question)} />}
    />
  )
}

const sortOf = ({ sort = 'last', up }: PeopleQuestion): Sort => ({
  by: sort,
  direction: up === undefined ? 'descending' : 'ascending',
})

const isNarrowed = ({ search, filter, cohort, period }: PeopleQuestion): boolean =>
  [search, filter, cohort, period].some(Boolean)

const Nobody = ({ slug, isNarrowed: wasAsked }: { slug: string; isNarrowed: boolean }) =>
  wasAsked ? (
    <EmptyMessage
      icon={<Icon of={UsersRound} size="lg" />}
      title="Nobody fits"
      body="Ask about a longer period, or with fewer conditions."
      action={<LinkButton href={paths.people(slug)}>Show everybody</LinkButton>}
    />
  ) : (
    <EmptyMessage
      icon={<Icon of={UsersRound} size="lg" />}
      title="Nobody yet"
      body="Persons appear with the first event of theirs. Call identify in your site so that they have a name."
      action={<LinkButton href={paths.connect(slug)}>Connect a site</LinkButton>}
    />
  )

function Who({ person: { name, distinctId, isIdentified } }: { person: PersonSeen }) {
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

const Seen = ({ at, clock }: { at: string | undefined; clock: Clock }) =>
  at === undefined ? <span className="text-muted">–</span> : <When at={new Date(at)} clock={clock} />
