import type { Metadata } from 'next'
import { Suspense } from 'react'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Loading, Skeleton } from '#ui/page/Skeleton'
import { Panel } from '#ui/page/Panel'
import { type SearchParams, textOf } from '#studio/search-params'
import { dimensionIn } from './exposure-words'
import { Exposures } from './Exposures'
import { type ExperimentParams, openExperiment, titleOf } from '../open-experiment'

interface ExposuresPageProps {
  params: ExperimentParams
  searchParams: Promise<SearchParams>
}

export const generateMetadata = ({ params }: ExposuresPageProps): Promise<Metadata> =>
  titleOf(params, 'Exposures')

/** The exposed units, those that do not count, and the check of the split against the configured one. */
export async function ExposuresPage({ params, searchParams }: ExposuresPageProps) {
  const { project: slug, experiment: id } = await params
  const search = await searchParams
  const dimension = dimensionIn(textOf(search['by']))
  const opened = await openExperiment(slug, id)
  const metric = opened.experiment.metrics.find((one) => one.id === textOf(search['metric']))?.id
  if (!opened.experiment.startedAt)
    return (
      <Panel>
        <EmptyMessage title="Not started yet" body="Exposures count from the start of the experiment on." />
      </Panel>
    )
  return (
    <Suspense
      key={`${dimension} ${metric}`}
      fallback={
        <Loading label="Exposures are being counted">
          <Skeleton className="h-96 w-full" />
        </Loading>
      }
    >
      <Exposures opened={opened} dimension={dimension} metric={metric} />
    </Suspense>
  )
}
