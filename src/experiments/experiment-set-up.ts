import { metricOfQuery } from '#insights/kinds/experiment/metric-of-query'
import type { MeasuredMetric } from '#insights/kinds/experiment/schema'
import type { SavedInsights } from '#insights/saved/saved-insights'
import { requireRight, type Viewer } from '#projects/access'
import type { Outcome } from '#projects/problems'

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

export class ExperimentSetUp {
  constructor(private readonly dependencies: ExperimentSetUpDependencies) {}

  /** The saved insights of a project as metrics. */
  async insightMetrics(projectId: number, viewer: Viewer): Promise<Outcome<{ metrics: InsightMetric[] }>> {
    requireRight('events:read', projectId, viewer)
    const listed = await this.dependencies.savedInsights.list(projectId, {}, viewer)
    if (!listed.done) return listed
    const metrics = listed.insights.map(({ id, name, question }): InsightMetric => {
      const made = metricOfQuery(question)
      return made.done
        ? { id, name, measured: made.measured, refused: undefined }
        : { id, name, measured: undefined, refused: made.problems[0]?.message }
    })
    return { done: true, metrics }
  }
}
