import type { Experiment } from '#experiments/experiment'
import type { ExperimentPlan } from '#experiments/planning/plan'

/** The planned size that an experiment could decide at, unless it does. */
export function sizeToDecideAt(
  { kind, analysis: { method, decision } }: Pick<Experiment, 'kind' | 'analysis'>,
  { plannedSize }: Pick<ExperimentPlan, 'plannedSize'>,
): number | undefined {
  if (kind !== 'fixed' || method === 'sequential' || plannedSize === null) return undefined
  return decision.rule === 'planned-size' && decision.units === plannedSize ? undefined : plannedSize
}
