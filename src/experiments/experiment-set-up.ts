import { metricOfQuestion } from '#insights/kinds/experiment/metric-of-question'
import type { MeasuredMetric } from '#insights/kinds/experiment/question'
import type { SavedInsights } from '#insights/saved/saved-insights'
import { requireRight, type Viewer } from '#projects/access'
import { type Outcome, parseInput } from '#projects/problems'
import { newExperiment } from './experiment-input'

interface ExperimentSetUpDependencies {
  savedInsights: Pick<SavedInsights, 'list'>
}

/** A saved insight as a metric, or why it cannot become one. */
export interface InsightMetric {
  id: string
  name: string
  measured: MeasuredMetric | undefined
  refused: string | undefined
}

/** A new flag for an experiment, as `flags.create` takes it. */
type FlagInput = Record<string, unknown>

/** What an experiment begins with: a flag of its own, and metrics of saved insights. */
export class ExperimentSetUp {
  constructor(private readonly dependencies: ExperimentSetUpDependencies) {}

  /**
   * Completes the input of a flag that is to be created with an experiment: it is off in every environment, and decides
   * by the unit that the experiment counts. An experiment that would be refused afterwards is refused here, so that no
   * flag is left without it.
   */
  flagFor(
    projectId: number,
    {
      flag,
      experiment,
      environments,
    }: { flag: object; experiment: unknown; environments: readonly string[] },
    viewer: Viewer,
  ): Outcome<{ flag: FlagInput }> {
    requireRight('experiments:write', projectId, viewer)
    const parsed = parseInput(newExperiment, experiment)
    if (!parsed.done) return parsed
    const { unit } = parsed.value
    const settings = environments.map(
      (name) => [name, { isOn: false, conditions: [{ percentage: 100 }] }] as const,
    )
    // persons and their sessions get variants by person, as flags do by default
    const bucketBy = unit.by === 'device' || unit.by === 'group' ? { bucketBy: unit } : {}
    return {
      done: true,
      flag: { ...flag, kind: 'variants', ...bucketBy, environments: Object.fromEntries(settings) },
    }
  }

  /** The saved insights of a project as metrics. */
  async insightMetrics(projectId: number, viewer: Viewer): Promise<Outcome<{ metrics: InsightMetric[] }>> {
    requireRight('events:read', projectId, viewer)
    const listed = await this.dependencies.savedInsights.list(projectId, {}, viewer)
    if (!listed.done) return listed
    const metrics = listed.insights.map(({ id, name, question }): InsightMetric => {
      const made = metricOfQuestion(question)
      return made.done
        ? { id, name, measured: made.measured, refused: undefined }
        : { id, name, measured: undefined, refused: made.problems[0]?.message }
    })
    return { done: true, metrics }
  }
}
