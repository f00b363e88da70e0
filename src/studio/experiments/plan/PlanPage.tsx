import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Panel } from '#ui/page/Panel'
import { Loading, Skeleton } from '#ui/page/Skeleton'
import { type SearchParams, textOf } from '#studio/search-params'
import { type ExperimentParams, openExperiment, titleOf, type OpenExperiment } from '../open-experiment'
import { Checklist } from './Checklist'
import { SampleSize } from './SampleSize'
import { mainEnvironment } from '#flags/flag'
import { getProduct } from '#studio/product'
import { StartExperiment } from '../settings/StartExperiment'
import { whyNot } from '#studio/parts/open-project'
import { AaCheckPanel } from './AaCheckPanel'

interface PlanPageProps {
  params: ExperimentParams
  searchParams: Promise<SearchParams>
}

export const generateMetadata = ({ params }: PlanPageProps): Promise<Metadata> => titleOf(params, 'Plan')

/** The conditions to meet before the start, the estimated duration, and whether the numbers can be trusted. */
export async function PlanPage({ params, searchParams }: PlanPageProps) {
  const { project: slug, experiment: id } = await params
  const search = await searchParams
  const path = textOf(search['path']) ?? ''
  const event = textOf(search['event']) ?? ''
  const opened = await openExperiment(slug, id)
  return (
    <>
      <DraftNotice opened={opened} />
      <Suspense fallback={<PartLoading label="The checklist is being computed" />}>
        <Checklist opened={opened} />
      </Suspense>
      {opened.experiment.kind === 'bandit' ? (
        <Panel title="Sample size">
          <p className="text-pretty">
            A bandit has no planned size: its shares move while it runs, and it is advised to ship a variant
            once that is the best with enough certainty. Start an experiment with fixed shares to plan its
            size.
          </p>
        </Panel>
      ) : (
        <>
          <Suspense
            key={`${path} ${event}`}
            fallback={<PartLoading label="The sample size is being computed" />}
          >
            <SampleSize opened={opened} path={path} event={event} />
          </Suspense>
          <AaCheck opened={opened} />
        </>
      )}
    </>
  )
}

const PartLoading = ({ label }: { label: string }) => (
  <Loading label={label}>
    <Skeleton className="h-64 w-full" />
  </Loading>
)

/** Starts a draft, also from pages other than its settings. */
async function DraftNotice({ opened }: { opened: OpenExperiment }) {
  const { project, viewer, experiment, status } = opened
  if (status !== 'draft') return null
  const flag = await getProduct().flags.find(project.id, experiment.flag, viewer)
  return (
    <StartExperiment
      slug={project.slug}
      experiment={experiment}
      isFlagOn={flag?.environments[mainEnvironment]?.isOn ?? false}
      whyNot={opened.whyNot}
    />
  )
}

/** “Can I trust this on my data?” */
async function AaCheck({ opened }: { opened: OpenExperiment }) {
  const { project, viewer, role, experiment } = opened
  const outcome = await getProduct().experiments.aaChecks.state(project.id, experiment.id, viewer)
  return (
    <AaCheckPanel
      slug={project.slug}
      id={experiment.id}
      check={outcome.done ? outcome.check : { state: 'none' }}
      whyNot={
        whyNot('experiments:write', role) ??
        (experiment.metrics.length === 0 ? 'Add a metric first.' : undefined)
      }
    />
  )
}
