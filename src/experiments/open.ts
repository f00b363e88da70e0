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
export class ExperimentServices extends Experiments {
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

  constructor({
    store,
    world,
    projects,
    insights,
    people,
    flags,
    guards,
    seal,
    allow,
  }: ExperimentDependencies) {
    const { names, saved: savedInsights } = insights
    const { environments } = flags
    const contacts = new MailContacts({ store, world, projects })
    const outbound = new Outbound({ allowlist: parseAllowlist(allow ?? '') ?? emptyAllowlist })
    super({ store, world, projects, flags, environments, guards, contacts, outbound, seal })
    const answers = new KeptAnswers({ store, world, insights })
    const results = new ExperimentResults({
      store,
      world,
      projects,
      insights,
      people,
      experiments: this,
      answers,
    })
    this.bandits = new Bandits({
      store,
      world,
      readArms: (experiment) => readArms({ store, world, projects, insights }, experiment),
    })
    this.setUp = new ExperimentSetUp({ savedInsights })
    this.metrics = new SavedMetrics({ store, world })
    this.results = results
    this.programme = new ProgrammeReports({ store, world, projects, insights, answers })
    this.rollouts = new ExperimentRollouts({ store, world, guards, experiments: this, results })
    this.planning = new ExperimentPlanning({ store, world, projects, insights, names, experiments: this })
    this.aaChecks = new AaChecks({ world, insights, experiments: this, run: runOnThread })
  }
}

/** The job to run at once after a change, by the topic of the change. */
export const experimentJobAtOnceAfter: Readonly<Record<string, string>> = {
  [experimentTopic]: banditJob,
  [wantedAnswersTopic]: watchJob,
}

export function openExperiments(dependencies: ExperimentDependencies): OpenedModule<ExperimentServices> {
  const { store, world, notify } = dependencies
  const services = new ExperimentServices(dependencies)
  const { bandits, results } = services
  const watch = new ExperimentWatch({ store, world, notify, results })
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
