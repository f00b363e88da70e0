import { FlaskConical } from 'lucide-react'
import type { Metadata } from 'next'
import type { ExperimentProgramme } from '#experiments/programme/experiment-programme'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { FailedMessage } from '#ui/page/FailedMessage'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { type Opened, openProject } from '#studio/parts/open-project'
import { tryEngine } from '#studio/parts/refusals'
import { clockOf } from '#studio/parts/RelativeTime'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import type { SearchParams } from '#studio/search-params'
import { Learnings } from './Learnings'
import { programmeInAddress, type ProgrammeFilter } from './programme-filter'
import { programmeFilterIn } from './read-programme-filter'
import { ProgrammeEffects } from './ProgrammeEffects'
import { ProgrammeFigures } from './ProgrammeFigures'
import { ProgrammeFilters } from './ProgrammeFilters'
import { RefreshUntilKnown } from './RefreshUntilKnown'

export const metadata: Metadata = { title: 'Experiment programme' }

interface ProgrammePageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

/** Shows the experiments that ended in a period together: how many won, and what they are worth. */
export async function ProgrammePage({ params, searchParams }: ProgrammePageProps) {
  const opened = await openProject((await params).project)
  const { slug, name } = opened.project
  const filter = programmeFilterIn(await searchParams)
  const found = await tryEngine(() => programmeOf(opened, filter))
  return (
    <Page
      title="Experiment programme"
      breadcrumbs={[
        { label: name, href: paths.project(slug) },
        { label: 'Experiments', href: paths.experiments(slug) },
      ]}
    >
      {found.done ? (
        <Programme opened={opened} filter={filter} programme={found.programme} />
      ) : (
        <Panel>
          <FailedMessage
            title="The programme could not be read"
            body={found.problems.map(({ message }) => message).join(' ')}
          />
        </Panel>
      )}
    </Page>
  )
}

/** Another period may not have the metric of the address. */
async function programmeOf({ project, viewer }: Opened, filter: ProgrammeFilter) {
  const { programme } = getProduct().experiments
  const outcome = await programme.read(project.id, filter, viewer)
  if (outcome.done || outcome.problems.every(({ field }) => field !== 'metric')) return outcome
  return await programme.read(project.id, { ...filter, metric: undefined }, viewer)
}

interface ProgrammeProps {
  opened: Opened
  filter: ProgrammeFilter
  programme: ExperimentProgramme
}

function Programme({ opened: { project }, filter, programme }: ProgrammeProps) {
  const { slug } = project
  const clock = clockOf(project)
  const { metric, metrics, experiments, ended, pending } = programme
  return (
    <>
      <ProgrammeFilters
        slug={slug}
        filter={{ ...filter, metric: filter.metric && metric?.key }}
        metrics={metrics}
        metric={metric?.key}
      />
      {pending > 0 && <RefreshUntilKnown pending={pending} />}
      {ended === 0 ? (
        <NothingEnded slug={slug} filter={filter} />
      ) : (
        <>
          <ProgrammeFigures programme={programme} />
          {experiments.length === 0 ? (
            <Panel>
              <EmptyMessage
                title="No learning has these words"
                body="The search looks at names, hypotheses, flags, conclusions and notes."
              />
            </Panel>
          ) : (
            <>
              {metric && <ProgrammeEffects {...{ slug, clock, programme, metric }} />}
              <Learnings {...{ slug, clock, experiments }} />
            </>
          )}
        </>
      )}
    </>
  )
}

function NothingEnded({ slug, filter }: { slug: string; filter: ProgrammeFilter }) {
  const isAllTime = filter.period === 'all'
  return (
    <Panel>
      <EmptyMessage
        icon={<Icon of={FlaskConical} size="lg" />}
        title={isAllTime ? 'No experiment has ended yet' : 'No experiment ended in this period'}
        body="End an experiment, or ship one of its variants. This page then shows how many of them win, what the shipped ones are worth together, and what was learned."
        action={
          <>
            <LinkButton href={paths.experiments(slug, { status: 'running' })} variant="primary">
              Running experiments
            </LinkButton>
            {!isAllTime && (
              <LinkButton
                href={paths.experimentProgramme(slug, programmeInAddress({ ...filter, period: 'all' }))}
              >
                All time
              </LinkButton>
            )}
          </>
        }
      />
    </Panel>
  )
}
