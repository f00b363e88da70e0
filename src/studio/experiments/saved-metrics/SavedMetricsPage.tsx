import { Bookmark } from 'lucide-react'
import type { Metadata } from 'next'
import { Icon } from '#ui/Icon'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject, whyNot } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { savedMetricChoices } from '../editor/load-choices'
import { SavedMetricList } from './SavedMetricList'

export const metadata: Metadata = { title: 'Saved metrics' }

interface SavedMetricsPageProps {
  params: Promise<{ project: string }>
}

/** Lists the metrics that several experiments use. */
export async function SavedMetricsPage({ params }: SavedMetricsPageProps) {
  const opened = await openProject((await params).project)
  const { slug, name } = opened.project
  const listed = await tryRead(() => savedMetricChoices(opened))
  if (!listed.allowed) return <NotAllowed why={listed.why} />
  return (
    <Page
      title="Saved metrics"
      breadcrumbs={[
        { label: name, href: paths.project(slug) },
        { label: 'Experiments', href: paths.experiments(slug) },
      ]}
    >
      <Panel flush>
        {listed.found.length === 0 ? (
          <EmptyMessage
            icon={<Icon of={Bookmark} size="lg" />}
            title="No saved metrics yet"
            body="Save a metric of an experiment to use it in others."
          />
        ) : (
          <SavedMetricList
            slug={slug}
            metrics={listed.found}
            whyNot={whyNot('experiments:write', opened.role)}
          />
        )}
      </Panel>
    </Page>
  )
}
