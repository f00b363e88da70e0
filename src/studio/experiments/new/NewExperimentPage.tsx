import type { Metadata } from 'next'
import { Page } from '#ui/page/Page'
import { paths } from '#studio/paths'
import { openProject, whyNot } from '#studio/parts/open-project'
import { type SearchParams, textOf } from '#studio/search-params'
import { loadExperimentChoices } from '../editor/load-choices'
import { NewExperimentForm } from './NewExperimentForm'

export const metadata: Metadata = { title: 'New experiment' }

interface NewExperimentPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

export async function NewExperimentPage({ params, searchParams }: NewExperimentPageProps) {
  const opened = await openProject((await params).project)
  const { project, role } = opened
  const { flag, template } = await searchParams
  return (
    <Page
      title="New experiment"
      breadcrumbs={[
        { label: project.name, href: paths.project(project.slug) },
        { label: 'Experiments', href: paths.experiments(project.slug) },
      ]}
    >
      <NewExperimentForm
        choices={await loadExperimentChoices(opened)}
        flag={textOf(flag)}
        template={textOf(template)}
        whyNot={whyNot('experiments:write', role)}
      />
    </Page>
  )
}
