import type { Metadata } from 'next'
import { queryFrom } from '#insights/text/query-text'
import { FailedMessage } from '#ui/page/FailedMessage'
import { plural } from '#ui/format'
import { Page } from '#ui/page/Page'
import { PagePagination } from '#ui/table/Pagination'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { openProject, whyNot } from '#studio/parts/open-project'
import { PersonsTable } from '../PersonsTable'
import { jsonIn } from '../list-filter'
import { SaveAsCohort } from './SaveAsCohort'
import { pageOf, type SearchParams, textOf } from '#studio/search-params'
import { clockOf } from '#studio/parts/RelativeTime'

export const metadata: Metadata = { title: 'People' }

interface PeopleBehindPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

const onPage = 100

/** Lists the persons behind one number of an answer; the query and the number are in the address. */
export async function PeopleBehindPage({ params, searchParams }: PeopleBehindPageProps) {
  const { project, role, viewer } = await openProject((await params).project)
  const { slug, timeZone } = project
  const asked = await searchParams
  const [query, point] = [textOf(asked['question']), textOf(asked['point'])]
  const page = pageOf(asked['page'])
  const found = await getProduct().people.personsBehind(
    project.id,
    queryFrom(query),
    jsonIn(point),
    viewer,
    page,
  )
  if (!found.done)
    return (
      <FailedMessage
        title="The people behind this number are not available"
        body={found.problems.map(({ message }) => message).join(' ')}
      />
    )
  const { persons, total } = found
  const pages = Math.min(Math.ceil(total / onPage), 1000)

  return (
    <Page
      title="People"
      description={plural(total, 'person', 'people')}
      breadcrumbs={[
        { label: project.name, href: paths.project(slug) },
        { label: 'People', href: paths.people(slug) },
      ]}
      actions={
        <SaveAsCohort
          slug={slug}
          question={query ?? ''}
          point={point ?? ''}
          whyNot={
            whyNot('insights:write', role) ?? (total === 0 ? 'There are no people to save.' : undefined)
          }
        />
      }
    >
      <Panel flush>
        <PersonsTable slug={slug} persons={persons} clock={clockOf({ timeZone })} />
      </Panel>
      {pages > 1 && (
        <PagePagination
          label="Pages of people"
          page={page}
          pages={pages}
          href={(next) => paths.personsBehind(slug, Object(queryFrom(query)), Object(jsonIn(point)), next)}
        />
      )}
    </Page>
  )
}
