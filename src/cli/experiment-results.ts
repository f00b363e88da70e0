import { estimateText, valueWords } from '#experiments/results/estimate-words'
import type { ExperimentReport, MetricComparison, MetricReport } from '#experiments/results/report'
import { readingText } from '#experiments/results/result-tables'
import type { Outcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Config } from '#server/config'
import type { Product } from '#server/product'
import { callRunningTilth, refusalIn } from './call-running-tilth'

/** The parts of an experiment in the management API that the command reads. */
export interface ShownResult {
  sentence: string
  report?: Pick<ExperimentReport, 'metrics'> | undefined
}

/** Reads the results from the Tilth that runs, which alone has the engine. */
export async function resultsOfRunning(
  product: Product,
  config: Config,
  { project, experiment }: { project: Project; experiment: string },
): Promise<Outcome<{ result: ShownResult }>> {
  const key = { name: 'tilth experiment show', scopes: ['project:read', 'experiments:read'] }
  return await callRunningTilth({ product, config, project, key }, async (call) => {
    const path = `/api/v1/projects/${project.id}/experiments/${encodeURIComponent(experiment)}/results`
    const answer = await call({ method: 'GET', path })
    if (answer.status !== 200) return refusalIn(answer)
    // the management API of this version answered
    return { done: true, result: JSON.parse(answer.body) as ShownResult }
  })
}

/** A row for each metric and variant; the control first, without an effect. */
export const resultRows = ({ report }: ShownResult): string[][] =>
  (report?.metrics ?? []).flatMap((metric) =>
    metric.values.map(({ variant, value }) => {
      const comparison = metric.comparisons.find((one) => one.variant === variant)
      return [
        metric.name,
        variant,
        valueWords(value, metric),
        effectText(metric, comparison),
        readingText(comparison),
      ]
    }),
  )

function effectText(metric: MetricReport, comparison: MetricComparison | undefined): string {
  if (comparison?.state !== 'estimated') return '–'
  const { relative, absolute } = comparison.adjusted ?? comparison
  return estimateText(relative ?? absolute, metric, { scale: relative ? 'relative' : 'absolute' })
}
