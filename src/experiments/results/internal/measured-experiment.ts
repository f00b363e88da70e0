import { flagNamed, versionsOf } from '#flags/store'
import { failedOutcome, type Outcome } from '#projects/problems'
import { answerSettingsOf } from '#insights/project-settings'
import type { Projects } from '#projects/projects'
import type { Store } from '#store/store'
import type { Experiment } from '../../experiment'
import { weightPhases } from '../../bandits/internal/bandit-flag'
import { weightsOf } from '../../bandits/internal/store'
import { type ExperimentPhase, phasesOf } from '../../internal/phases'
import { decisionTime } from '../decision'

/** A started experiment with everything that its queries need. */
export interface MeasuredExperiment {
  experiment: Experiment
  startedAt: Date
  /** The end, the time of the decision, or now. */
  until: Date
  /** Whether nothing after `until` counts. */
  isOver: boolean
  /** The control first. */
  variants: readonly string[]
  /** All variants that the flag has now, in its order. */
  flagVariants: readonly string[]
  phases: readonly ExperimentPhase[]
  /** The currency of the project, in which revenue is. */
  currency: string
}

export interface MeasuringDependencies {
  store: Store
  projects: Pick<Projects, 'numbered'>
}

/**
 * Finds the phases and variants of an experiment that has started. Of what decides nothing counts that came after the time
 * of the decision.
 */
export async function measuredExperiment(
  { store, projects }: MeasuringDependencies,
  experiment: Experiment,
  now: Date,
  { isDecision = false } = {},
): Promise<Outcome<{ measured: MeasuredExperiment }>> {
  const { startedAt, projectId } = experiment
  if (!startedAt) return failedOutcome('The experiment has not started.')
  const flag = await flagNamed(store, projectId, experiment.flag)
  if (!flag) return failedOutcome(`The flag "${experiment.flag}" is gone.`)
  const decidesAt = isDecision ? decisionTime(experiment, startedAt) : undefined
  const end = earlier(experiment.endedAt, decidesAt)
  const until = end && end < now ? end : now
  const phases =
    experiment.kind === 'bandit'
      ? weightPhases(await weightsOf(store, experiment.id), until)
      : phasesOf(await versionsOf(store, flag), startedAt, until)
  const variants = variantsOf(experiment, phases)
  const flagVariants = flag.variants.map(({ key }) => key)
  const isOver = until < now
  const currency = currencyOf(projects, projectId)
  return {
    done: true,
    measured: { experiment, startedAt, until, isOver, variants, flagVariants, phases, currency },
  }
}

/** The currency of a project's amounts. */
export const currencyOf = (projects: MeasuringDependencies['projects'], projectId: number): string =>
  answerSettingsOf({ answers: projects.numbered(projectId)?.answers ?? {} }).currency

const earlier = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one && other ? (one < other ? one : other) : (one ?? other)

/** The control, and every variant that had a share in some phase; one that was removed since is among them. */
function variantsOf({ control }: Experiment, phases: readonly ExperimentPhase[]): string[] {
  const keys = phases.flatMap(({ weights }) => Object.keys(weights))
  return [...new Set([control, ...keys])].slice(0, 10)
}

/** The fields by which every query about an experiment finds its units. */
export const exposureFieldsOf = ({ experiment, variants, phases, until, isOver }: MeasuredExperiment) => ({
  flag: experiment.flag,
  variants,
  exposure: experiment.exposure,
  unit: experiment.unit,
  ...(experiment.entry && { entry: experiment.entry }),
  severalVariants: experiment.severalVariants,
  phases: phases.map(({ startedAt }) => startedAt.toISOString()),
  ...(isOver && { until: until.toISOString() }),
})

/** A bandit’s exposures are assigned by the version of the flag. */
function versionsOfPhases({ phases }: MeasuredExperiment): { versions?: number[] } {
  const versions = phases.flatMap(({ version }) => version ?? [])
  return versions.length > 0 && versions.length === phases.length ? { versions } : {}
}

/** The query for the moments of an experiment’s metrics. */
export const experimentQueryOf = (measured: MeasuredExperiment) => ({
  kind: 'experiment' as const,
  ...exposureFieldsOf(measured),
  ...versionsOfPhases(measured),
  metrics: measured.experiment.metrics.map((metric) => metric.measured),
  lookbackDays: measured.experiment.analysis.lookbackDays,
})
