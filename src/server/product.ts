import { openAlerts, type AlertSenderSettings, type AlertServices, alertJobAtOnceAfter } from '#alerts/open'
import { experimentNotices } from '#alerts/experiment-notices'
import { rolloutNotices } from '#alerts/rollout-notices'
import { type BackupPlan, BackupReports } from '#backups/backup-report'
import type { BackupScheduler } from '#backups/backup-scheduler'
import { type Dashboards, openDashboards } from '#dashboards/dashboards'
import { type Engine, EngineError } from '#engine/engine'
import { experimentJobAtOnceAfter, type ExperimentServices, openExperiments } from '#experiments/open'
import { recipientsOfExperiment as recipientsOf } from '#experiments/recipients-of-experiment'
import { runningExperiments } from '#experiments/running-experiments'
import { type DeliveryCounts, deliveryCounts } from '#dispatch/delivery-counts'
import { type DeliveryTrouble, deliveryTroubles } from '#dispatch/delivery-troubles'
import { Exports } from '#exports/exports'
import { type FlagServices, openFlags } from '#flags/open'
import { importJobAtOnceAfter, type ImportServices, jobAtStart, openImports } from '#imports/open'
import type { CollectionState } from '#ingest/collection-state'
import { type InsightServices, openInsights } from '#insights/open'
import { type WaitingEvents, waitingEvents } from '#insights/waiting-events'
import { openPeople, type PeopleServices } from '#insights/people/open-people'
import { type Job, Jobs, type OpenedModule } from '#jobs/jobs'
import { letterJobAtOnceAfter, type LetterServices, openLetters } from '#letters/open'
import { MovedEntries } from '#moves/moved-entries'
import type { ObjectStorageAddress } from '#outbound/object-storage'
import { Cohorts } from '#persons/cohorts/cohorts'
import { openPosts, type PostServices } from '#posts/open'
import { storedSurveyBrand } from '#posts/survey-brand'
import type { OidcSettings } from '#projects/oidc-settings'
import { openProjects, type ProjectServices } from '#projects/open'
import { openSignIn, type SignInServices, signInJobAtOnceAfter } from '#projects/open-sign-in'
import { openRetention, type Retention } from '#retention/retention'
import { Search } from '#search/search'
import { Shares } from '#shares/shares'
import { openStore, type StoreSettings } from '#store/open'
import type { Store } from '#store/store'
import { openSurveys, surveyJobAtOnceAfter, type SurveyServices } from '#surveys/open'
import { realWorld, type World } from '#world/world'
import {
  type FrontBackups,
  type CollectionServices,
  type CollectionSettings,
  openCollecting,
} from './internal/collecting'
import { schemasOfSettings, storedAnswers } from './internal/given-from-above'
import type { Log } from './log'

/** The settings for outgoing connections in every process. */
interface OutboundConfig {
  /** The value of TILTH_OUTBOUND_ALLOW. */
  allow: string | undefined
  /** Whether there is a mail server. */
  canMail: boolean
  /** The addresses of this Tilth, the main one first: sites without their own host use it. */
  addresses?: readonly string[]
  /** The origin below which each project’s site has a preview address. */
  previews?: string | undefined
  /** An identity provider whose users may sign in. */
  oidc?: OidcSettings | undefined
}

export interface ProductSettings {
  store: StoreSettings
  /** Absent in commands that need members and keys but no events. */
  engine?: Engine
  world?: World
  /** Rules for outgoing mail and webhooks. If absent, only addresses on the open internet are allowed. */
  outbound?: OutboundConfig | undefined
  /** The absolute path of a folder with posts and pages as files. */
  siteFolder?: string | undefined
  /** Names the program that renders pages, in a process that does. */
  pagesBuild?: string | undefined
  /** The bucket for pictures, in addition to a copy on each front's disk. */
  uploads?: ObjectStorageAddress | undefined
  /** Called with the reason of a failed sign-in through a provider. */
  onTrouble?: (problem: unknown) => void
  /** Set only in the process that sends alerts: the front. */
  alertSender?: AlertSenderSettings
  /** Set only in the process that collects events: the front. */
  intake?: CollectionSettings
  /** Returns what the front says of collecting, in a process that does not collect. */
  collection?: () => CollectionState | undefined
  /** Set only in the front. */
  backups?: FrontBackups
  /** The destination and interval of backups, for pages that show it. */
  backupPlan?: BackupPlan | undefined
}

/**
 * All functions of Tilth, built once in every process: the front, the pages and commands each have a product over the
 * same store and engine. Callers pass the viewer, and the product checks access. A module's main service is a member;
 * the services beside it are reached through it (decision 50).
 */
export interface Product {
  /** Identifies this process's product, for tests and for operators of several. */
  readonly instance: string
  readonly engine: Engine | undefined
  readonly projects: ProjectServices
  readonly signIn: SignInServices
  readonly insights: InsightServices
  readonly people: PeopleServices
  readonly dashboards: Dashboards
  readonly flags: FlagServices
  readonly experiments: ExperimentServices
  readonly surveys: SurveyServices
  readonly posts: PostServices
  readonly letters: LetterServices
  readonly alerts: AlertServices
  readonly shares: Shares
  /** A project’s data as files. */
  readonly exports: Exports
  readonly imports: ImportServices
  readonly movedEntries: MovedEntries
  /** Finds things of a project by name. */
  readonly search: Search
  readonly retention: Retention
  readonly backups: BackupServices
  /** Only in the front. */
  readonly intake: CollectionServices['intake'] | undefined
  /** Scheduled jobs; only in the front. */
  readonly jobs: Jobs | undefined
  readonly changes: StoreChanges
  /** Counts deliveries that wait, failed or were dropped, and addresses that do not answer. */
  deliveryCounts(): Promise<DeliveryCounts>
  /** Names receivers of all projects that have not answered for long, for the operator. */
  deliveryTroubles(): Promise<readonly DeliveryTrouble[]>
  /** Throws if the store does not respond. */
  ping(): Promise<void>
  close(): Promise<void>
}

interface BackupServices extends BackupReports {
  /** Only in the front. */
  readonly scheduler: BackupScheduler | undefined
}

/** Changes of the store as this process knows them. Listeners read the store, and only then know what has changed. */
interface StoreChanges {
  /** Registers a listener for the topic of every change in any process, within a second. */
  onChange(listener: (topic: string) => void): () => void
  /** The number of changes that this process knows. */
  count(): number
  /** Resolves once what pages show has all changes that another process knows. */
  catchUpTo(changeCount: number): Promise<void>
  /** For how long what is in memory could not be read again after a change. */
  staleMs(): Readonly<Record<string, number>>
}

/** A command opens the product for members and keys; queries about events need the running Tilth. */
const notRunning = async () => {
  throw new EngineError('unavailable', 'Events can be asked about only while Tilth runs.')
}
type AskedEngine = Pick<Engine, 'query' | 'queryFile' | 'command'>
const noEngine: AskedEngine = {
  query: notRunning,
  queryFile: notRunning,
  command: notRunning,
}

export async function openProduct({
  store: settings,
  world = realWorld,
  ...parts
}: ProductSettings): Promise<Product> {
  const store = await openStore(settings)
  return await assemble({ store, world, folder: settings.folder }, parts)
}

interface Dependencies {
  store: Store
  world: World
  folder: string
}

type ProductParts = Omit<ProductSettings, 'store' | 'world'>

/** The settings that modules share. */
function surroundingsOf(
  dependencies: Dependencies,
  { engine, outbound, intake, alertSender, siteFolder, pagesBuild, uploads, collection }: ProductParts,
) {
  const { allow, canMail = false, addresses = [], previews, oidc } = outbound ?? {}
  return {
    ...dependencies,
    engine: engine ?? noEngine,
    siteFolder,
    pagesBuild,
    uploads,
    allow,
    canMail,
    addresses,
    address: addresses[0] ?? 'http://localhost',
    previews,
    oidc,
    sender: alertSender,
    mail: alertSender?.mail,
    resolve: alertSender?.resolve,
    isFront: intake !== undefined,
    backlog: new Backlog(dependencies.world, collection),
    warn: (words: string) => (problem: unknown) => intake?.log.warn({ err: problem }, words),
  }
}

async function assemble(dependencies: Dependencies, settings: ProductParts): Promise<Product> {
  const { store, world } = dependencies
  const { opened, collecting, retention, ...parts } = await openModules(dependencies, settings)
  const jobs =
    collecting && settings.intake && beginJobs([retention, ...opened], dependencies, settings.intake.log)
  const { people, insights } = parts
  return {
    ...parts,
    instance: Buffer.from(world.random(8)).toString('hex'),
    engine: settings.engine,
    movedEntries: new MovedEntries(dependencies),
    search: new Search({
      ...parts,
      savedInsights: insights.saved,
      cohorts: people.cohorts,
      names: insights.names,
    }),
    retention,
    backups: Object.assign(new BackupReports({ store, plan: settings.backupPlan }), {
      scheduler: collecting?.services.backups,
    }),
    intake: collecting?.services.intake,
    jobs,
    changes: changesOf(store, opened),
    deliveryCounts: () => deliveryCounts(store, world.now()),
    deliveryTroubles: () => deliveryTroubles(store, world.now()),
    ping: () => store.ping(),
    close: async () => {
      jobs?.stop()
      // the reverse of the order in which they were opened
      for (const part of [...opened.toReversed(), store]) await part.close()
    },
  }
}

/** The events that wait: as this process collects them, or as the front tells it. */
class Backlog {
  /** Opened after what asks for the backlog. */
  intake: CollectionServices['intake'] | undefined

  constructor(
    private readonly world: World,
    private readonly collection: ProductParts['collection'],
  ) {}

  readonly waiting = (projectId: number): WaitingEvents =>
    waitingEvents(this.intake?.state() ?? this.collection?.(), projectId, this.world.now())
}

async function openModules(dependencies: Dependencies, settings: ProductParts) {
  const { engine } = settings
  const given = surroundingsOf(dependencies, settings)
  const { warn, backlog } = given
  const openedProjects = await openProjects({ ...given, ...schemasOfSettings })
  const projects = openedProjects.services
  const cohorts = new Cohorts(dependencies)
  const answers = { ...storedAnswers(dependencies.store), written: engine, waiting: backlog.waiting }
  const insights = openInsights({ ...given, projects, cohorts, ...answers })
  const people = openPeople({ ...dependencies, insights, cohorts })
  const asked = { ...given, projects, insights, people, recipientsOf }
  const guarding = { ...asked, engine, notify: rolloutNotices(asked), runningExperiments }
  const flags = await openFlags({ ...guarding, onTrouble: warn('flags are in trouble') })
  const { seal, requestCounts, services: flagServices } = flags
  const sealed = { ...asked, flags: flagServices, seal }
  const brandOf = storedSurveyBrand(dependencies.store)
  const surveys = await openSurveys({ ...sealed, brandOf, onTrouble: warn('surveys are in trouble') })
  const posts = await openPosts({ ...sealed, onTrouble: warn('the site is in trouble') })
  const collection = engine && settings.intake && { ...settings.intake, engine, backups: settings.backups }
  const answering = { keys: projects.keys, surveys: surveys.intake, requestCounts }
  const collecting = collection && (await openCollecting({ ...sealed, ...collection, ...answering }))
  const intake = (backlog.intake = collecting?.services.intake)
  const told = { guards: flags.guardEngine, notify: experimentNotices(asked) }
  const experiments = openExperiments({ ...sealed, ...told })
  const dashboards = openDashboards({ ...dependencies, insights, experiments: experiments.services })
  const watched = { ...sealed, dashboards, trouble: () => intake?.trouble() }
  const alerts = openAlerts(watched, settings.alertSender)
  const signIn = openSignIn({ ...sealed, onTrouble: settings.onTrouble ?? (() => {}) })
  const letters = openLetters({ ...sealed, posts: posts.services, intake })
  const onTrouble = warn('uploaded files could not be read')
  const reading = collection && intake && { ...collection, history: intake.history, onTrouble }
  const imports = openImports({ ...dependencies, collecting: reading })
  return {
    opened: [
      openedProjects,
      flags,
      surveys,
      posts,
      ...(collecting ? [collecting] : []),
      experiments,
      alerts,
      signIn,
      letters,
      imports,
    ],
    collecting,
    projects,
    insights,
    people,
    dashboards,
    flags: flagServices,
    surveys: surveys.services,
    posts: posts.services,
    experiments: experiments.services,
    alerts: alerts.services,
    signIn: signIn.services,
    letters: letters.services,
    imports: imports.services,
    retention: openRetention(asked),
    exports: new Exports(given),
    shares: new Shares({
      ...sealed,
      dashboards,
      savedInsights: insights.saved,
      annotations: insights.annotations,
      experiments: experiments.services,
      experimentResults: experiments.services.results,
    }),
  }
}

const changesOf = (store: Store, opened: readonly OpenedModule<unknown>[]): StoreChanges => ({
  onChange: (listener) => store.onChange(listener),
  count: () => store.changeCount(),
  async catchUpTo(changeCount) {
    if (store.changeCount() >= changeCount) return
    await store.catchUpTo(changeCount)
    await Promise.all(opened.flatMap((part) => part.caughtUp?.() ?? []))
  },
  staleMs: () => Object.assign({}, ...opened.map((part) => part.staleMs?.() ?? {})),
})

const jobsAtOnceAfter: Readonly<Record<string, string>> = {
  ...alertJobAtOnceAfter,
  ...signInJobAtOnceAfter,
  ...surveyJobAtOnceAfter,
  ...experimentJobAtOnceAfter,
  ...letterJobAtOnceAfter,
  ...importJobAtOnceAfter,
}

function beginJobs(
  parts: readonly ({ jobs: readonly Job[] } | undefined)[],
  dependencies: { store: Store; world: World },
  log: Log,
): Jobs {
  const list = parts.flatMap((part) => part?.jobs ?? [])
  const jobs = new Jobs(list, {
    ...dependencies,
    onTrouble: (problem, job) => log.warn({ err: problem, job }, 'job failed; it runs again when it is due'),
  })
  jobs.begin()
  // what a stop interrupted is continued
  void jobs.hurry(jobAtStart)
  dependencies.store.onChange((topic) => {
    const name = jobsAtOnceAfter[topic]
    if (name !== undefined && list.some((job) => job.name === name)) void jobs.hurry(name)
  })
  return jobs
}
