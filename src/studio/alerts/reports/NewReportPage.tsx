import type { Metadata } from 'next'
import { Page } from '#ui/page/Page'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { openProject, whyNot } from '#studio/parts/open-project'
import { membersOf } from '#studio/recipients/project-members'
import { dashboardsOf } from '../form-choices'
import { NoMailServer } from '#studio/recipients/NoMailServer'
import { ReportForm } from './ReportForm'

export const metadata: Metadata = { title: 'New report' }

interface NewReportProps {
  params: Promise<{ project: string }>
  searchParams: Promise<{ dashboard?: string | string[] }>
}

export async function NewReportPage({ params, searchParams }: NewReportProps) {
  const { project, viewer, role } = await openProject((await params).project)
  const { dashboard } = await searchParams
  const [members, dashboards] = await Promise.all([
    membersOf(project.id, viewer),
    dashboardsOf(project.id, viewer),
  ])
  const about = dashboards.find(({ id }) => id === dashboard)
  const { slug, name, timeZone } = project

  return (
    <Page
      title="New report"
      breadcrumbs={[
        { label: name, href: paths.project(slug) },
        { label: 'Reports', href: paths.reports(slug) },
      ]}
    >
      {!getProduct().alerts.canMail && (
        <NoMailServer slug={slug} untilThen="Until then, no report is sent." />
      )}
      <ReportForm
        slug={slug}
        draft={{
          name: about?.name ?? `${name} weekly`,
          about: about ? { type: 'dashboard', dashboard: about.id } : { type: 'web' },
          every: 'week',
          hour: 8,
          recipients: [{ by: 'member', member: viewer.memberId }],
          isPaused: false,
        }}
        members={members}
        dashboards={dashboards}
        timeZone={timeZone}
        whyNot={whyNot('alerts:write', role)}
      />
    </Page>
  )
}
