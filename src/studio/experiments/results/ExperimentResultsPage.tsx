import type { Metadata } from 'next'
import { Suspense } from 'react'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { LinkButton } from '#ui/LinkButton'
import { Loading, Skeleton } from '#ui/page/Skeleton'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { type SearchParams, textOf } from '#studio/search-params'
import { BanditPanel } from '../bandits/BanditPanel'
import { Conclusion } from '../Conclusion'
import { type ExperimentParams, openExperiment, titleOf } from '../open-experiment'
import { Course } from './Course'
import { Results } from './Results'
import { RolloutPanel } from '../rollouts/RolloutPanel'

interface ResultsPageProps {
  params: ExperimentParams
  searchParams: Promise<SearchParams>
}

export const generateMetadata = ({ params }: ResultsPageProps): Promise<Metadata> => titleOf(params)

export async function ExperimentResultsPage({ params, searchParams }: ResultsPageProps) {
  const { project: slug, experiment: id } = await params
  const search = await searchParams
  const scale = textOf(search['effects']) === 'absolute' ? 'absolute' : 'relative'
  const metric = textOf(search['metric'])
  const opened = await openExperiment(slug, id)
  if (!opened.experiment.startedAt)
    return (
      <Panel>
        <EmptyMessage
          title="Not started yet"
          body="Exposures count from the start on. The plan says what is missing and how long it will take; the settings start it."
          action={
            <>
              <LinkButton href={paths.experimentPlan(slug, id)}>See the checklist</LinkButton>
              <LinkButton href={paths.experimentSettings(slug, id)} variant="primary">
                Go to the settings
              </LinkButton>
            </>
          }
        />
      </Panel>
    )
  return (
    <>
      <Conclusion opened={opened} />
      <RolloutPanel opened={opened} />
      <BanditPanel opened={opened} />
      <Suspense key={scale} fallback={<ResultsLoading />}>
        <Results opened={opened} scale={scale} />
      </Suspense>
      <Suspense key={metric} fallback={<Skeleton className="h-72 w-full" />}>
        <Course opened={opened} metric={metric} scale={scale} />
      </Suspense>
    </>
  )
}

const ResultsLoading = () => (
  <Loading label="The results are being computed">
    <div className="flex flex-col gap-5">
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  </Loading>
)
