import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { Alert, AlertChange } from '#alerts/alert'
import { givenRecipients } from '#alerts/recipient-key'
import { may } from '#projects/access'
import { Notice } from '#ui/page/Notice'
import { Page } from '#ui/page/Page'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject, whyNot } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { clockOf, type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { AlertActions } from './AlertActions'
import { type AlertDraft, AlertForm } from './AlertForm'
import { DeliveriesTable } from '#studio/recipients/DeliveriesTable'
import { StateBadge } from './AlertsTable'
import { membersOf } from '#studio/recipients/project-members'
import { trendsOf } from './form-choices'
import { NoMailServer } from '#studio/recipients/NoMailServer'
import { hindrancesOf } from '#studio/recipients/recipients'
import { verdictWords } from '#alerts/verdict-words'
import type { TableColumn } from '#ui/table/column'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Panel } from '#ui/page/Panel'
import { Table } from '#ui/table/Table'

export const metadata: Metadata = { title: 'Alert' }

interface AlertPageProps {
  params: Promise<{ project: string; alert: string }>
}

export async function AlertPage({ params }: AlertPageProps) {
  const { project: named, alert: id } = await params
  const { project, viewer, role } = await openProject(named)
  const { alerts } = getProduct()
  const { canMail } = alerts
  const found = await tryRead(() => alerts.find(project.id, id, viewer))
  if (!found.allowed) return <NotAllowed why={found.why} />
  const alert = found.found
  if (!alert) notFound()

  const { slug, timeZone } = project
  const clock = clockOf({ timeZone })
  const mayChange = may('alerts:write', project.id, viewer)
  const [members, trends, changes, deliveries, obstacles] = await Promise.all([
    membersOf(project.id, viewer),
    trendsOf(project.id, viewer),
    alerts.changes(project.id, id, viewer),
    mayChange ? alerts.told(project.id, id, viewer) : undefined,
    alerts.obstacles(alert, viewer),
  ])
  const isMuted = alert.mutedUntil !== undefined && alert.mutedUntil > clock.now
  return (
    <Page
      title={alert.name}
      breadcrumbs={[
        { label: project.name, href: paths.project(slug) },
        { label: 'Alerts', href: paths.alerts(slug) },
      ]}
      description={<StateBadge state={alert.verdict?.state} />}
      actions={
        <AlertActions
          slug={slug}
          id={id}
          name={alert.name}
          isMuted={isMuted}
          whyNot={whyNot('alerts:write', role)}
        />
      }
    >
      {!canMail && <NoMailServer slug={slug} untilThen="Webhooks work without it." />}
      {isMuted && <Notice title="Muted">Checks continue; no notifications are sent.</Notice>}
      {alert.verdict?.state === 'unknown' && (
        <Notice tone="warning" title="The state is unknown">
          {alert.verdict.why}
        </Notice>
      )}
      <AlertForm
        slug={slug}
        id={id}
        draft={draftOf(alert)}
        members={members}
        trends={trends}
        timeZone={timeZone}
        whyNot={whyNot('alerts:write', role)}
        hindrances={hindrancesOf(alert.recipients, obstacles, members)}
      >
        <AlertHistory changes={changes.done ? changes.changes : []} clock={clock} />
        {deliveries?.done && <DeliveriesTable deliveries={deliveries.told} clock={clock} members={members} />}
      </AlertForm>
    </Page>
  )
}

/** As the form has it: without secrets, and without what was found out. */
const draftOf = ({ name, watched, condition, every, recipients, coolDownMinutes }: Alert): AlertDraft => ({
  name,
  watched,
  condition,
  every,
  recipients: givenRecipients(recipients),
  coolDownMinutes,
})

const changeColumns = (clock: Clock): TableColumn<AlertChange>[] => [
  { key: 'at', header: 'Time', width: '10rem', cell: ({ at }) => <RelativeTime at={at} clock={clock} /> },
  {
    key: 'state',
    header: 'State',
    width: '8rem',
    cell: ({ verdict }) => <StateBadge state={verdict.state} />,
  },
  { key: 'value', header: 'Value', cell: ({ verdict }) => verdictWords(verdict, 'number') },
]

function AlertHistory({ changes, clock }: { changes: readonly AlertChange[]; clock: Clock }) {
  return (
    <Panel flush title="History">
      <Table
        caption="Alert history"
        columns={changeColumns(clock)}
        rows={changes}
        rowKey={({ at }) => at.toISOString()}
        empty={<EmptyMessage title="No history yet" body="Every change of state is listed here." />}
      />
    </Panel>
  )
}
