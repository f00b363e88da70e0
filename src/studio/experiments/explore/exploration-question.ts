import type { ExperimentMetric } from '#experiments/experiment'
import { type SearchParams, textOf } from '#studio/search-params'

/** By what results are divided: units by a property known at the exposure, or a metric by one of its events. */
export const divisions = [
  { value: 'event', label: 'Segments: property of the exposure' },
  { value: 'session', label: 'Segments: property of the session' },
  { value: 'person', label: 'Segments: first-touch property ($initial_…)' },
  { value: 'metric', label: 'Parts: property of the metric’s event' },
] as const
type Division = (typeof divisions)[number]['value']

export interface Exploration {
  by: Division
  key: string
  /** The id of the shown metric. */
  metric: string
}

/** Undefined without a metric. Unknown values of the address become the first ones. */
export function explorationIn(
  search: SearchParams,
  metrics: readonly Pick<ExperimentMetric, 'id'>[],
): Exploration | undefined {
  const metric = metrics.find(({ id }) => id === textOf(search['metric'])) ?? metrics[0]
  const by = divisions.find(({ value }) => value === textOf(search['by']))?.value ?? 'event'
  return metric && { by, key: textOf(search['key'])?.slice(0, 200) ?? '', metric: metric.id }
}
