import { Plus } from 'lucide-react'
import type { Metadata } from 'next'
import { verdictWords } from '#alerts/verdict-words'
import { watchedMetricWords } from '#alerts/watched-metric-words'
import { conditionWords } from '#alerts/alert-words'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { AlertsTable } from './AlertsTable'
import { AlertTabs } from './AlertTabs'
import { NoMailServer } from '#studio/recipients/NoMailServer'
import { clockOf } from '#studio/parts/RelativeTime'

export const metadata: Metadata = { title: 'Alerts' }

/** Lists the alerts with their states. */
export async function AlertsPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer } = await openProject((await params).project)
  const { alerts } = getProduct()
  const { saved: savedInsights } = getProduct().insights
  const { canMail } = alerts
  const listed = await tryRead(() => alerts.list(project.id, viewer))
  if (!listed.allowed) return <NotAllowed why={listed.why} />

  const { slug, timeZone } = project
  const rows = await Promise.all(
    listed.found.map(
      async ({ id, name, watched, condition, verdict, since, checkedAt, nextCheckAt, mutedUntil }) => ({
        id,
        name,
        words: conditionWords(await watchedMetricWords(project.id, watched, { savedInsights }), condition),
        state: verdict?.state,
        value: verdict && verdictWords(verdict, 'number'),
        since,
        checkedAt,
        nextCheckAt,
        mutedUntil,
      }),
    ),
  )
  return (
    <Page
      title="Alerts"
      description="E-mail and webhook notifications when a number meets a condition."
      breadcrumbs={[{ label: project.name, href: paths.project(slug) }]}
      tabs={<AlertTabs slug={slug} current="alerts" />}
      actions={
        <LinkButton href={paths.newAlert(slug)} variant="primary" icon={<Icon of={Plus} />}>
          New alert
        </LinkButton>
      }
    >
      {!canMail && <NoMailServer slug={slug} untilThen="Webhooks work without it." />}
      <Panel flush>
        <AlertsTable slug={slug} clock={clockOf({ timeZone })} alerts={rows} />
      </Panel>
    </Page>
  )
}
