import type { Metadata } from 'next'
import { plural } from '#ui/format'
import { FailedMessage } from '#ui/page/FailedMessage'
import { LinkButton } from '#ui/LinkButton'
import { Panel } from '#ui/page/Panel'
import { PagePagination } from '#ui/table/Pagination'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { clockOf } from '#studio/parts/RelativeTime'
import { tryEngine } from '#studio/parts/refusals'
import { PersonsTable } from '#studio/people/PersonsTable'
import { jsonIn } from '#studio/people/list-filter'
import { type ExperimentParams, openExperiment, titleOf } from '../open-experiment'
import { pageOf, type SearchParams, textOf } from '#studio/search-params'

interface ExposedPeoplePageProps {
  params: ExperimentParams
  searchParams: Promise<SearchParams>
}

const onPage = 100

export const generateMetadata = ({ params }: ExposedPeoplePageProps): Promise<Metadata> =>
  titleOf(params, 'People')

/** The persons behind one number of the exposures; the address names it. */
export async function ExposedPeoplePage({ params, searchParams }: ExposedPeoplePageProps) {
  const { project: slug, experiment: id } = await params
  const { project, viewer } = await openExperiment(slug, id)
  const search = await searchParams
  const point = Object(jsonIn(textOf(search['point'])))
  const page = pageOf(search['page'])
  const found = await tryEngine(() =>
    getProduct().experiments.results.people(project.id, id, { ...point, page }, viewer),
  )
  if (!found.done)
    return (
      <FailedMessage
        title="The people behind this number are not available"
        body={found.problems.map(({ message }) => message).join(' ')}
      />
    )
  const pages = Math.min(Math.ceil(found.total / onPage), 1000)
  return (
    <>
      <Panel
        title={plural(found.total, 'person')}
        actions={
          <LinkButton size="sm" href={paths.experimentExposures(slug, id)}>
            Back to exposures
          </LinkButton>
        }
        flush
      >
        <PersonsTable slug={slug} persons={found.persons} clock={clockOf(project)} />
      </Panel>
      {pages > 1 && (
        <PagePagination
          label="Pages of people"
          page={page}
          pages={pages}
          href={(next) => paths.experimentPeople(slug, id, point, next)}
        />
      )}
    </>
  )
}
