import { openAgentAccess } from '#agent-access/open'
import { Proposals } from '#agents/proposals/proposals'
import { openAlerts } from '#alerts/open'
import { experimentNotices } from '#alerts/experiment-notices'
import { rolloutNotices } from '#alerts/rollout-notices'
import { openDashboards } from '#dashboards/dashboards'
import { type Engine, EngineError } from '#engine/engine'
import { openExperiments } from '#experiments/open'
import { recipientsOfExperiment as recipientsOf } from '#experiments/recipients-of-experiment'
import { runningExperiments } from '#experiments/running-experiments'
import { Exports } from '#exports/exports'
import { Findings } from '#findings/findings'
import { openFlags } from '#flags/open'
import { Seal } from '#flags/seal'
import { openImports } from '#imports/open'
import { ingestSettingsOf } from '#ingest/project-settings'
import { defaultIngestSettings } from '#ingest/settings'
import { openInsights } from '#insights/open'
import { type WaitingEvents, waitingEvents } from '#insights/waiting-events'
import { openPeople } from '#insights/people/open-people'
import type { OpenedModule } from '#jobs/jobs'
import { openLetters } from '#letters/open'
import { Cohorts } from '#persons/cohorts/cohorts'
import { openPosts } from '#posts/open'
import { storedSurveyBrand } from '#posts/survey-brand'
import { openProjects } from '#projects/open'
import { openSignIn } from '#projects/open-sign-in'
import { openRetention } from '#retention/retention'
import { emptyAllowlist, parseAllowlist } from '#outbound/allowlist'
import { Outbound } from '#outbound/outbound'
import { Shares } from '#shares/shares'
import { SiteChecks } from '#site-checks/site-checks'
import type { Store } from '#store/store'
import { openSurveys } from '#surveys/open'
import type { World } from '#world/world'
import { type CollectionServices, openCollecting } from './collecting'
import { schemasOfSettings, storedAnswers } from './given-from-above'
import type { ProductSettings } from '../product'

/** The surroundings that every module is opened in. */
export interface ProductSurroundings {
  store: Store
  world: World
  folder: string
}

export type ProductParts = Omit<ProductSettings, 'store' | 'world'>

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

/** Opens all modules, each after those whose services it gets. */
export async function openModules(surroundings: ProductSurroundings, settings: ProductParts) {
  const { store, world } = surroundings
  const { engine = noEngine } = settings
  const backlog = new Backlog(world, settings.collection)
  const answers = await openAnswers(surroundings, settings, backlog)
  const { openedProjects, projects, insights, people } = answers
  const content = await openContent(surroundings, settings, answers)
  const { flags, surveys, posts } = content
  const { seal } = flags
  const collecting = await openCollectingOf(surroundings, settings, answers, content)
  const intake = (backlog.intake = collecting?.services.intake)
  const reactions = openReactions(surroundings, settings, answers, content, intake)
  const { experiments, dashboards, findings, alerts, signIn, letters, imports } = reactions
  const { saved: savedInsights, annotations } = insights
  const { results: experimentResults } = experiments.services
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
    findings,
    flags: flags.services,
    surveys: surveys.services,
    posts: posts.services,
    experiments: experiments.services,
    alerts: alerts.services,
    signIn: signIn.services,
    letters: letters.services,
    imports: imports.services,
    retention: openRetention({ store, world, engine, projects, insights }),
    exports: new Exports({ store, world, engine }),
    agentAccess: openAgentAccess({ store, world, allow: addressesOf(settings).allow }),
    proposals: openProposals(surroundings, answers, content, reactions),
    siteChecks: new SiteChecks({ projects, world, outbound: pageClient(settings) }),
    shares: new Shares({
      store,
      world,
      projects,
      insights,
      savedInsights,
      dashboards,
      annotations,
      experiments: experiments.services,
      experimentResults,
      seal,
    }),
  }
}

type OpenedAnswers = Awaited<ReturnType<typeof openAnswers>>
type OpenedContent = Awaited<ReturnType<typeof openContent>>

/** Opens projects, and the answers to queries about their events and persons. */
async function openAnswers(
  { store, world, folder }: ProductSurroundings,
  { engine, outbound, exactUpTo }: ProductParts,
  { waiting }: Backlog,
) {
  const { intake, answers, otherKeys } = schemasOfSettings
  const { surveys, removedSubmissions, dailyTotals } = storedAnswers(store)
  const openedProjects = await openProjects({
    store,
    world,
    intake,
    answers,
    otherKeys,
    previews: outbound?.previews,
    seal: new Seal({ folder, world }),
    environmentMail: { canMail: outbound?.canMail ?? false, settings: outbound?.mail },
  })
  const projects = openedProjects.services
  const cohorts = new Cohorts({ store, world })
  const insights = openInsights({
    store,
    world,
    engine: engine ?? noEngine,
    projects,
    cohorts,
    written: engine,
    surveys,
    removedSubmissions,
    dailyTotals,
    waiting,
    exactUpTo,
  })
  const { mailAccount } = openedProjects
  return {
    openedProjects,
    mailAccount,
    projects,
    insights,
    people: openPeople({ store, world, insights, cohorts }),
  }
}

/** Opens flags, surveys and posts: what visitors get. */
async function openContent(
  { store, world, folder }: ProductSurroundings,
  settings: ProductParts,
  { mailAccount, projects, insights, people }: OpenedAnswers,
) {
  const { canMail } = mailAccount
  const { engine, siteFolder, pagesBuild, uploads, alertSender } = settings
  const { allow, addresses, previews } = addressesOf(settings)
  const isFront = settings.intake !== undefined
  const warn = (words: string) => (problem: unknown) => settings.intake?.log.warn({ err: problem }, words)
  const flags = await openFlags({
    store,
    world,
    folder,
    projects,
    insights,
    people,
    engine,
    isFront,
    notify: rolloutNotices({ world, projects, canMail, recipientsOf }),
    runningExperiments,
    onTrouble: warn('flags are in trouble'),
  })
  const { seal } = flags
  const surveys = await openSurveys({
    store,
    world,
    flags: flags.services,
    insights,
    engine: engine ?? noEngine,
    seal,
    projects,
    people,
    canMail,
    mail: alertSender && mailAccount.settings,
    allow,
    resolve: alertSender?.resolve,
    address: addresses[0] ?? 'http://localhost',
    brandOf: storedSurveyBrand(store),
    onTrouble: warn('surveys are in trouble'),
  })
  const posts = await openPosts({
    store,
    world,
    projects,
    insights,
    seal,
    addresses,
    previews,
    folder,
    siteFolder,
    uploads,
    isFront,
    pagesBuild,
    onTrouble: warn('the site is in trouble'),
  })
  return { flags, surveys, posts }
}

/** Opens the collection of events, in the process that collects them. */
async function openCollectingOf(
  { store, world }: ProductSurroundings,
  { engine, intake: settings, backups }: ProductParts,
  { projects }: OpenedAnswers,
  { flags, surveys }: OpenedContent,
): Promise<OpenedModule<CollectionServices> | undefined> {
  if (!engine || !settings) return undefined
  const { services, seal, requestCounts } = flags
  return await openCollecting(settings, {
    store,
    world,
    engine,
    projects,
    flags: services,
    seal,
    requestCounts,
    surveys: surveys.intake,
    backups,
  })
}

/** Opens what members make of answers, and what is sent to people. */
function openReactions(
  { store, world, folder }: ProductSurroundings,
  settings: ProductParts,
  { mailAccount, projects, insights, people }: OpenedAnswers,
  { flags: openedFlags, surveys, posts }: OpenedContent,
  intake: CollectionServices['intake'] | undefined,
) {
  const { alertSender, onTrouble = () => {} } = settings
  const { canMail, settings: mail } = mailAccount
  const sender = alertSender && { origin: alertSender.origin, resolve: alertSender.resolve, mail }
  const { allow, addresses, oidc } = addressesOf(settings)
  const { services: flags, seal, guardEngine: guards } = openedFlags
  const notify = experimentNotices({ world, projects, canMail })
  const experiments = openExperiments({
    store,
    world,
    projects,
    insights,
    people,
    flags,
    guards,
    notify,
    seal,
    allow,
  })
  const dashboards = openDashboards({ store, world, insights, experiments: experiments.services })
  const findings = new Findings({
    world,
    projects,
    insights,
    flags,
    experiments: experiments.services,
    surveys: surveys.services,
  })
  const trouble = (): string | undefined => intake?.trouble()
  return {
    experiments,
    dashboards,
    findings,
    alerts: openAlerts(
      { store, world, projects, insights, dashboards, findings, trouble, seal, allow, canMail },
      sender,
    ),
    signIn: openSignIn({ store, world, projects, seal, canMail, allow, addresses, oidc, sender, onTrouble }),
    letters: openLetters({
      store,
      world,
      seal,
      posts: posts.services,
      people,
      intake,
      canMail,
      mail: sender?.mail,
    }),
    imports: openImports({ store, world, folder, collecting: importingOf(settings, projects, intake) }),
  }
}

/** Opens the proposals of assistants over the services that make the changes. */
const openProposals = (
  { store, world }: ProductSurroundings,
  { insights, people }: OpenedAnswers,
  { flags, surveys, posts }: OpenedContent,
  { experiments, dashboards, alerts }: ReturnType<typeof openReactions>,
): Proposals =>
  new Proposals({
    store,
    world,
    services: {
      flags: flags.services,
      people,
      experiments: experiments.services,
      surveys: surveys.services,
      posts: posts.services,
      insights,
      dashboards,
      alerts: alerts.services,
    },
  })

/** The dependencies of imports in the process that collects events. */
function importingOf(
  { engine, intake: settings }: ProductParts,
  projects: OpenedAnswers['projects'],
  intake: CollectionServices['intake'] | undefined,
): Parameters<typeof openImports>[0]['collecting'] {
  if (!engine || !settings || !intake) return undefined
  const { diskSpace, log } = settings
  return {
    engine,
    history: intake.history,
    diskSpace,
    onTrouble: (problem) => log.warn({ err: problem }, 'uploaded files could not be read'),
    intakeSettingsOf: (projectId) => {
      const project = projects.numbered(projectId)
      return project ? ingestSettingsOf(project) : defaultIngestSettings
    },
  }
}

/** Pages of sites are fetched while a member waits. */
const pageWithinMs = 5000

const pageClient = (settings: ProductParts): Outbound =>
  new Outbound({
    allowlist: parseAllowlist(addressesOf(settings).allow ?? '') ?? emptyAllowlist,
    withinMs: pageWithinMs,
  })

/** The addresses of this Tilth, and the ones that it may reach. */
function addressesOf({ outbound }: ProductParts) {
  const { allow, addresses = [], previews, oidc } = outbound ?? {}
  return { allow, addresses, previews, oidc }
}
