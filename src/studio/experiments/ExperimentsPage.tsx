import { FlaskConical, Plus } from 'lucide-react'
import type { Metadata } from 'next'
import { type ReactNode, Suspense } from 'react'
import { type Experiment, statusOf, outcomeInWords } from '#experiments/experiment'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { type ExperimentsFilter, paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { type Opened, openProject, whyNot } from '#studio/parts/open-project'
import { tryRead, tryEngine } from '#studio/parts/refusals'
import { clockOf, RelativeTime } from '#studio/parts/RelativeTime'
import type { SearchParams } from '#studio/search-params'
import { number } from '#ui/format'
import { Skeleton } from '#ui/page/Skeleton'
import { ExperimentFilters } from './ExperimentFilters'
import { type ExperimentRow, ExperimentsTable } from './ExperimentsTable'
import { experimentStatusLabels } from '#studio/parts/ExperimentStatusBadge'
import { experimentsFilterIn, filterExperiments } from './list-filter'

export const metadata: Metadata = { title: 'Experiments' }

interface ExperimentsPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

/** Lists the experiments of the project. */
export async function ExperimentsPage({ params, searchParams }: ExperimentsPageProps) {
  const opened = await openProject((await params).project)
  const { project, viewer, role } = opened
  const filter = experimentsFilterIn(await searchParams)
  const listed = await tryRead(() => getProduct().experiments.list(project.id, viewer))
  if (!listed.allowed) return <NotAllowed why={listed.why} />

  const { slug, name } = project
  return (
    <Page
      title="Experiments"
      breadcrumbs={[{ label: name, href: paths.project(slug) }]}
      tabs={<StatusTabs slug={slug} filter={filter} experiments={listed.found} />}
      actions={
        <>
          <LinkButton href={paths.experimentProgramme(slug)}>Programme</LinkButton>
          <LinkButton href={paths.savedMetrics(slug)}>Saved metrics</LinkButton>
          <LinkButton href={paths.newExperiment(slug)} variant="primary" icon={<Icon of={Plus} />}>
            New experiment
          </LinkButton>
        </>
      }
    >
      {filterExperiments(listed.found, { status: filter.status }).length === 0 ? (
        <NoExperiments
          slug={slug}
          status={filter.status}
          templates={getProduct().experiments.templates(project.id, viewer)}
        />
      ) : (
        <>
          <ExperimentFilters slug={slug} filter={filter} />
          <Panel flush>
            <ExperimentsTable
              slug={slug}
              clock={clockOf(project)}
              rows={rowsOf(opened, filterExperiments(listed.found, filter))}
              whyNot={whyNot('experiments:write', role)}
            />
          </Panel>
        </>
      )}
    </Page>
  )
}

const tabs = [undefined, 'running', 'draft', 'ended', 'archived'] as const

function StatusTabs({
  slug,
  filter,
  experiments,
}: {
  slug: string
  filter: ExperimentsFilter
  experiments: readonly Experiment[]
}) {
  return (
    <LinkTabs
      label="Experiments"
      tabs={tabs.map((status) => ({
        label: status === undefined ? 'All' : experimentStatusLabels[status],
        href: paths.experiments(slug, { ...filter, status }),
        current: filter.status === status,
        count: filterExperiments(experiments, { status }).length,
      }))}
    />
  )
}

/** Results are a query to the engine for each row, so only the latest are asked for. */
const mostCounted = 10

function rowsOf(opened: Opened, experiments: readonly Experiment[]): ExperimentRow[] {
  const sorted = experiments.toSorted((one, other) => lastDateOf(other) - lastDateOf(one))
  const counted = new Set(
    sorted
      .filter((one) => statusOf(one) === 'running')
      .slice(0, mostCounted)
      .map(({ id }) => id),
  )
  return sorted.map((experiment) => ({
    id: experiment.id,
    name: experiment.name,
    kind: experiment.kind,
    flag: experiment.flag,
    status: statusOf(experiment),
    startedAt: experiment.startedAt,
    result: <ListedResult opened={opened} experiment={experiment} isCounted={counted.has(experiment.id)} />,
  }))
}

const lastDateOf = ({ startedAt, createdAt }: Experiment): number => (startedAt ?? createdAt).getTime()

interface NoExperimentsProps {
  slug: string
  status: ExperimentsFilter['status']
  templates: readonly { id: string; name: string }[]
}

function NoExperiments({ slug, status, templates }: NoExperimentsProps) {
  const icon = <Icon of={FlaskConical} size="lg" />
  return (
    <Panel>
      {status === undefined ? (
        <EmptyMessage
          icon={icon}
          title="No experiments yet"
          body="An experiment shows the variants of a flag to comparable people, measures what they do afterwards, and says which variant is better and how sure that is."
          action={
            <>
              <LinkButton href={paths.newExperiment(slug)} variant="primary">
                Create an experiment
              </LinkButton>
              <p className="mt-3 w-full text-xs text-muted">Or start from a template</p>
              {templates.map(({ id, name }) => (
                <LinkButton key={id} size="sm" href={paths.newExperiment(slug, { template: id })}>
                  {name}
                </LinkButton>
              ))}
            </>
          }
        />
      ) : (
        <EmptyMessage
          icon={icon}
          title={`No ${experimentStatusLabels[status].toLowerCase()} experiments`}
          body={emptyTexts[status]}
          action={<LinkButton href={paths.experiments(slug)}>All experiments</LinkButton>}
        />
      )}
    </Panel>
  )
}

const emptyTexts: Record<NonNullable<ExperimentsFilter['status']>, string> = {
  draft: 'A new experiment is a draft until it starts.',
  running: 'Start a draft to count exposures.',
  ended: 'An experiment ends when it is stopped, or when a variant is shipped.',
  archived: 'Archive an experiment from its menu. Its results stay.',
}

interface ListedResultProps {
  opened: Opened
  experiment: Experiment
  /** Asks the engine; otherwise only what is stored is shown. */
  isCounted: boolean
}

/** The result so far of an experiment in a row of the list. */
function ListedResult({ opened, experiment, isCounted }: ListedResultProps) {
  const { conclusion, startedAt } = experiment
  if (!startedAt) return <span className="text-muted">–</span>
  if (conclusion) {
    const outcome = outcomeInWords(conclusion)
    return <Sentence text={conclusion.note ? `${outcome}: ${conclusion.note}` : outcome} />
  }
  if (!isCounted) return <span className="text-muted">Open it to see its results</span>
  return (
    <Suspense fallback={<Skeleton className="h-3.5 w-40" />}>
      <CountedResult opened={opened} experiment={experiment} />
    </Suspense>
  )
}

async function CountedResult({ opened, experiment }: Omit<ListedResultProps, 'isCounted'>) {
  const { project, viewer } = opened
  const result = await tryEngine(() =>
    getProduct().experiments.results.result(project.id, experiment.id, viewer),
  )
  if (!result.done) return <span className="text-muted">Results are not available now</span>
  const { sentence, report, at } = result.result
  const units = report?.variants.reduce((sum, variant) => sum + variant.units, 0)
  const clock = clockOf(project)
  const isOld = clock.now.getTime() - at.getTime() > 60_000
  return (
    <Sentence
      text={sentence}
      note={
        units !== undefined && (
          <>
            {number(units)} exposed
            {isOld && (
              <>
                {', as known '}
                <RelativeTime at={at} clock={clock} />
              </>
            )}
          </>
        )
      }
    />
  )
}

function Sentence({ text, note }: { text: string; note?: ReactNode }) {
  return (
    <span className="block py-0.5 md:w-72">
      <span title={text} className="line-clamp-2 text-pretty">
        {text}
      </span>
      {note && <span className="block text-xs text-muted tabular-nums">{note}</span>}
    </span>
  )
}
