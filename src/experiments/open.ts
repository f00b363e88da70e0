import type { Environments } from '#flags/environments'
import type { Flags } from '#flags/flags'
import type { GuardEngine } from '#flags/guards/guard-engine'
import type { Insights } from '#insights/ask'
import type { PersonDirectory } from '#insights/people/person-directory'
import type { SavedInsights } from '#insights/saved/saved-insights'
import type { NameSuggestions } from '#insights/text/name-suggestions'
import type { Job } from '#jobs/jobs'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { banditJob, Bandits } from './bandits/bandits'
import { readArms } from './bandits/read-arms'
import { ExperimentSetUp } from './experiment-set-up'
import { Experiments } from './experiments'
import { SavedMetrics } from './metrics/saved-metrics'
import { runOnThread } from './planning/aa-check-thread'
import { AaChecks } from './planning/aa-checks'
import { ExperimentPlanning } from './planning/experiment-planning'
import { ExperimentResults } from './results/experiment-results'
import { ExperimentRollouts } from './rollouts/experiment-rollouts'
import { experimentTopic } from './web/published-experiments'

interface ExperimentDependencies {
  store: Store
  world: World
  insights: Insights
  names: NameSuggestions
  people: PersonDirectory
  savedInsights: SavedInsights
  flags: Flags
  environments: Environments
  /** Takes the steps of ramps. */
  guards: GuardEngine
}

/** The services for experiments. */
export interface ExperimentParts {
  experiments: Experiments
  /** Experiments whose weights move by themselves. */
  bandits: Bandits
  experimentSetUp: ExperimentSetUp
  savedMetrics: SavedMetrics
  experimentResults: ExperimentResults
  /** The ramps of rollouts. */
  experimentRollouts: ExperimentRollouts
  /** Running times and the checklist before a start. */
  experimentPlanning: ExperimentPlanning
  /** Findings of the analysis in random divisions of the project’s history. */
  aaChecks: AaChecks
}

/** The job to run at once after a change, by the topic of the change. */
export const experimentJobAtOnceAfter: Readonly<Record<string, string>> = { [experimentTopic]: banditJob }

export function openExperiments(dependencies: ExperimentDependencies): {
  parts: ExperimentParts
  jobs: readonly Job[]
} {
  const experiments = new Experiments(dependencies)
  const shared = { ...dependencies, experiments }
  const results = new ExperimentResults(shared)
  const bandits = new Bandits({
    ...dependencies,
    readArms: (experiment) => readArms(dependencies, experiment),
  })
  const parts = {
    experiments,
    bandits,
    experimentSetUp: new ExperimentSetUp(dependencies),
    savedMetrics: new SavedMetrics(dependencies),
    experimentResults: results,
    experimentRollouts: new ExperimentRollouts({ ...shared, results }),
    experimentPlanning: new ExperimentPlanning(shared),
    aaChecks: new AaChecks({ ...shared, run: runOnThread }),
  }
  const moveWeights: Job = {
    name: banditJob,
    everyMs: 60_000,
    isShared: true,
    run: () => bandits.run(),
  }
  return { parts, jobs: [moveWeights] }
}
