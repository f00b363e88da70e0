import type { Metadata } from 'next'
import { Page } from '#ui/page/Page'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
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
  const { project, role, viewer } = await openProject((await params).project)
  const { slug, name } = project
  const listed = await searchParams

  return (
    <Page
      title="New cohort"
      description="Persons who match the criteria, updated automatically."
      breadcrumbs={[
        { label: name, href: paths.project(slug) },
        { label: 'Cohorts', href: paths.cohorts(slug) },
      ]}
    >
      <CohortForm
        slug={slug}
        begun={Object.keys(listed).length > 0 ? cohortOfFilter(peopleFilterIn(listed)) : undefined}
        cohorts={await getProduct().people.cohorts.names(project.id, viewer)}
        whyNot={whyNot('insights:write', role)}
      />
    </Page>
  )
}
