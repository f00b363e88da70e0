import type { ReactNode } from 'react'
import { Page } from '../../../../../../ui/Page'
import { paths } from '../../../../../paths'
import { openProject } from '../../../../open-project'
import { SettingsTabs } from './SettingsTabs'

interface SettingsLayoutProps {
  params: Promise<{ project: string }>
  children: ReactNode
}

export default async function SettingsLayout({ params, children }: SettingsLayoutProps) {
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
