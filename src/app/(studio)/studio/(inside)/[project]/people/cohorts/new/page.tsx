import type { Metadata } from 'next'
import { Page } from '#ui/page/Page'
import { paths } from '#app/paths'
import { getProduct } from '#app/product'
import { openProject, whyNot } from '#app/(studio)/open-project'
import { CohortForm } from '../../CohortForm'

export const metadata: Metadata = { title: 'New cohort' }

export default async function NewCohortPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, role, viewer } = await openProject((await params).project)
  const { slug, name } = project

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
        cohorts={await getProduct().cohorts.names(project.id, viewer)}
        whyNot={whyNot('insights:write', role)}
      />
    </Page>
  )
}
