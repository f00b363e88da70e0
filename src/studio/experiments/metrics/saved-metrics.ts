import type { Experiment } from '#experiments/experiment'
import type { SavedMetricChoice } from '../editor/choices'

type ExperimentMetric = Experiment['metrics'][number]

/** Takes the name, goal and definition of a saved metric, and refers to it. */
export const metricOfSaved = (
  metric: ExperimentMetric,
  { id, name, goal, measured }: SavedMetricChoice,
): ExperimentMetric => ({ ...metric, name, goal, measured, savedMetric: id })

/**
 * A change of the name, goal or definition makes the metric a copy: the start of the experiment would otherwise replace
 * them by those of the saved metric. The role and the margin belong to the experiment.
 */
export function changedMetric(metric: ExperimentMetric, part: Partial<ExperimentMetric>): ExperimentMetric {
  const changed = { ...metric, ...part }
  if (!('name' in part || 'goal' in part || 'measured' in part)) return changed
  const { savedMetric: _, ...copy } = changed
  return copy
}

/** Whether the metric refers to a saved one that was not removed since. */
export const isSaved = ({ savedMetric }: ExperimentMetric, saved: readonly SavedMetricChoice[]): boolean =>
  saved.some(({ id }) => id === savedMetric)

/** The saved metrics with these words in their name, description or tags. */
export function searchSaved(saved: readonly SavedMetricChoice[], typed: string): SavedMetricChoice[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return saved.filter(({ name, description, tags }) => {
    const text = [name, description, ...tags].join('\n').toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

export const tagsOf = (saved: readonly SavedMetricChoice[]): string[] =>
  [...new Set(saved.flatMap(({ tags }) => tags))].toSorted()
