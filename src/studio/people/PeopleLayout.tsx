import type { ReactNode } from 'react'
import { Page } from '#ui/page/Page'
import { paths } from '#studio/paths'
import { openProject } from '#studio/parts/open-project'
import { PeopleTabs } from './PeopleTabs'

interface PeopleLayoutProps {
  params: Promise<{ project: string }>
  children: ReactNode
}

export async function PeopleLayout({ params, children }: PeopleLayoutProps) {
  const { project } = await openProject((await params).project)

  return (
    <Page
      title="People"
      breadcrumbs={[{ label: project.name, href: paths.project(project.slug) }]}
      tabs={<PeopleTabs slug={project.slug} />}
    >
      {children}
    </Page>
  )
}
