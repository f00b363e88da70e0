import { metricRoles } from '#experiments/experiment'
import type { EffectScale } from '#statistics/effect'
import { LinkTabs } from '#ui/page/LinkTabs'
import { FailedMessage } from '#ui/page/FailedMessage'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { AddResultToDashboard } from '#studio/card-placement/AddToDashboard'
import { whyNot } from '#studio/parts/open-project'
import { clockOf } from '#studio/parts/RelativeTime'
import { tryEngine } from '#studio/parts/refusals'
import type { OpenExperiment } from '../open-experiment'
import { GuardrailMargins } from '../rollouts/GuardrailMargins'
import { DownloadMenu } from './DownloadMenu'
import { MetricTable } from './MetricTable'
import { PrintReport } from './PrintReport'
import { ResultAge } from './ResultAge'
import { Units } from './Units'
import { Verdict } from './Verdict'

interface ResultsProps {
  opened: OpenExperiment
  scale: EffectScale
}

/** A button that adds the result to a dashboard. */
async function AddResult({ opened: { project, viewer, role, experiment } }: Pick<ResultsProps, 'opened'>) {
  const boards = await getProduct().dashboards.list(project.id, viewer)
  return (
    <AddResultToDashboard
      slug={project.slug}
      name={experiment.name}
      experiment={experiment.id}
      dashboards={boards
        .filter(({ archivedAt }) => archivedAt === undefined)
        .map(({ id, name }) => ({ id, name }))}
      whyNot={
        experiment.archivedAt
          ? 'The experiment is archived. Restore it first.'
          : whyNot('insights:write', role)
      }
    />
  )
}

/** The results of an experiment: the verdict, the exposed units, and each metric. */
export async function Results({ opened, scale }: ResultsProps) {
  const { project, viewer, experiment, colourOf } = opened
  const result = await tryEngine(() =>
    getProduct().experiments.results.result(project.id, experiment.id, viewer),
  )
  if (!result.done)
    return (
      <FailedMessage
        title="The results could not be computed"
        body={result.problems.map(({ message }) => message).join(' ')}
      />
    )
  const { verdict, sentence, rule, report, byPhase } = result.result
  const clock = clockOf(project)
  const { now } = clock
  const shared = { opened, verdict, sentence, rule }
  if (!report) return <Verdict {...shared} variants={[]} />
  return (
    <div className="flex flex-col gap-5">
      <Verdict {...shared} variants={report.variants.map(({ key }) => key)} />
      <ResultAge result={result.result} slug={project.slug} id={experiment.id} clock={clock} />
      <Units
        report={report}
        colourOf={colourOf}
        {...(experiment.unit.by === 'person' && {
          hrefOf: (variant: string) =>
            paths.experimentPeople(project.slug, experiment.id, { state: 'counted', variant }),
        })}
      />
      {experiment.kind === 'rollout' && (
        <GuardrailMargins metrics={report.metrics} minimumUnits={experiment.analysis.minimumUnits} />
      )}
      {report.metrics.length > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
          <span className="flex flex-wrap gap-2">
            <PrintReport />
            <DownloadMenu slug={project.slug} id={experiment.id} file="results" />
            <AddResult opened={opened} />
          </span>
          <LinkTabs
            label="Effects"
            look="segment"
            tabs={(['relative', 'absolute'] as const).map((one) => ({
              label: one === 'relative' ? 'Relative' : 'Absolute',
              href: paths.experiment(project.slug, experiment.id, one === 'absolute' ? { effects: one } : {}),
              current: one === scale,
            }))}
          />
        </div>
      )}
      {experiment.kind === 'bandit' && (
        <p className="text-xs text-pretty text-muted">
          The weights moved, so each unit counts by the inverse of the probability of its variant. A trend
          over time is then no effect; plain means would make it one.
        </p>
      )}
      {metricRoles.map((role) => (
        <MetricTable
          key={role}
          slug={project.slug}
          {...{ now, experiment, report, colourOf, byPhase, scale, role }}
        />
      ))}
    </div>
  )
}
