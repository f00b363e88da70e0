import type { Insights } from '#insights/ask'
import { operator } from '#projects/access'
import { failedOutcome, type Outcome } from '#projects/problems'
import type { World } from '#world/world'
import type { Experiment } from '../../experiment'
import {
  experimentQueryOf,
  measuredExperiment,
  type MeasuringDependencies,
} from '../../results/internal/measured-experiment'
import { armsOf } from './arms'
import { decisionMetric } from '../bandit'
import type { BanditArm } from '../progress'

interface ArmsDependencies extends MeasuringDependencies {
  world: World
  insights: Pick<Insights, 'ask'>
}

const reader = operator('bandit')

/** Reads what is known of each variant by the decision metric, from the events so far. */
export async function readArms(
  dependencies: ArmsDependencies,
  experiment: Experiment,
): Promise<Outcome<{ arms: BanditArm[] }>> {
  const metric = decisionMetric(experiment)
  if (!metric) return failedOutcome('The bandit has no primary metric. Add one.')
  const found = await measuredExperiment(dependencies, experiment, dependencies.world.now())
  if (!found.done) return found
  const { measured } = found
  const query = { ...experimentQueryOf(measured), metrics: [metric.measured], lookbackDays: 0 }
  const outcome = await dependencies.insights.ask(experiment.projectId, query, reader, { isFresh: true })
  if (!outcome.done) return outcome
  const { phases } = measured
  const variants = Object.keys(phases[0]?.weights ?? {})
  return { done: true, arms: armsOf(outcome.answer, variants, { metric, phases }) }
}
