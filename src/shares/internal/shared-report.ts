import type { Experiment } from '#experiments/experiment'
import type { ExperimentResult, ExperimentResults } from '#experiments/results/experiment-results'
import type { KeyViewer } from '#projects/access'
import type { Project } from '#projects/project'
import { isMetricShown, type ReportParts } from '../report-parts'
import type { SharedExperiment, SharedResult } from '../shares'

/** Limits an experiment to its chosen parts. Results that none of them needs are not asked for. */
export function reportLimitedTo(
  parts: ReportParts,
  experiment: Experiment,
  project: Project,
  { results, viewer }: { results: Pick<ExperimentResults, 'result' | 'course'>; viewer: KeyViewer },
): SharedExperiment {
  const { projectId, id, name } = experiment
  const hasMetrics = experiment.metrics.some((metric) => isMetricShown(parts, metric.id))
  const result = async () => {
    const outcome = await results.result(projectId, id, viewer)
    return outcome.done ? { done: true as const, result: shownResult(parts, outcome.result) } : outcome
  }
  const course = async () => {
    const outcome = await results.course(projectId, id, viewer)
    return outcome.done
      ? { done: true as const, course: outcome.course.filter((metric) => isMetricShown(parts, metric.id)) }
      : outcome
  }
  const hasCourse = parts.course && hasMetrics && experiment.startedAt !== undefined
  return {
    kind: 'experiment',
    name,
    parts,
    experiment: shownExperiment(parts, experiment),
    timeZone: project.timeZone,
    result: parts.verdict || parts.exposures || hasMetrics ? result : undefined,
    course: hasCourse ? course : undefined,
  }
}

/** Leaves out what is not shown, so that no page can draw it. */
const shownExperiment = (parts: ReportParts, experiment: Experiment): Experiment => ({
  ...experiment,
  metrics: experiment.metrics.filter(({ id }) => isMetricShown(parts, id)),
  conclusion: parts.conclusion ? experiment.conclusion : undefined,
  notes: parts.notes ? experiment.notes : '',
  recipients: [],
})

function shownResult(
  parts: ReportParts,
  { verdict, sentence, report, byPhase, flagVariants }: ExperimentResult,
): SharedResult {
  const shown = <Metric extends { id: string }>(metrics: readonly Metric[]) =>
    metrics.filter(({ id }) => isMetricShown(parts, id))
  return {
    verdict: parts.verdict ? { advice: verdict.advice, sentence } : undefined,
    report: report && { ...report, metrics: shown(report.metrics) },
    byPhase: byPhase.map(shown),
    flagVariants,
  }
}
