import { Plus } from 'lucide-react'
import type { Metadata } from 'next'
import { verdictWords } from '../../../../../../alerts/verdict-words'
import { watchedWords } from '../../../../../../alerts/watched-words'
import { conditionWords } from '../../../../../../alerts/words'
import { Icon } from '../../../../../../ui/Icon'
import { LinkButton } from '../../../../../../ui/LinkButton'
import { Page } from '../../../../../../ui/Page'
import { Panel } from '../../../../../../ui/Panel'
import { paths } from '../../../../../paths'
import { getProduct } from '../../../../../product'
import { NotAllowed } from '../../../../NotAllowed'
import { openProject } from '../../../../open-project'
import { reading } from '../../../../refusals'
import { AlertsTable } from './AlertsTable'
import { AlertTabs } from './AlertTabs'
import { NoMailServer } from './NoMailServer'

export const metadata: Metadata = { title: 'Alerts' }

/** Every number somebody wants to be told about, and how it stands. */
export default async function AlertsPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer } = await openProject((await params).project)
  const { alerts, savedInsights, canMail } = getProduct()
  const listed = await reading(() => alerts.list(project.id, viewer))
  if (!listed.allowed) return <NotAllowed why={listed.why} />

  const { slug, timeZone } = project
  const rows = await Promise.all(
    listed.found.map(
      async ({ id, name, watched, condition, verdict, since, checkedAt, nextCheckAt, mutedUntil }) => ({
        id,
        name,
        words: conditionWords(await watchedWords(project.id, watched, { savedInsights }), condition),
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
      description="Numbers somebody wants to be told about, by mail or webhook."
      breadcrumbs={[{ label: project.name, href: paths.project(slug) }]}
      tabs={<AlertTabs slug={slug} current="alerts" />}
      actions={
        <LinkButton href={paths.newAlert(slug)} variant="primary" icon={<Icon of={Plus} />}>
          New alert
        </LinkButton>
      }
    >
      {!canMail && <NoMailServer />}
      <Panel flush>
        <AlertsTable slug={slug} clock={{ now: new Date(), timeZone }} alerts={rows} />
      </Panel>
    </Page>
  )
}
