import { Dashboards } from '#dashboards/dashboards'
import { Shares } from '#dashboards/shares/shares'
import { type Engine, EngineError } from '#engine/engine'
import { Annotations } from '#insights/annotations/annotations'
import { Insights } from '#insights/ask'
import { cohortReader } from '#insights/people/cohort-members'
import { Goals } from '#insights/goals/goals'
import { LatestEvents } from '#insights/compile/latest'
import { NameSuggestions } from '#insights/text/name-suggestions'
import { PersonDirectory } from '#insights/people/person-directory'
import { answersOfProject } from '#insights/project-settings'
import { SavedInsights } from '#insights/saved/saved-insights'
import { Segments } from '#insights/segments/segments'
import { environmentKeys } from '#flags/environments'
import { storedIntakeSettings } from '#ingest/project-settings'
import { Cohorts } from '#persons/cohorts/cohorts'
import { Erasures } from '#persons/erasures/erasures'
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
import { expectDeletion } from './start/installation'
import { type Intake, type IntakeSettings, openIntake } from './parts/intake'
import { openSurveyServices, type SurveyServices } from './parts/survey-services'
import { type Job, Jobs } from './jobs/jobs'
import type { Log } from './log'
import { PostNumbers } from '#posts/numbers'
import { resetLettersJob } from '#projects/reset-letters'
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
  readonly insights: Insights
  readonly names: NameSuggestions
  readonly savedInsights: SavedInsights
  readonly dashboards: Dashboards
  readonly shares: Shares
  readonly annotations: Annotations
  readonly goals: Goals
  readonly segments: Segments
  readonly cohorts: Cohorts
  readonly people: PersonDirectory
  readonly erasures: Erasures
  readonly alerts: AlertServices['parts']['alerts']
  readonly reports: AlertServices['parts']['reports']
  readonly contacts: AlertServices['parts']['contacts']
  readonly links: AlertServices['parts']['links']
  /** Whether there is a mail server to send letters through. */
  readonly canMail: boolean
  readonly flags: FlagServices['parts']['flags']
  readonly environments: FlagServices['parts']['environments']
  readonly holdouts: FlagServices['parts']['holdouts']
  readonly schedules: FlagServices['parts']['schedules']
  readonly guards: FlagServices['parts']['guards']
  /** All flags in memory, in every process. */
  readonly definitions: FlagServices['parts']['definitions']
  readonly deciding: FlagServices['parts']['deciding']
  /** Links that force flag values in one browser. */
  readonly tryingLinks: FlagServices['parts']['tryingLinks']
  /** Figures of flags from events. */
  readonly flagNumbers: FlagServices['parts']['flagNumbers']
  readonly surveys: SurveyServices['parts']['surveys']
  readonly surveyResults: SurveyServices['parts']['surveyResults']
  /** All surveys in memory with all their versions, in every process. */
  readonly publishedSurveys: SurveyServices['parts']['publishedSurveys']
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
  /** Public posts and pages, in memory in every process. */
  readonly published: PostServices['parts']['published']
  /** Content computed in the background from all published posts. */
  readonly prepared: PostServices['parts']['prepared']
  /** Figures of posts and their readers from events. */
  readonly postNumbers: PostNumbers
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
  /** Throws if the store does not respond. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** A command opens the product for members and keys; queries about events need the running Tilth. */
const notRunning = async () => {
  throw new EngineError('unavailable', 'Events can be asked about only while Tilth runs.')
}
const noEngine: Pick<Engine, 'query' | 'command'> = { query: notRunning, command: notRunning }

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
  'onTrouble' | 'intake' | 'outbound' | 'alertSender' | 'siteFolder' | 'backups' | 'backupPlan' | 'uploads'
>

interface Dependencies {
  store: Store
  world: World
  folder: string
}

const openRetention = (
  retentionDependencies: Omit<RetentionDependencies, 'engine' | 'expectDeletion'>,
  engine: Pick<Engine, 'query' | 'command'> = noEngine,
): Retention =>
  new Retention({
    ...retentionDependencies,
    engine,
    expectDeletion: (events) => expectDeletion(retentionDependencies.store, events),
  })

async function assemble(
  dependencies: Dependencies,
  engine: Engine | undefined,
  { intake: intakeSettings, outbound = noOutbound, alertSender, onTrouble, ...more }: ProductParts,
): Promise<Product> {
  const asking = await openInsights(dependencies, engine)
  const { projects, cohorts, insights } = asking
  const keys = new Keys(dependencies)
  const goals = new Goals(dependencies)
  const people = new PersonDirectory({ ...dependencies, insights, cohorts })
  const flagServices = await openFlags({ ...dependencies, ...asking, goals, people, engine }, intakeSettings)
  const surveyParts = { ...dependencies, insights, engine }
  const surveyServices = await openSurveys(surveyParts, flagServices, intakeSettings)
  const shared = { ...dependencies, ...asking, goals }
  const sites = await openSites(shared, flagServices.seal, { intake: intakeSettings, outbound, ...more })
  const flags = { ...flagServices.parts, seal: flagServices.seal, askings: flagServices.askings }
  const intakeDependencies = { ...dependencies, projects, keys, flags, surveys: surveyServices.intake }
  const canTakeEvents = intakeSettings && engine
  const intake = canTakeEvents && (await openIntake({ ...intakeSettings, ...intakeDependencies, engine }))
  const answers = openSavedQuestions(shared)
  const members = new Members(dependencies)
  const { seal } = flagServices
  const alertServices = openAlertServices(
    { ...shared, ...answers, members, seal, trouble: () => intake?.trouble() },
    outbound,
    alertSender,
  )
  const front = intakeSettings && intake && engine && { ...dependencies, ...intakeSettings, intake, engine }
  const backing = openBackups(dependencies, front, more)
  const signInParts = openSignIn(dependencies, projects, keys, { seal, outbound, onTrouble })
  const letters = resetLetterJobs(signInParts.passwordResets, alertSender)
  const retention = openRetention(shared, engine)
  const running = [flagServices, surveyServices, sites]
  const parts = [intake, backing.backups, ...running, alertServices, letters, retention]
  const jobs = intakeSettings && intake && beginJobs(parts, dependencies, intakeSettings.log)
  return {
    instance: Buffer.from(dependencies.world.random(8)).toString('hex'),
    engine,
    events: new LatestEvents(engine ?? noEngine),
    insights,
    names: new NameSuggestions(insights),
    ...answers,
    goals,
    segments: new Segments(dependencies),
    cohorts,
    people,
    erasures: new Erasures(dependencies),
    projects,
    keys,
    members,
    ...signInParts,
    ...alertServices.parts,
    ...flagServices.parts,
    ...surveyServices.parts,
    ...sites.parts,
    intake,
    ...backing,
    retention,
    jobs,
    onChange: (listener) => dependencies.store.onChange(listener),
    ping: () => dependencies.store.ping(),
    close: async () => {
      jobs?.stop()
      for (const part of [alertServices, letters]) part.close()
      await backing.backups?.close()
      await intake?.close(drainMs)
      for (const part of [...running, dependencies.store]) await part.close()
    },
  }
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
  { store, world, insights, engine }: Dependencies & { insights: Insights; engine: Engine | undefined },
  { parts: { definitions } }: FlagServices,
  intakeSettings: ProductParts['intake'],
): Promise<SurveyServices> =>
  openSurveyServices({
    store,
    world,
    definitions,
    insights,
    engine: engine ?? noEngine,
    isFront: intakeSettings !== undefined,
    onTrouble: (problem) => intakeSettings?.log.warn({ err: problem }, 'surveys are in trouble'),
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

/** Saved questions, and who else may see their answers. */
function openSavedQuestions(
  dependencies: Dependencies & Pick<Product, 'projects' | 'insights'>,
): Pick<Product, 'savedInsights' | 'dashboards' | 'annotations' | 'shares'> {
  const savedInsights = new SavedInsights(dependencies)
  const dashboards = new Dashboards({ ...dependencies, savedInsights })
  savedInsights.usedBy((projectId, id) => dashboards.usesOf(projectId, id))
  const savedParts = { savedInsights, dashboards, annotations: new Annotations(dependencies) }
  return { ...savedParts, shares: new Shares({ ...dependencies, ...savedParts }) }
}

/** Posts and pages, their readers, and headline trials. */
async function openSites(
  dependencies: Dependencies & Pick<Product, 'projects' | 'insights' | 'goals'>,
  seal: FlagServices['seal'],
  { intake: intakeSettings, outbound, siteFolder, uploads }: ProductParts,
) {
  const { parts, ...publishing } = await openPostServices({
    ...dependencies,
    siteFolder,
    uploads,
    isFront: intakeSettings !== undefined,
    seal,
    addresses: outbound?.addresses ?? [],
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
): Promise<Pick<Product, 'projects' | 'cohorts' | 'insights'>> {
  const projects = await Projects.open({
    ...dependencies,
    intake: storedIntakeSettings,
    answers: answersOfProject,
    otherKeys: environmentKeys,
  })
  const cohorts = new Cohorts(dependencies)
  const insights = new Insights({
    ...dependencies,
    engine: engine ?? noEngine,
    written: engine,
    projects,
    cohorts: async (projectId) => cohortReader(await cohorts.membership(projectId)),
    dailyTotals: storedDailyTotals(dependencies.store),
  })
  return { projects, cohorts, insights }
}

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

/** The job that sends mail about passwords, if there is a mail server and this process sends mail. */
function resetLetterJobs(resets: PasswordResets, sending: AlertSenderSettings | undefined) {
  if (!sending?.mail) return { jobs: [], close: () => {} }
  const mailer = new Mailer(sending.mail)
  return { jobs: [resetLettersJob(resets, mailer, sending.origin)], close: () => mailer.close() }
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
  dependencies.store.onChange((topic) => {
    const name = jobRunAtOnceAfter[topic]
    if (name !== undefined && list.some((job) => job.name === name)) void jobs.hurry(name)
  })
  return jobs
}
