import type { Metadata } from 'next'
import { Suspense } from 'react'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Loading, Skeleton } from '#ui/page/Skeleton'
import { Panel } from '#ui/page/Panel'
import type { SearchParams } from '#studio/search-params'
import { explorationIn } from './exploration-question'
import { Explored } from './Explored'
import { ExploreForm } from './ExploreForm'
import { type ExperimentParams, openExperiment, titleOf } from '../open-experiment'

interface ExplorePageProps {
  params: ExperimentParams
  searchParams: Promise<SearchParams>
}

export const generateMetadata = ({ params }: ExplorePageProps): Promise<Metadata> =>
  titleOf(params, 'Explore')

/** The results of segments of the units, or of parts of a metric. */
export async function ExplorePage({ params, searchParams }: ExplorePageProps) {
  const { project: slug, experiment: id } = await params
  const opened = await openExperiment(slug, id)
  const { startedAt, metrics } = opened.experiment
  const exploration = explorationIn(await searchParams, metrics)
  if (!startedAt || !exploration)
    return (
      <Panel>
        <EmptyMessage
          title={startedAt ? 'No metric yet' : 'Not started yet'}
          body="Results can be explored once the experiment runs with at least one metric."
        />
      </Panel>
    )
  return (
    <>
      <Panel
        title="Explore"
        description="Among many segments some differ by chance. Estimates are corrected for their number; test what you find in an experiment of its own."
      >
        <ExploreForm
          key={JSON.stringify(exploration)}
          slug={slug}
          id={id}
          exploration={exploration}
          metrics={metrics.map((metric) => ({ value: metric.id, label: metric.name }))}
        />
      </Panel>
      {exploration.key !== '' && (
        <Suspense
          key={`results of ${JSON.stringify(exploration)}`}
          fallback={
            <Loading label="The results are being computed">
              <Skeleton className="h-64 w-full" />
            </Loading>
          }
        >
          <Explored opened={opened} exploration={exploration} />
        </Suspense>
      )}
    </>
  )
}
