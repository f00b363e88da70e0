import { MailContacts } from '#alerts/contacts/contacts'
import type { GuardEngine } from '#flags/guards/guard-engine'
import type { FlagServices } from '#flags/open'
import type { Seal } from '#flags/seal'
import type { InsightServices } from '#insights/open'
import type { PersonDirectory } from '#insights/people/person-directory'
import type { Job, OpenedModule } from '#jobs/jobs'
import { emptyAllowlist, parseAllowlist } from '#outbound/allowlist'
import { Outbound } from '#outbound/outbound'
import type { Projects } from '#projects/projects'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { banditJob, Bandits } from './bandits/bandits'
import { readArms } from './bandits/internal/read-arms'
import { ExperimentSetUp } from './experiment-set-up'
import { Experiments } from './experiments'
import { SavedMetrics } from './metrics/saved-metrics'
import { runOnThread } from './planning/internal/aa-check-thread'
import { AaChecks } from './planning/aa-checks'
import { ExperimentPlanning } from './planning/internal/experiment-planning'
import { ProgrammeReports } from './programme/programme'
import { ExperimentResults } from './results/experiment-results'
import { KeptAnswers, wantedAnswersTopic } from './results/internal/kept-answers'
import { ExperimentRollouts } from './rollouts/experiment-rollouts'
import {
  ExperimentWatch,
  type ExperimentWatchDependencies,
  watchJob,
} from './watch/internal/experiment-watch'
import { experimentTopic } from './web/published-experiments'

interface ExperimentDependencies {
  store: Store
  world: World
  projects: Projects
  insights: InsightServices
  people: PersonDirectory
  flags: FlagServices
  /** Takes the steps of ramps. */
  guards: GuardEngine
  notify: ExperimentWatchDependencies['notify']
  /** Encrypts secrets of webhooks. */
  seal: Pick<Seal, 'open' | 'close'>
  /** The value of TILTH_OUTBOUND_ALLOW, which says what webhooks may reach. */
  allow: string | undefined
}

/** Experiments, their planning, results and rollouts. */
export interface ExperimentServices extends Experiments {
  /** Experiments whose weights move by themselves. */
  readonly bandits: Bandits
  readonly setUp: ExperimentSetUp
  /** Metrics that experiments share. */
  readonly metrics: SavedMetrics
  readonly results: ExperimentResults
  /** The experiments of a period together. */
  readonly programme: ProgrammeReports
  /** The ramps of rollouts. */
  readonly rollouts: ExperimentRollouts
  /** Running times and the checklist before a start. */
  readonly planning: ExperimentPlanning
  /** Findings of the analysis in random divisions of the project’s history. */
  readonly aaChecks: AaChecks
}

/** The job to run at once after a change, by the topic of the change. */
export const experimentJobAtOnceAfter: Readonly<Record<string, string>> = {
  [experimentTopic]: banditJob,
  [wantedAnswersTopic]: watchJob,
}

export function openExperiments(given: ExperimentDependencies): OpenedModule<ExperimentServices> {
  const { names, saved: savedInsights } = given.insights
  const { environments } = given.flags
  const contacts = new MailContacts(given)
  const outbound = new Outbound({ allowlist: parseAllowlist(given.allow ?? '') ?? emptyAllowlist })
  const dependencies = { ...given, names, savedInsights, environments, contacts, outbound }
  const experiments = new Experiments(dependencies)
  const shared = { ...dependencies, experiments }
  const answers = new KeptAnswers(dependencies)
  const results = new ExperimentResults({ ...shared, answers })
  const watch = new ExperimentWatch({ ...dependencies, results })
  const bandits = new Bandits({
    ...dependencies,
    readArms: (experiment) => readArms(dependencies, experiment),
  })
  const services = Object.assign(experiments, {
    bandits,
    setUp: new ExperimentSetUp(dependencies),
    metrics: new SavedMetrics(dependencies),
    results,
    programme: new ProgrammeReports({ ...dependencies, answers }),
    rollouts: new ExperimentRollouts({ ...shared, results }),
    planning: new ExperimentPlanning(shared),
    aaChecks: new AaChecks({ ...shared, run: runOnThread }),
  })
  const moveWeights: Job = {
    name: banditJob,
    everyMs: 60_000,
    isShared: true,
    run: () => bandits.run(),
  }
  const lookAtThem: Job = {
    name: watchJob,
    everyMs: 60_000,
    isShared: true,
    run: (turn) => watch.run(turn),
  }
  return { services, jobs: [moveWeights, lookAtThem], close: () => {} }
}
