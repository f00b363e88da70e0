'use client'

import { UsersRound } from 'lucide-react'
import { propertyLabel } from '#events/taxonomy'
import { valueName } from '#events/value-names'
import type { ListedPerson } from '#insights/people/person-records'
import { CopyableId } from '#ui/copy/CopyableId'
import type { TableColumn, Sort } from '#ui/table/column'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { number } from '#ui/format'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Table } from '#ui/table/Table'
import { type PeopleFilter, paths } from '#studio/paths'
import { NamedValue } from '#studio/parts/NamedValue'
import { PersonName } from '#studio/parts/PersonName'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { propertyOfColumn, usualColumns } from './columns'

const columnsFor = (
  columns: readonly string[],
  clock: Clock,
  isSortable: boolean,
): TableColumn<ListedPerson>[] => {
  const fixed = fixedColumnsFor(clock, isSortable)
  return [
    {
      key: 'name',
      header: 'Person',
      cell: ({ label, distinctId, story }) => (
        <PersonName label={label} id={columns.includes('id') ? undefined : distinctId} story={story} />
      ),
      truncate: true,
    },
    ...columns.flatMap((column) => {
      const property = propertyOfColumn(column)
      if (property !== undefined) return propertyColumn(column, property, isSortable)
      return fixed.find(({ key }) => key === column) ?? []
    }),
  ]
}

const propertyColumn = (key: string, property: string, isSortable: boolean): TableColumn<ListedPerson> => ({
  key,
  header: propertyLabel(property),
  sortable: isSortable,
  wideOnly: true,
  cell: ({ properties }) => (
    <span className="block max-w-56 truncate" title={properties[property]}>
      <NamedValue property={property} value={properties[property] ?? ''} />
    </span>
  ),
})

const fixedColumnsFor = (clock: Clock, isSortable: boolean): TableColumn<ListedPerson>[] => [
  {
    key: 'country',
    header: 'Country',
    wideOnly: true,
    cell: ({ properties }) => (
      <NamedValue property="country" value={properties['$geoip_country_code'] ?? ''} />
    ),
  },
  {
    key: 'source',
    header: 'Source',
    about: 'Of the first visit in the period',
    wideOnly: true,
    cell: ({ source }) => source !== undefined && <Cut text={valueName('source', source)} />,
  },
  {
    key: 'page',
    header: 'Last page',
    wideOnly: true,
    cell: ({ lastPage }) => lastPage && <Cut text={lastPage.title || lastPage.path} about={lastPage.path} />,
  },
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
  {
    key: 'id',
    header: 'Distinct id',
    wideOnly: true,
    cell: ({ distinctId }) => (
      <span className="block max-w-64">
        <CopyableId id={distinctId} label="Distinct id" />
      </span>
    ),
  },
]

/** Persons, each leading to their page; sorted by the address where it has parameters. */
export function PersonsTable({
  slug,
  persons,
  clock,
  filter,
  columns = usualColumns,
  isLoading = false,
}: {
  slug: string
  persons: readonly ListedPerson[]
  clock: Clock
  filter?: PeopleFilter
  columns?: readonly string[]
  isLoading?: boolean
}) {
  return (
    <Table
      caption="People"
      columns={columnsFor(columns, clock, filter !== undefined)}
      rows={persons}
      rowKey={({ id }) => id}
      rowHref={({ id }) => paths.person(slug, id)}
      state={isLoading ? 'loading' : 'ready'}
      sort={filter && sortOf(filter)}
      sortHref={
        filter &&
        (({ by, direction }) =>
          paths.people(slug, {
            ...filter,
            sort: by,
            up: direction === 'ascending' ? '1' : undefined,
            page: undefined,
          }))
      }
      empty={<NoPersons slug={slug} isNarrowed={filter !== undefined && isNarrowed(filter)} />}
    />
  )
}

const sortOf = ({ sort = 'last', up }: PeopleFilter): Sort => ({
  by: sort,
  direction: up === undefined ? 'descending' : 'ascending',
})

const isNarrowed = ({ search, filter, cohort, period }: PeopleFilter): boolean =>
  [search, filter, cohort, period].some(Boolean)

const NoPersons = ({ slug, isNarrowed: wasAsked }: { slug: string; isNarrowed: boolean }) =>
  wasAsked ? (
    <EmptyMessage
      icon={<Icon of={UsersRound} size="lg" />}
      title="No matching people"
      body="Try a longer date range or fewer filters."
      action={<LinkButton href={paths.people(slug)}>Clear filters</LinkButton>}
    />
  ) : (
    <EmptyMessage
      icon={<Icon of={UsersRound} size="lg" />}
      title="No people yet"
      body="People appear with their first event. Call identify to link events to a known user."
      action={<LinkButton href={paths.connect(slug)}>Connect a site</LinkButton>}
    />
  )

const Cut = ({ text, about = text }: { text: string; about?: string }) => (
  <span className="block max-w-48 truncate" title={about}>
    {text}
  </span>
)

const SeenTime = ({ at, clock }: { at: string | undefined; clock: Clock }) =>
  at === undefined ? <span className="text-muted">–</span> : <RelativeTime at={new Date(at)} clock={clock} />
