import type { Metadata } from 'next'
import { Page } from '../../../../../../../../ui/Page'
import { paths } from '../../../../../../../paths'
import { getProduct } from '../../../../../../../product'
import { openProject, whyNot } from '../../../../../../open-project'
import { CohortForm } from '../../CohortForm'

export const metadata: Metadata = { title: 'New cohort' }

export default async function NewCohortPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, role, viewer } = await openProject((await params).project)
  const { slug, name } = project

  return (
    <Page
      title="New cohort"
      description="Everybody who fits is in it, as of whenever it is asked about."
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
