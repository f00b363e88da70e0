import { Dashboards } from '#dashboards/dashboards'
import { Shares } from '#shares/shares'
import { type Engine, EngineError } from '#engine/engine'
import { banditJob, Bandits } from '#experiments/bandits/bandits'
import { readArms } from '#experiments/bandits/read-arms'
import { ExperimentSetUp } from '#experiments/experiment-set-up'
import { Experiments } from '#experiments/experiments'
import { runOnThread } from '#experiments/planning/aa-check-thread'
import { AaChecks } from '#experiments/planning/aa-checks'
import { ExperimentPlanning } from '#experiments/planning/experiment-planning'
import { SavedMetrics } from '#experiments/metrics/saved-metrics'
import { ExperimentResults } from '#experiments/results/experiment-results'
import { ExperimentRollouts } from '#experiments/rollouts/experiment-rollouts'
import { Annotations } from '#insights/annotations/annotations'
import { Exports } from '#exports/exports'
import { ImportRunner, importJob } from '#imports/import-runner'
import { MovedEntries } from '#moves/moved-entries'
import { Imports, importTopic } from '#imports/imports'
import { startReading } from '#imports/reading/reading-process'
import { ImportUploads, uploadTopic } from '#imports/uploads/import-uploads'
import { uploadJob, UploadReader } from '#imports/uploads/upload-reader'
import { Insights } from '#insights/ask'
import { cohortReader } from '#insights/people/cohort-members'
import { Catalogue } from '#insights/catalogue/catalogue'
import { DataDefinitions } from '#insights/catalogue/definitions'
import { Goals } from '#insights/goals/goals'
import { LatestEvents } from '#insights/compile/latest'
import { NameSuggestions } from '#insights/text/name-suggestions'
import { PersonDirectory } from '#insights/people/person-directory'
import { answersOfProject } from '#insights/project-settings'
import { SavedInsights } from '#insights/saved/saved-insights'
import { PersonLists } from '#insights/people/lists/person-lists'
import { Segments } from '#insights/segments/segments'
import { environmentKeys } from '#flags/environments'
import { deleteAnnounced } from '#ingest/event-tally'
import { storedIntakeSettings } from '#ingest/project-settings'
import { Cohorts } from '#persons/cohorts/cohorts'
import { Erasures } from '#persons/erasures/erasures'
import { PersonSplits } from '#persons/splits/splits'
import { emptyAllowlist, parseAllowlist } from '#outbound/allowlist'
import { Mailer } from '#outbound/mailer'
import { Outbound } from '#outbound/outbound'
import { Audit } from '#projects/audit'
import { Invitations } from '#projects/invitations'
import { Keys } from '#projects/keys'
import { Members } from '#projects/members'
import { OidcClient } from '#projects/oidc-client'
import type { OidcSettings } from '#projects/oidc-settings'
import { OidcSignIn } from '#projects/oidc-sign-in'
import { Passkeys } from '#projects/passkeys'
import { PasswordResets } from '#projects/password-resets'
import { Projects } from '#projects/projects'
import { SecondFactors } from '#projects/second-factors'
import { Sessions } from '#projects/sessions'
import { Setup } from '#projects/setup'
import { SignIn } from '#projects/sign-in'
import { SignInRules } from '#projects/sign-in-rules'
import type { ObjectStorageAddress } from '#outbound/object-storage'
import { openStore, type StoreSettings } from '#store/open'
import type { Store } from '#store/store'
import { Search } from '#search/search'
import { Retention, type RetentionDependencies } from '#retention/retention'
import { storedDailyTotals } from '#retention/stored-daily-totals'
import { realWorld, type World } from '#world/world'
import {
  type AlertServices,
  jobRunAtOnceAfter,
  openAlertServices,
  type OutboundConfig,
  type AlertSenderSettings,
} from './parts/alert-services'
import { type BackupScheduler, type BackupSchedule, openBackupScheduler } from './parts/backup-scheduler'
import { type BackupPlan, BackupReports } from './backup-report'
import { type FlagServices, openFlagServices } from './parts/flag-services'
import { type Intake, type IntakeSettings, openIntake } from './parts/intake'
import { storedSurveys } from '#surveys/results/stored-survey'
import { openSurveyServices, surveyJobAtOnceAfter, type SurveyServices } from './parts/survey-services'
import { type Job, Jobs } from './jobs/jobs'
import type { Log } from './log'
import { PostNumbers } from '#posts/numbers'
import { resetLettersJob } from '#projects/reset-letters'
import { letterJobAtOnceAfter, type LetterServices, openLetterServices } from './parts/letter-services'
import { openPostServices, type PostServices } from './parts/post-services'
import { trialJobs } from './parts/trial-jobs'

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
  intake?: Pick<
    IntakeSettings,
    'dataFolder' | 'isAlone' | 'uuidFilterBytes' | 'batchBytes' | 'diskSpace' | 'log' | 'onSighting'
  >
  /** The embedded engine's files, and the schedule of backups if there is one. Set only in the front. */
  backups?: { engineFolder: string | undefined; schedule: BackupSchedule | undefined }
  /** The destination and interval of backups, for pages that show it. */
  backupPlan?: BackupPlan | undefined
}

/**
 * All functions of Tilth, built once in every process: the front, the pages and commands each have a product over the
 * same store and engine. Callers pass the viewer, and the product checks access.
 */
export interface Product {
  /** Identifies this process's product, for tests and for operators of several. */
  readonly instance: string
  readonly engine: Engine | undefined
  readonly events: LatestEvents
  /** A project’s data as files. */
  readonly exports: Exports
  /** Histories from other products. */
  readonly imports: Imports
  /** Files of other products that wait to be imported. */
  readonly importUploads: ImportUploads
  readonly movedEntries: MovedEntries
  readonly insights: Insights
  readonly names: NameSuggestions
  readonly catalogue: Catalogue
  readonly dataDefinitions: DataDefinitions
  readonly savedInsights: SavedInsights
  readonly dashboards: Dashboards
  readonly shares: Shares
  readonly annotations: Annotations
  readonly goals: Goals
  readonly segments: Segments
  /** Saved lists of persons. */
  readonly personLists: PersonLists
  readonly cohorts: Cohorts
  readonly people: PersonDirectory
  readonly erasures: Erasures
  /** Undone merges of persons. */
  readonly personSplits: PersonSplits
  readonly alerts: AlertServices['parts']['alerts']
  readonly reports: AlertServices['parts']['reports']
  readonly contacts: AlertServices['parts']['contacts']
  readonly links: AlertServices['parts']['links']
  /** Whether there is a mail server to send letters through. */
  readonly canMail: boolean
  readonly flags: FlagServices['parts']['flags']
  readonly environments: FlagServices['parts']['environments']
  readonly holdouts: FlagServices['parts']['holdouts']
  readonly layers: FlagServices['parts']['layers']
  readonly schedules: FlagServices['parts']['schedules']
  readonly guards: FlagServices['parts']['guards']
  /** All flags in memory, in every process. */
  readonly definitions: FlagServices['parts']['definitions']
  readonly deciding: FlagServices['parts']['deciding']
  /** Links that force flag values in one browser. */
  readonly tryingLinks: FlagServices['parts']['tryingLinks']
  /** Figures of flags from events. */
  readonly flagNumbers: FlagServices['parts']['flagNumbers']
  /** Who gets which value of a flag now. */
  readonly flagMatches: FlagServices['parts']['flagMatches']
  readonly experiments: Experiments
  /** Experiments whose weights move by themselves. */
  readonly bandits: Bandits
  readonly experimentSetUp: ExperimentSetUp
  readonly savedMetrics: SavedMetrics
  readonly experimentResults: ExperimentResults
  /** The ramps of rollouts. */
  readonly experimentRollouts: ExperimentRollouts
  /** Running times and the checklist before a start. */
  readonly experimentPlanning: ExperimentPlanning
  /** What the analysis finds in random divisions of the project’s history. */
  readonly aaChecks: AaChecks
  readonly surveys: SurveyServices['parts']['surveys']
  readonly surveyResults: SurveyServices['parts']['surveyResults']
  /** All surveys in memory with all their versions, in every process. */
  readonly publishedSurveys: SurveyServices['parts']['publishedSurveys']
  /** Links for single recipients. */
  readonly surveyLinks: SurveyServices['parts']['surveyLinks']
  /** The addresses that answers are sent to. */
  readonly surveyWebhooks: SurveyServices['parts']['surveyWebhooks']
  /** Letters with surveys. */
  readonly surveyMailings: SurveyServices['parts']['surveyMailings']
  readonly surveyUnsubscribing: SurveyServices['parts']['surveyUnsubscribing']
  /** Takes the answers of our own places. */
  readonly surveyAnswers: SurveyServices['parts']['surveyAnswers']
  readonly posts: PostServices['parts']['posts']
  readonly sites: PostServices['parts']['sites']
  readonly authors: PostServices['parts']['authors']
  readonly redirects: PostServices['parts']['redirects']
  /** Readers' comments below posts. */
  readonly comments: PostServices['parts']['comments']
  /** Pictures of posts. */
  readonly images: PostServices['parts']['images']
  /** The uploaded ones with their uses. */
  readonly imageLibrary: PostServices['parts']['imageLibrary']
  /** Public posts and pages, in memory in every process. */
  readonly published: PostServices['parts']['published']
  /** Content computed in the background from all published posts. */
  readonly prepared: PostServices['parts']['prepared']
  /** Posts that are sent by e-mail. */
  readonly letters: LetterServices['parts']['letters']
  /** Lists of subscribers. */
  readonly subscriptions: LetterServices['parts']['subscriptions']
  /** What comes back from letters. */
  readonly letterReplies: LetterServices['parts']['letterReplies']
  /** Figures of posts and their readers from events. */
  readonly postNumbers: PostNumbers
  /** Finds things of a project by name. */
  readonly search: Search
  readonly projects: Projects
  readonly members: Members
  readonly invitations: Invitations
  readonly keys: Keys
  readonly audit: Audit
  readonly sessions: Sessions
  readonly signIn: SignIn
  /** Absent if no provider is configured. */
  readonly oidc: OidcSignIn | undefined
  readonly secondFactors: SecondFactors
  readonly passkeys: Passkeys
  readonly passwordResets: PasswordResets
  readonly signInRules: SignInRules
  readonly setup: Setup
  /** Only in the front. */
  readonly intake: Intake | undefined
  /** Only in the front. */
  readonly backups: BackupScheduler | undefined
  readonly backupReports: BackupReports
  readonly retention: Retention
  /** Scheduled jobs; only in the front. */
  readonly jobs: Jobs | undefined
  /** Registers a listener for the topic of every change in any process, within a second. */
  onChange(listener: (topic: string) => void): () => void
  /** How many changes of the store this process knows. */
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
const noEngine: Pick<Engine, 'query' | 'queryFile' | 'command'> = {
  query: notRunning,
  queryFile: notRunning,
  command: notRunning,
}

const noOutbound: OutboundConfig = { allow: undefined, canMail: false }

/** Events still in the journal after this time are stored at the next start. */
const drainMs = 3000

export async function openProduct({
  store: settings,
  engine,
  world = realWorld,
  ...parts
}: ProductSettings): Promise<Product> {
  const store = await openStore(settings)
  return await assemble({ store, world, folder: settings.folder }, engine, parts)
}

type ProductParts = Pick<
  ProductSettings,
  | 'onTrouble'
  | 'intake'
  | 'outbound'
  | 'alertSender'
  | 'siteFolder'
  | 'pagesBuild'
  | 'backups'
  | 'backupPlan'
  | 'uploads'
>

interface Dependencies {
  store: Store
  world: World
  folder: string
}

const openRetention = (
  retentionDependencies: Omit<RetentionDependencies, 'engine' | 'deleteEvents'>,
  engine: Pick<Engine, 'query' | 'command'> = noEngine,
): Retention =>
  new Retention({
    ...retentionDependencies,
    engine,
    deleteEvents: (deletion) => deleteAnnounced({ ...retentionDependencies, engine }, deletion),
  })

async function assemble(
  dependencies: Dependencies,
  engine: Engine | undefined,
  { intake: intakeSettings, outbound = noOutbound, alertSender, onTrouble, ...more }: ProductParts,
): Promise<Product> {
  const asking = await openInsights(dependencies, engine, outbound)
  const { projects, cohorts, insights } = asking
  const lists = openLists(dependencies)
  const { keys, goals, members, dataDefinitions } = lists
  const naming = openNames(insights, dataDefinitions)
  const people = new PersonDirectory({ ...dependencies, insights, cohorts })
  const flagServices = await openFlags({ ...dependencies, ...asking, goals, people, engine }, intakeSettings)
  const surveyParts = { ...dependencies, ...asking, people, engine, outbound, alertSender }
  const surveyServices = await openSurveys(surveyParts, flagServices, intakeSettings)
  const shared = { ...dependencies, ...asking, goals }
  const sites = await openSites(shared, flagServices.seal, { intake: intakeSettings, outbound, ...more })
  const flags = { ...flagServices.parts, seal: flagServices.seal, askings: flagServices.askings }
  const intakeDependencies = { ...dependencies, projects, keys, flags, surveys: surveyServices.intake }
  const canTakeEvents = intakeSettings && engine
  const intake = canTakeEvents && (await openIntake({ ...intakeSettings, ...intakeDependencies, engine }))
  const answers = openSavedQuestions(shared)
  const watching = { ...shared, ...answers, members, trouble: () => intake?.trouble() }
  const alertServices = openAlertServices({ ...watching, seal: flagServices.seal }, outbound, alertSender)
  const front = intakeSettings && intake && engine && { ...dependencies, ...intakeSettings, intake, engine }
  const backing = openBackups(dependencies, front, more)
  const signInSettings = { seal: flagServices.seal, outbound, onTrouble }
  const signInParts = openSignIn(dependencies, projects, keys, signInSettings)
  const mailParts = { ...dependencies, ...sites.parts, ...signInParts, people, intake, alertSender }
  const mailing = openMailing({ ...mailParts, seal: flagServices.seal, canMail: outbound.canMail })
  const retention = openRetention(shared, engine)
  const running = [flagServices, surveyServices, sites]
  const experimenting = openShared({ ...shared, ...answers, ...naming, people }, flagServices)
  const transfer = openTransfer(dependencies, engine, front)
  const importing = front && openImportJobs(front, transfer.imports)
  const chores = [alertServices, mailing, retention, experimenting, importing]
  const parts = [intake, backing.backups, ...running, ...chores]
  const jobs = intakeSettings && intake && beginJobs(parts, dependencies, intakeSettings.log)
  const copied = { projects, ...flagServices.parts, ...surveyServices.parts, ...sites.parts }
  return withSearch({
    instance: Buffer.from(dependencies.world.random(8)).toString('hex'),
    engine,
    events: new LatestEvents(engine ?? noEngine),
    ...transfer,
    insights,
    ...naming,
    ...answers,
    ...lists,
    ...experimenting.parts,
    cohorts,
    people,
    ...signInParts,
    ...alertServices.parts,
    ...copied,
    ...mailing.parts,
    intake,
    ...backing,
    retention,
    jobs,
    ...changesOf(dependencies.store, copied),
    close: async () => {
      jobs?.stop()
      for (const part of [alertServices, mailing, importing]) part?.close()
      await backing.backups?.close()
      await intake?.close(drainMs)
      for (const part of [...running, projects, dependencies.store]) await part.close()
    },
  })
}

/** Search reads the lists of all other parts. */
const withSearch = (parts: Omit<Product, 'search'>): Product => ({ ...parts, search: new Search(parts) })

/** What a project sends, by name. */
function openNames(
  insights: Product['insights'],
  definitions: DataDefinitions,
): Pick<Product, 'names' | 'catalogue'> {
  const names = new NameSuggestions(insights, definitions)
  return { names, catalogue: new Catalogue({ insights, names, definitions }) }
}

/** What depends on the store alone. */
const openLists = (
  dependencies: Dependencies,
): Pick<
  Product,
  'keys' | 'members' | 'goals' | 'segments' | 'personLists' | 'dataDefinitions' | 'erasures' | 'personSplits'
> => ({
  keys: new Keys(dependencies),
  members: new Members(dependencies),
  goals: new Goals(dependencies),
  segments: new Segments(dependencies),
  personLists: new PersonLists(dependencies),
  dataDefinitions: new DataDefinitions(dependencies),
  erasures: new Erasures(dependencies),
  personSplits: new PersonSplits(dependencies),
})

/** Experiments, and the links that show their reports and dashboards to people outside. */
function openShared(
  parts: Parameters<typeof openExperiments>[0] &
    Pick<Product, 'projects' | 'savedInsights' | 'dashboards' | 'annotations'>,
  flagServices: FlagServices,
): { parts: ExperimentParts & Pick<Product, 'shares'>; jobs: readonly Job[] } {
  const experiments = openExperiments(parts, flagServices)
  const shares = new Shares({ ...parts, ...experiments.parts, seal: flagServices.seal })
  return { parts: { ...experiments.parts, shares }, jobs: experiments.jobs }
}

const banditJobAtOnceAfter: Readonly<Record<string, string>> = { experiments: banditJob }

type ExperimentParts = Pick<
  Product,
  | 'experiments'
  | 'bandits'
  | 'savedMetrics'
  | 'experimentSetUp'
  | 'experimentResults'
  | 'experimentRollouts'
  | 'experimentPlanning'
  | 'aaChecks'
>

function openExperiments(
  dependencies: Dependencies & Pick<Product, 'insights' | 'names' | 'people' | 'savedInsights'>,
  { guardEngine: guards, parts: { flags, environments } }: FlagServices,
): { parts: ExperimentParts; jobs: readonly Job[] } {
  const experiments = new Experiments({ ...dependencies, guards, flags, environments })
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
    experimentRollouts: new ExperimentRollouts({ ...shared, guards, results }),
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

const openFlags = (
  parts: Omit<Parameters<typeof openFlagServices>[0], 'isFront' | 'onTrouble'>,
  intakeSettings: ProductParts['intake'],
): Promise<FlagServices> =>
  openFlagServices({
    ...parts,
    isFront: intakeSettings !== undefined,
    onTrouble: (problem) => intakeSettings?.log.warn({ err: problem }, 'flags are in trouble'),
  })

const openSurveys = (
  {
    engine,
    outbound,
    alertSender,
    ...parts
  }: Dependencies &
    Pick<Product, 'insights' | 'cohorts' | 'projects' | 'people' | 'engine'> &
    Pick<ProductParts, 'outbound' | 'alertSender'>,
  { parts: { definitions }, seal }: FlagServices,
  intakeSettings: ProductParts['intake'],
): Promise<SurveyServices> =>
  openSurveyServices({
    ...parts,
    definitions,
    engine: engine ?? noEngine,
    seal,
    canMail: outbound?.canMail ?? false,
    mail: alertSender?.mail,
    outbound: { allow: outbound?.allow, resolve: alertSender?.resolve },
    address: outbound?.addresses?.[0] ?? 'http://localhost',
    onTrouble: (problem) => intakeSettings?.log.warn({ err: problem }, 'surveys are in trouble'),
  })

/** The parts of the process that collects events. */
type FrontParts = Dependencies &
  Pick<IntakeSettings, 'diskSpace' | 'log'> & { intake: Intake; engine: Engine }

/** What leaves a project for use elsewhere, and what comes to it from there. */
function openTransfer(
  dependencies: Dependencies,
  engine: Engine | undefined,
  front: FrontParts | undefined,
): Pick<Product, 'exports' | 'imports' | 'importUploads' | 'movedEntries'> {
  const imports = new Imports({ ...dependencies, history: front?.intake.history })
  const freeBytes = front && (() => freeForUploads(front))
  return {
    exports: new Exports({ ...dependencies, engine: engine ?? noEngine }),
    imports,
    importUploads: new ImportUploads({ ...dependencies, imports, freeBytes }),
    movedEntries: new MovedEntries(dependencies),
  }
}

/** What stays free for events while files are uploaded. */
const reservedBytes = 1024 ** 3

async function freeForUploads({ diskSpace }: Pick<FrontParts, 'diskSpace'>): Promise<number> {
  const { freeBytes, trouble } = await diskSpace()
  return trouble === undefined ? freeBytes - reservedBytes : 0
}

function openImportJobs(front: FrontParts, imports: Imports): { jobs: readonly Job[]; close: () => void } {
  const reader = openUploadReader(front, imports)
  return { jobs: [...openImportRunner(front).jobs, ...reader.jobs], close: () => reader.close() }
}

const openUploadReader = (front: FrontParts, imports: Imports): UploadReader =>
  new UploadReader({
    ...front,
    imports,
    startReading,
    onTrouble: (problem) => front.log.warn({ err: problem }, 'uploaded files could not be read'),
  })

const openImportRunner = ({ intake, ...dependencies }: FrontParts): ImportRunner =>
  new ImportRunner({
    ...dependencies,
    history: intake.history,
    deleteEvents: (deletion) => deleteAnnounced(dependencies, deletion),
  })

/** The front makes backups; every process can show their results. */
const openBackups = (
  { store }: Dependencies,
  front: Omit<Parameters<typeof openBackupScheduler>[0], 'engineFolder' | 'schedule'> | undefined,
  { backups, backupPlan }: Pick<ProductSettings, 'backups' | 'backupPlan'>,
): Pick<Product, 'backups' | 'backupReports'> => ({
  backups: front && backups && openBackupScheduler({ ...front, ...backups }),
  backupReports: new BackupReports({ store, plan: backupPlan }),
})

/** Saved questions, and the pages of their answers. */
function openSavedQuestions(
  dependencies: Dependencies & Pick<Product, 'projects' | 'insights'>,
): Pick<Product, 'savedInsights' | 'dashboards' | 'annotations'> {
  const savedInsights = new SavedInsights(dependencies)
  const dashboards = new Dashboards({ ...dependencies, savedInsights })
  savedInsights.usedBy((projectId, id) => dashboards.usesOf(projectId, id))
  return { savedInsights, dashboards, annotations: new Annotations(dependencies) }
}

/** Posts and pages, their readers, and headline trials. */
async function openSites(
  dependencies: Dependencies & Pick<Product, 'projects' | 'insights' | 'goals'>,
  seal: FlagServices['seal'],
  { intake: intakeSettings, outbound, siteFolder, pagesBuild, uploads }: ProductParts,
) {
  const { parts, ...publishing } = await openPostServices({
    ...dependencies,
    siteFolder,
    pagesBuild,
    uploads,
    isFront: intakeSettings !== undefined,
    seal,
    addresses: outbound?.addresses ?? [],
    previews: outbound?.previews,
    onTrouble: (problem) => intakeSettings?.log.warn({ err: problem }, 'the site is in trouble'),
  })
  const postNumbers = new PostNumbers({ ...dependencies, ...parts })
  const jobs = trialJobs({ ...dependencies, ...parts, postNumbers })
  return { ...publishing, parts: { ...parts, postNumbers }, jobs }
}

/** The services that answer questions. */
async function openInsights(
  dependencies: Dependencies,
  engine: Engine | undefined,
  outbound: OutboundConfig,
): Promise<Pick<Product, 'projects' | 'cohorts' | 'insights'>> {
  const projects = await Projects.open({
    ...dependencies,
    intake: storedIntakeSettings,
    answers: answersOfProject,
    otherKeys: environmentKeys,
    previews: outbound.previews,
  })
  const cohorts = new Cohorts(dependencies)
  const insights = new Insights({
    ...dependencies,
    engine: engine ?? noEngine,
    written: engine,
    projects,
    cohorts: async (projectId) => cohortReader(await cohorts.membership(projectId)),
    ...storedSurveys(dependencies.store),
    dailyTotals: storedDailyTotals(dependencies.store),
  })
  return { projects, cohorts, insights }
}

/** What a process knows of changes. Their listeners read the store, and only then know what has changed. */
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

interface SignInSettings {
  seal: FlagServices['seal']
  outbound: OutboundConfig
  onTrouble: ((problem: unknown) => void) | undefined
}

/** Sign-in and the audit log. */
function openSignIn(
  dependencies: Dependencies,
  projects: Projects,
  keys: Keys,
  { seal, outbound, onTrouble }: SignInSettings,
) {
  const { canMail, addresses = [], oidc } = outbound
  const signInDependencies = { ...dependencies, seal }
  const secondFactors = new SecondFactors(signInDependencies)
  const passkeys = new Passkeys({ ...signInDependencies, factors: secondFactors, addresses })
  const digest = (text: string) => seal.digest(text)
  const onlyBy = oidc?.isRequired ? oidc.name : undefined
  const signIn = new SignIn({
    ...dependencies,
    digest,
    factors: secondFactors,
    passkeys,
    requiredProvider: onlyBy,
  })
  return {
    invitations: new Invitations(dependencies),
    audit: new Audit(dependencies),
    sessions: new Sessions(dependencies),
    secondFactors,
    passkeys,
    passwordResets: new PasswordResets({ ...signInDependencies, canMail }),
    signInRules: new SignInRules(dependencies),
    signIn,
    oidc: oidc && openOidc({ ...signInDependencies, signIn }, oidc, outbound, onTrouble),
    setup: new Setup(dependencies, projects, keys),
  }
}

function openOidc(
  dependencies: Dependencies & { seal: FlagServices['seal']; signIn: SignIn },
  settings: OidcSettings,
  { allow, addresses = [] }: OutboundConfig,
  onTrouble: (problem: unknown) => void = () => {},
): OidcSignIn {
  const outbound = new Outbound({ allowlist: parseAllowlist(allow ?? '') ?? emptyAllowlist })
  const client = new OidcClient({
    settings,
    redirectUri: new URL('/studio/oidc/callback', addresses[0] ?? 'http://localhost').href,
    fetch: (address, options) => outbound.fetch(address, options),
  })
  return new OidcSignIn({ ...dependencies, settings, client, onTrouble })
}

/** What sends mail besides alerts and surveys: posts to subscribers, and links for new passwords. */
function openMailing({
  alertSender,
  passwordResets,
  ...parts
}: Omit<Parameters<typeof openLetterServices>[0], 'mail'> &
  Pick<ProductParts, 'alertSender'> &
  Pick<Product, 'passwordResets'>): LetterServices {
  const letters = openLetterServices({ ...parts, mail: alertSender?.mail })
  const resets = resetLetterJobs(passwordResets, alertSender)
  const close = (): void => {
    letters.close()
    resets.close()
  }
  return { parts: letters.parts, jobs: [...letters.jobs, ...resets.jobs], close }
}

/** The job that sends mail about passwords, if there is a mail server and this process sends mail. */
function resetLetterJobs(resets: PasswordResets, sending: AlertSenderSettings | undefined) {
  if (!sending?.mail) return { jobs: [], close: () => {} }
  const mailer = new Mailer(sending.mail)
  return { jobs: [resetLettersJob(resets, mailer, sending.origin)], close: () => mailer.close() }
}

const jobsAtOnceAfter: Readonly<Record<string, string>> = {
  ...jobRunAtOnceAfter,
  ...surveyJobAtOnceAfter,
  ...banditJobAtOnceAfter,
  ...letterJobAtOnceAfter,
  [importTopic]: importJob,
  [uploadTopic]: uploadJob,
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
  void jobs.hurry(uploadJob)
  dependencies.store.onChange((topic) => {
    const name = jobsAtOnceAfter[topic]
    if (name !== undefined && list.some((job) => job.name === name)) void jobs.hurry(name)
  })
  return jobs
}
