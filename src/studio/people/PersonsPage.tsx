import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { Suspense } from 'react'
import { Bookmark } from 'lucide-react'
import { FailedMessage } from '#ui/page/FailedMessage'
import { PagePagination } from '#ui/table/Pagination'
import { Panel } from '#ui/page/Panel'
import { plural } from '#ui/format'
import { type PeopleFilter, paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { openProject, whyNot } from '#studio/parts/open-project'
import type { SearchParams } from '#studio/search-params'
import { clockOf } from '#studio/parts/RelativeTime'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { columnsCookie, columnsIn, usualColumns } from './columns'
import { PersonsFilters } from './PersonsFilters'
import { PersonsTable } from './PersonsTable'
import { personsRequestOf, filterIn, isNarrowed, peopleFilterIn, filterOfList } from './list-filter'

export const metadata: Metadata = { title: 'People' }

interface PersonsPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

const personsPerPage = 50

export async function PersonsPage({ params, searchParams }: PersonsPageProps) {
  const { project, viewer, role } = await openProject((await params).project)
  const filter = peopleFilterIn(await searchParams)
  const { cohorts, lists: personLists } = getProduct().people
  const [names, lists, columns] = await Promise.all([
    cohorts.names(project.id, viewer),
    personLists.list(project.id, viewer),
    chosenColumns(filter),
  ])

  return (
    <>
      <PersonsFilters
        slug={project.slug}
        listFilter={filter}
        filter={filterIn(filter.filter)}
        cohorts={names}
        columns={columns}
        lists={lists.map(({ id, name, memberId, question: saved }) => ({
          id,
          name,
          isShared: memberId === undefined,
          question: filterOfList(saved),
        }))}
        whyNot={whyNot('insights:write', role)}
      />
      <Suspense key={JSON.stringify(filter)} fallback={<Waiting slug={project.slug} columns={columns} />}>
        <Persons slug={project.slug} filter={filter} columns={columns} />
      </Suspense>
    </>
  )
}

/** The columns of the address, or those this browser has chosen last. */
async function chosenColumns({ columns }: PeopleFilter): Promise<readonly string[]> {
  const remembered = (await cookies()).get(columnsCookie)?.value
  return columnsIn(columns) ?? columnsIn(remembered) ?? usualColumns
}

interface PersonsProps {
  slug: string
  filter: PeopleFilter
  columns: readonly string[]
}

async function Persons({ slug, filter, columns }: PersonsProps) {
  const { project, viewer, role } = await openProject(slug)
  const found = await getProduct().people.list(project.id, personsRequestOf(filter), viewer)
  if (!found.done)
    return (
      <FailedMessage
        title="The people could not be loaded"
        body={found.problems.map(({ message }) => message).join(' ')}
      />
    )
  const { persons, total } = found
  const pages = Math.min(Math.ceil(total / personsPerPage), 1000)

  return (
    <>
      <Panel
        flush
        title={plural(total, 'person', 'people')}
        actions={
          isNarrowed(filter) && (
            <SaveListAsCohort slug={slug} filter={filter} whyNot={whyNot('insights:write', role)} />
          )
        }
      >
        <PersonsTable
          slug={slug}
          persons={persons}
          clock={clockOf(project)}
          filter={filter}
          columns={columns}
        />
      </Panel>
      {pages > 1 && (
        <PagePagination
          label="Pages of people"
          page={filter.page ?? 1}
          pages={pages}
          href={(page) => paths.people(slug, { ...filter, page })}
        />
      )}
    </>
  )
}

const Waiting = ({ slug, columns }: Pick<PersonsProps, 'slug' | 'columns'>) => (
  <Panel flush title="People">
    <PersonsTable
      slug={slug}
      persons={[]}
      columns={columns}
      isLoading
      clock={{ now: new Date(0), timeZone: 'UTC' }}
    />
  </Panel>
)

/** Leads to a new cohort that begins with the conditions of the list. */
function SaveListAsCohort({
  slug,
  filter: { period, cohort, filter, search },
  whyNot: refused,
}: {
  slug: string
  filter: PeopleFilter
  /** Why cohorts cannot be saved; undefined if they can. */
  whyNot: string | undefined
}) {
  const reason = refused ?? (search && 'A cohort has no search. Use a filter instead.')
  const look = { size: 'sm', icon: <Icon of={Bookmark} size="sm" /> } as const
  return reason ? (
    <Button {...look} disabledReason={reason}>
      Save as cohort…
    </Button>
  ) : (
    <LinkButton {...look} href={paths.newCohort(slug, { period, cohort, filter })}>
      Save as cohort…
    </LinkButton>
  )
}
