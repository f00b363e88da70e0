import type { ReactNode } from 'react'
import { Page } from '#ui/page/Page'
import { paths } from '#studio/paths'
import { openProject } from '#studio/parts/open-project'
import { SettingsTabs } from './SettingsTabs'

interface SettingsLayoutProps {
  params: Promise<{ project: string }>
  children: ReactNode
}

export async function SettingsLayout({ params, children }: SettingsLayoutProps) {
  const { project } = await openProject((await params).project)

  return (
    <Page
      title="Settings"
      breadcrumbs={[{ label: project.name, href: paths.project(project.slug) }]}
      tabs={<SettingsTabs slug={project.slug} />}
    >
      {children}
    </Page>
  )
}
