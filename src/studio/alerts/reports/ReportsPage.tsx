import { Mail, Plus } from 'lucide-react'
import type { Metadata } from 'next'
import type { Report } from '#alerts/report'
import { reportRhythms } from '#alerts/alert-words'
import { Badge } from '#ui/Badge'
import type { TableColumn } from '#ui/table/column'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { Table } from '#ui/table/Table'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { type Clock, RelativeTime, clockOf } from '#studio/parts/RelativeTime'
import { AlertTabs } from '../AlertTabs'
import { NoMailServer } from '#studio/recipients/NoMailServer'

export const metadata: Metadata = { title: 'Reports' }

const columnsFor = (clock: Clock): TableColumn<Report>[] => [
  {
    key: 'name',
    header: 'Report',
    truncate: true,
    cell: ({ name, every, hour }) => (
      <span className="block py-0.5">
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-xs text-muted">
          {reportRhythms[every]} at {String(hour).padStart(2, '0')}:00
        </span>
      </span>
    ),
  },
  {
    key: 'state',
    header: 'State',
    cell: ({ pausedAt, trouble }) => {
      if (trouble) return <Badge tone="danger">Failed</Badge>
      return pausedAt ? <Badge>Paused</Badge> : <Badge tone="success">On</Badge>
    },
  },
  {
    key: 'sent',
    header: 'Last sent',
    wideOnly: true,
    cell: ({ sentAt }) => (sentAt ? <RelativeTime at={sentAt} clock={clock} /> : 'Never'),
  },
  {
    key: 'next',
    header: 'Next',
    wideOnly: true,
    cell: ({ nextAt, pausedAt }) => (pausedAt ? '–' : <RelativeTime at={nextAt} clock={clock} />),
  },
]

export async function ReportsPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer } = await openProject((await params).project)
  const { reports, canMail } = getProduct().alerts
  const listed = await tryRead(() => reports.list(project.id, viewer))
  if (!listed.allowed) return <NotAllowed why={listed.why} />

  const { slug, timeZone } = project
  return (
    <Page
      title="Reports"
      description="Daily, weekly or monthly e-mails with your numbers."
      breadcrumbs={[{ label: project.name, href: paths.project(slug) }]}
      tabs={<AlertTabs slug={slug} current="reports" />}
      actions={
        <LinkButton href={paths.newReport(slug)} variant="primary" icon={<Icon of={Plus} />}>
          New report
        </LinkButton>
      }
    >
      {!canMail && <NoMailServer slug={slug} untilThen="Until then, no report is sent." />}
      <Panel flush>
        <Table
          caption="Reports"
          columns={columnsFor(clockOf({ timeZone }))}
          rows={listed.found}
          rowKey={({ id }) => id}
          rowHref={({ id }) => paths.report(slug, id)}
          empty={
            <EmptyMessage
              icon={<Icon of={Mail} size="lg" />}
              title="No reports yet"
              body="Send web analytics or a dashboard by e-mail, compared with the previous period."
              action={<LinkButton href={paths.newReport(slug)}>Create report</LinkButton>}
            />
          }
        />
      </Panel>
    </Page>
  )
}
