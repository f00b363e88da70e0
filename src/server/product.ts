import { openAlerts, type AlertSenderSettings, type AlertServices, alertJobAtOnceAfter } from '#alerts/open'
import { rolloutNotices } from '#alerts/rollout-notices'
import { type BackupPlan, BackupReports } from '#backups/backup-report'
import type { BackupScheduler } from '#backups/backup-scheduler'
import { type Dashboards, openDashboards } from '#dashboards/dashboards'
import { type Engine, EngineError } from '#engine/engine'
import { experimentJobAtOnceAfter, type ExperimentParts, openExperiments } from '#experiments/open'
import { Exports } from '#exports/exports'
import { type FlagServices, openFlags } from '#flags/open'
import { importJobAtOnceAfter, type ImportParts, jobAtStart, openImports } from '#imports/open'
import { type InsightParts, openInsights } from '#insights/open'
import { openPeople, type PeopleParts } from '#insights/people/open-people'
import { type Job, Jobs } from '#jobs/jobs'
import { letterJobAtOnceAfter, type LetterServices, openLetters } from '#letters/open'
import { MovedEntries } from '#moves/moved-entries'
import type { ObjectStorageAddress } from '#outbound/object-storage'
import { Cohorts } from '#persons/cohorts/cohorts'
import { openPosts, type PostServices } from '#posts/open'
import { storedSurveyBrand } from '#posts/survey-brand'
import type { OidcSettings } from '#projects/oidc-settings'
import { openProjects, type ProjectParts } from '#projects/open'
import { openSignIn, type SignInParts, signInJobAtOnceAfter } from '#projects/open-sign-in'
import { openRetention, type Retention } from '#retention/retention'
import { Search } from '#search/search'
import { Shares } from '#shares/shares'
import { openStore, type StoreSettings } from '#store/open'
import type { Store } from '#store/store'
import { openSurveys, surveyJobAtOnceAfter, type SurveyServices } from '#surveys/open'
import { realWorld, type World } from '#world/world'
import { type FrontBackups, type Collecting, type CollectionSettings, openCollecting } from './collecting'
import { schemasOfSettings, storedAnswers } from './given-from-above'
import type { Log } from './log'

/** The settings for outgoing connections in every process. */
export interface OutboundConfig {
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
  /** Set only in the front. */
  backups?: FrontBackups
  /** The destination and interval of backups, for pages that show it. */
  backupPlan?: BackupPlan | undefined
}

/**
 * All functions of Tilth, built once in every process: the front, the pages and commands each have a product over the
 * same store and engine. Callers pass the viewer, and the product checks access.
 */
export type Product = ProjectParts &
  SignInParts &
  InsightParts &
  PeopleParts &
  ImportParts &
  ExperimentParts &
  AlertServices['parts'] &
  FlagServices['parts'] &
  SurveyServices['parts'] &
  PostServices['parts'] &
  LetterServices['parts'] &
  OtherParts

interface OtherParts {
  /** Identifies this process's product, for tests and for operators of several. */
  readonly instance: string
  readonly engine: Engine | undefined
  /** A project’s data as files. */
  readonly exports: Exports
  readonly movedEntries: MovedEntries
  readonly dashboards: Dashboards
  readonly shares: Shares
  /** Finds things of a project by name. */
  readonly search: Search
  /** Only in the front. */
  readonly intake: Collecting['intake'] | undefined
  /** Only in the front. */
  readonly backups: BackupScheduler | undefined
  readonly backupReports: BackupReports
  readonly retention: Retention
  /** Scheduled jobs; only in the front. */
  readonly jobs: Jobs | undefined
  /** Registers a listener for the topic of every change in any process, within a second. */
  onChange(listener: (topic: string) => void): () => void
  /** The number of changes of the store that this process knows. */
  changeCount(): number
  /** Resolves once what pages show has all changes that another process knows. */
  catchUpTo(changeCount: number): Promise<void>
  /** For how long what is in memory could not be read again after a change. */
  staleMs(): Readonly<Record<'projects' | 'environments' | 'flags' | 'surveys' | 'posts', number>>
  /** Throws if the store does not respond. */
  ping(): Promise<void>
  close(): Promise<void>
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

/** Events still in the journal after this time are stored at the next start. */
const drainMs = 3000

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
  { engine, outbound, intake, alertSender, siteFolder, pagesBuild, uploads }: ProductParts,
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
    warn: (words: string) => (problem: unknown) => intake?.log.warn({ err: problem }, words),
  }
}

async function assemble(dependencies: Dependencies, settings: ProductParts): Promise<Product> {
  const { store, world } = dependencies
  const modules = await openModules(dependencies, settings)
  const { projects, asking, people, flags, surveys, posts, collecting, letters, retention } = modules
  const { alerts, signIn, experiments, imports, dashboards, shares, exports } = modules
  const chores = [alerts, letters, signIn, retention, experiments, imports]
  const jobs =
    collecting &&
    settings.intake &&
    beginJobs([collecting, flags, surveys, posts, ...chores], dependencies, settings.intake.log)
  const parts = {
    ...projects,
    ...flags.parts,
    ...surveys.parts,
    ...posts.parts,
    ...signIn.parts,
    ...asking,
    ...people,
    ...imports.parts,
    ...experiments.parts,
    ...alerts.parts,
    ...letters.parts,
    instance: Buffer.from(world.random(8)).toString('hex'),
    engine: settings.engine,
    exports,
    movedEntries: new MovedEntries(dependencies),
    dashboards,
    shares,
    intake: collecting?.intake,
    backups: collecting?.backups,
    backupReports: new BackupReports({ store, plan: settings.backupPlan }),
    retention,
    jobs,
    ...changesOf(store, { ...projects, ...flags.parts, ...surveys.parts, ...posts.parts }),
    close: async () => {
      jobs?.stop()
      for (const part of [alerts, letters, signIn, imports]) part.close()
      await collecting?.close(drainMs)
      for (const part of [flags, surveys, posts, projects.projects, store]) await part.close()
    },
  }
  return { ...parts, search: new Search(parts) }
}

async function openModules(dependencies: Dependencies, settings: ProductParts) {
  const { store } = dependencies
  const { engine } = settings
  const given = surroundingsOf(dependencies, settings)
  const projects = await openProjects({ ...given, ...schemasOfSettings })
  const cohorts = new Cohorts(dependencies)
  const asking = openInsights({ ...given, ...projects, cohorts, written: engine, ...storedAnswers(store) })
  const people = openPeople({ ...dependencies, ...asking, cohorts })
  const shared = { ...given, ...projects, ...asking, ...people }
  const flags = await openFlags({
    ...shared,
    engine,
    notify: rolloutNotices(shared),
    onTrouble: given.warn('flags are in trouble'),
  })
  const sealed = { ...shared, ...flags.parts, seal: flags.seal }
  const surveys = await openSurveys({
    ...sealed,
    brandOf: storedSurveyBrand(store),
    onTrouble: given.warn('surveys are in trouble'),
  })
  const posts = await openPosts({ ...sealed, onTrouble: given.warn('the site is in trouble') })
  const decisions = { ...flags.parts, seal: flags.seal, askings: flags.askings }
  const collection = engine && settings.intake && { ...settings.intake, engine, backups: settings.backups }
  const collecting =
    collection &&
    (await openCollecting({ ...sealed, ...collection, flags: decisions, surveys: surveys.intake }))
  const intake = collecting?.intake
  const dashboards = openDashboards(sealed)
  const watched = { ...sealed, dashboards, trouble: () => intake?.trouble() }
  const experiments = openExperiments({ ...sealed, guards: flags.guardEngine })
  const readFiles = collection &&
    intake && {
      ...collection,
      history: intake.history,
      onTrouble: given.warn('uploaded files could not be read'),
    }
  return {
    projects,
    asking,
    people,
    flags,
    surveys,
    posts,
    collecting,
    dashboards,
    experiments,
    alerts: openAlerts(watched, settings.alertSender),
    signIn: openSignIn({ ...sealed, onTrouble: settings.onTrouble ?? (() => {}) }),
    letters: openLetters({ ...sealed, ...posts.parts, intake }),
    imports: openImports({ ...dependencies, collecting: readFiles }),
    retention: openRetention(shared),
    exports: new Exports(given),
    shares: new Shares({ ...sealed, ...experiments.parts, dashboards }),
  }
}

/** Changes as a process knows them. Their listeners read the store, and only then know what has changed. */
const changesOf = (
  store: Store,
  {
    projects,
    environments,
    definitions,
    publishedSurveys,
    published,
  }: Pick<Product, 'projects' | 'environments' | 'definitions' | 'publishedSurveys' | 'published'>,
): Pick<Product, 'onChange' | 'changeCount' | 'catchUpTo' | 'staleMs' | 'ping'> => ({
  onChange: (listener) => store.onChange(listener),
  changeCount: () => store.changeCount(),
  async catchUpTo(changeCount) {
    if (store.changeCount() >= changeCount) return
    await store.catchUpTo(changeCount)
    await Promise.all([published.caughtUp(), publishedSurveys.caughtUp()])
  },
  staleMs: () => ({
    projects: projects.staleMs,
    environments: environments.staleMs,
    flags: definitions.staleMs,
    surveys: publishedSurveys.staleMs,
    posts: published.staleMs,
  }),
  ping: () => store.ping(),
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
