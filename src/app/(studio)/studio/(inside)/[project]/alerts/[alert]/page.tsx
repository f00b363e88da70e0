import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { Alert } from '../../../../../../../alerts/alert'
import { recipientKey } from '../../../../../../../alerts/recipient-key'
import { may } from '../../../../../../../projects/access'
import { Notice } from '../../../../../../../ui/Notice'
import { Page } from '../../../../../../../ui/Page'
import { paths } from '../../../../../../paths'
import { getProduct } from '../../../../../../product'
import { NotAllowed } from '../../../../../NotAllowed'
import { openProject, whyNot } from '../../../../../open-project'
import { reading } from '../../../../../refusals'
import { AlertActions } from '../AlertActions'
import { type AlertDraft, AlertForm } from '../AlertForm'
import { AlertHistory, ToldTable } from '../AlertHistory'
import { StateBadge } from '../AlertsTable'
import { membersOf, trendsOf } from '../ground'
import { NoMailServer } from '../NoMailServer'
import { hindranceWords, recipientWords } from '../whom'

export const metadata: Metadata = { title: 'Alert' }

interface AlertPageProps {
  params: Promise<{ project: string; alert: string }>
}

export default async function AlertPage({ params }: AlertPageProps) {
  const { project: named, alert: id } = await params
  const { project, viewer, role } = await openProject(named)
  const { alerts, canMail } = getProduct()
  const found = await reading(() => alerts.find(project.id, id, viewer))
  if (!found.allowed) return <NotAllowed why={found.why} />
  const alert = found.found
  if (!alert) notFound()

  const { slug, timeZone } = project
  const clock = { now: new Date(), timeZone }
  const mayChange = may('alerts:write', project.id, viewer)
  const [members, trends, changes, told, hindrances] = await Promise.all([
    membersOf(project.id, viewer),
    trendsOf(project.id, viewer),
    alerts.changes(project.id, id, viewer),
    mayChange ? alerts.told(project.id, id, viewer) : undefined,
    alerts.hindrances(alert, viewer),
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
      {!canMail && <NoMailServer />}
      {isMuted && <Notice title="It is muted">It is looked at all the same, and nobody is told.</Notice>}
      {alert.verdict?.state === 'unknown' && (
        <Notice tone="warning" title="Nothing can be said about it at present">
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
        hindrances={Object.fromEntries(
          alert.recipients.flatMap((one) => {
            const hindrance = hindrances.get(recipientKey(one))
            return hindrance ? [[recipientWords(one, members), hindranceWords[hindrance]]] : []
          }),
        )}
      >
        <AlertHistory changes={changes.done ? changes.changes : []} clock={clock} />
        {told?.done && <ToldTable told={told.told} clock={clock} members={members} />}
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
  recipients: recipients.map((one) => (one.by === 'webhook' ? { by: one.by, url: one.url } : one)),
  coolDownMinutes,
})
