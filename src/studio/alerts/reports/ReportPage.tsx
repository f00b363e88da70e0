import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Suspense } from 'react'
import { may, type MemberViewer } from '#projects/access'
import { FailedMessage } from '#ui/page/FailedMessage'
import { Notice } from '#ui/page/Notice'
import { Page } from '#ui/page/Page'
import { Skeleton } from '#ui/page/Skeleton'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { FindingList } from '#studio/parts/FindingList'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject, whyNot } from '#studio/parts/open-project'
import { tryRead, tryEngine } from '#studio/parts/refusals'
import { clockOf } from '#studio/parts/RelativeTime'
import type { ReportFigureList, ReportFigures } from '#alerts/report-content'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Panel } from '#ui/page/Panel'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { DeliveriesTable } from '#studio/recipients/DeliveriesTable'
import { membersOf } from '#studio/recipients/project-members'
import { dashboardsOf } from '../form-choices'
import { NoMailServer } from '#studio/recipients/NoMailServer'
import { hindrancesOf } from '#studio/recipients/recipients'
import { ReportForm } from './ReportForm'

export const metadata: Metadata = { title: 'Report' }

interface ReportPageProps {
  params: Promise<{ project: string; report: string }>
}

export async function ReportPage({ params }: ReportPageProps) {
  const { project: named, report: id } = await params
  const { project, viewer, role } = await openProject(named)
  const { reports, canMail } = getProduct().alerts
  const found = await tryRead(() => reports.find(project.id, id, viewer))
  if (!found.allowed) return <NotAllowed why={found.why} />
  const report = found.found
  if (!report) notFound()

  const { slug, timeZone } = project
  const [members, dashboards, deliveries, obstacles] = await Promise.all([
    membersOf(project.id, viewer),
    dashboardsOf(project.id, viewer),
    may('alerts:write', project.id, viewer) ? reports.told(project.id, id, viewer) : undefined,
    reports.obstacles(report, viewer),
  ])
  const { name, about, every, hour, recipients, pausedAt, trouble } = report
  return (
    <Page
      title={name}
      breadcrumbs={[
        { label: project.name, href: paths.project(slug) },
        { label: 'Reports', href: paths.reports(slug) },
      ]}
    >
      {!canMail && <NoMailServer slug={slug} untilThen="Until then, no report is sent." />}
      {trouble && (
        <Notice tone="danger" title="The last report failed">
          {trouble}
        </Notice>
      )}
      <ReportForm
        slug={slug}
        id={id}
        draft={{ name, about, every, hour, recipients, isPaused: pausedAt !== undefined }}
        members={members}
        dashboards={dashboards}
        timeZone={timeZone}
        whyNot={whyNot('alerts:write', role)}
        hindrances={hindrancesOf(recipients, obstacles, members)}
      >
        <Suspense fallback={<Skeleton className="h-96 w-full" />}>
          <Preview projectId={project.id} slug={slug} id={id} viewer={viewer} />
        </Suspense>
        {deliveries?.done && (
          <DeliveriesTable deliveries={deliveries.told} clock={clockOf({ timeZone })} members={members} />
        )}
      </ReportForm>
    </Page>
  )
}

interface PreviewProps {
  projectId: number
  slug: string
  id: string
  viewer: MemberViewer
}

async function Preview({ projectId, slug, id, viewer }: PreviewProps) {
  const outcome = await tryEngine(() => getProduct().alerts.reports.preview(projectId, id, viewer))
  if (outcome.done) {
    const { findings } = outcome.figures
    return (
      <>
        {findings && <FindingList slug={slug} title="First sentences" {...findings} />}
        <FiguresPreview figures={outcome.figures} />
      </>
    )
  }
  return (
    <FailedMessage
      title="The preview failed"
      body={outcome.problems.map(({ message }) => message).join(' ')}
    />
  )
}

type PreviewRow = ReportFigureList['rows'][number]

const columnsFor = (label: string, counted: string): TableColumn<PreviewRow>[] => [
  { key: 'label', header: label, truncate: true, cell: (row) => row.label },
  { key: 'value', header: counted, numeric: true, cell: ({ value }) => value },
  { key: 'change', header: 'Change', numeric: true, cell: ({ change }) => change ?? '' },
]

/** The e-mail's figures as they would be if it were written now. */
function FiguresPreview({
  figures: { period, before, figures, lists, missing },
}: {
  figures: ReportFigures
}) {
  return (
    <Panel title="Preview" description={`${period}, compared with ${before}`} flush>
      {figures.length > 0 && <PreviewTable title="Metric" counted="Value" rows={figures} />}
      {lists.map((list, index) => (
        <PreviewTable key={`${list.title} ${index}`} {...list} />
      ))}
      {missing.map(({ title, why }) => (
        <EmptyMessage key={title} title={`${title} is not available`} body={why} />
      ))}
    </Panel>
  )
}

const PreviewTable = ({ title, counted, rows }: ReportFigureList) => (
  <Table
    caption={title}
    columns={columnsFor(title, counted)}
    rows={rows}
    rowKey={({ label }) => label}
    empty={<EmptyMessage title={title} body="No data in this period." />}
    dense
  />
)
