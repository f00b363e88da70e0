import type { Metadata } from 'next'
import { Page } from '#ui/page/Page'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { liveConditionOf } from '#insights/people/number-queries'
import { NumberProblem } from '#studio/numbers/NumberProblem'
import { numberIn, peopleOfNumber } from '#studio/numbers/people-of-number'
import { NumberCohortForm } from './NumberCohortForm'
import { openProject, whyNot } from '#studio/parts/open-project'
import { CohortForm } from '../CohortForm'
import { cohortOfFilter, peopleFilterIn } from '../list-filter'
import type { SearchParams } from '#studio/search-params'

export const metadata: Metadata = { title: 'New cohort' }

interface NewCohortPageProps {
  params: Promise<{ project: string }>
  /** The list of persons that is saved as a cohort. */
  searchParams: Promise<SearchParams>
}

export async function NewCohortPage({ params, searchParams }: NewCohortPageProps) {
  const opened = await openProject((await params).project)
  const { project, role, viewer } = opened
  const { slug, name } = project
  const listed = await searchParams
  const number = await peopleOfNumber(opened, listed)
  const people = number?.done ? number.people : undefined
  const whyNotWrite = whyNot('insights:write', role)

  return (
    <Page
      title="New cohort"
      description={
        people && !people.canBeLive
          ? 'A list of the people behind the number.'
          : 'People who match the criteria, updated automatically.'
      }
      breadcrumbs={[
        { label: name, href: paths.project(slug) },
        { label: 'Cohorts', href: paths.cohorts(slug) },
      ]}
    >
      {number && !number.done && <NumberProblem {...number} />}
      {people && !people.canBeLive ? (
        <NumberCohortForm slug={slug} people={people} whyNot={whyNotWrite} />
      ) : (
        <CohortForm
          slug={slug}
          begun={people ? liveConditionIn(listed) : begunBy(listed)}
          people={people}
          cohorts={await getProduct().people.cohorts.names(project.id, viewer)}
          whyNot={whyNotWrite}
        />
      )}
    </Page>
  )
}

const begunBy = (listed: SearchParams) =>
  Object.keys(listed).length > 0 ? cohortOfFilter(peopleFilterIn(listed)) : undefined

function liveConditionIn(listed: SearchParams) {
  const number = numberIn(listed)
  return number && liveConditionOf(number)
}
