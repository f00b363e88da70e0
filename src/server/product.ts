import { Dashboards } from '../dashboards/dashboards'
import { Shares } from '../dashboards/shares'
import { type Engine, EngineError } from '../engine/engine'
import { Annotations } from '../insights/annotations'
import { Insights } from '../insights/ask'
import { cohortReader } from '../insights/cohort-members'
import { Goals } from '../insights/goals'
import { LatestEvents } from '../insights/latest'
import { Names } from '../insights/names'
import { People } from '../insights/people'
import { answersOfProject } from '../insights/project-settings'
import { SavedInsights } from '../insights/saved-insights'
import { Segments } from '../insights/segments'
import { environmentKeys } from '../flags/environments'
import { intakeOfProject } from '../ingest/project-settings'
import { Cohorts } from '../persons/cohorts'
import { Erasures } from '../persons/erasures'
import { Audit } from '../projects/audit'
import { Invitations } from '../projects/invitations'
import { Keys } from '../projects/keys'
import { Members } from '../projects/members'
import { Projects } from '../projects/projects'
import { Sessions } from '../projects/sessions'
import { Setup } from '../projects/setup'
import { SignIn } from '../projects/sign-in'
import { openStore, type StoreSettings } from '../store/open'
import type { Store } from '../store/store'
import { realWorld, type World } from '../world/world'
import { type Alerting, hurriedBy, openAlerting, type ReachingOut, type Sending } from './alerting'
import { type Flagging, openFlagging } from './flagging'
import { type Intake, type IntakeSettings, openIntake } from './intake'
import { type Job, Jobs } from './jobs'
import type { Log } from './log'
import { PostNumbers } from './post-numbers'
import { openPublishing, type Publishing } from './publishing'
import { triallingJobs } from './trialling'

export interface ProductSettings {
  store: StoreSettings
  /** Absent where a command needs members and keys but no events. */
  engine?: Engine
  world?: World
  /** How letters and webhooks may leave the house; nothing is allowed besides the open internet when absent. */
  reachingOut?: ReachingOut | undefined
  /** Posts and pages that are files; an absolute path. */
  siteFolder?: string | undefined
  /** Where they are sent: the front alone. */
  sending?: Sending
  /** Where events are taken in: the front alone. */
  intake?: Pick<IntakeSettings, 'dataFolder' | 'isAlone' | 'room' | 'log' | 'onSighting'>
}

/**
 * Everything Tilth can do, built once in every process: the front's, the pages' and a command's are three products over
 * one store and one engine. Whoever asks passes the viewer along, and access is decided in here.
 */
export interface Product {
  /** Tells this process's product from another's, for tests and for people who look after several. */
  readonly instance: string
  readonly engine: Engine | undefined
  readonly events: LatestEvents
  readonly insights: Insights
  readonly names: Names
  readonly savedInsights: SavedInsights
  readonly dashboards: Dashboards
  readonly shares: Shares
  readonly annotations: Annotations
  readonly goals: Goals
  readonly segments: Segments
  readonly cohorts: Cohorts
  readonly people: People
  readonly erasures: Erasures
  readonly alerts: Alerting['parts']['alerts']
  readonly reports: Alerting['parts']['reports']
  readonly contacts: Alerting['parts']['contacts']
  readonly links: Alerting['parts']['links']
  /** Whether there is a mail server to send letters through. */
  readonly canMail: boolean
  readonly flags: Flagging['parts']['flags']
  readonly environments: Flagging['parts']['environments']
  readonly holdouts: Flagging['parts']['holdouts']
  readonly schedules: Flagging['parts']['schedules']
  readonly guards: Flagging['parts']['guards']
  /** All flags in memory, in every process. */
  readonly definitions: Flagging['parts']['definitions']
  readonly deciding: Flagging['parts']['deciding']
  /** Links that show one browser what others will see. */
  readonly tryingLinks: Flagging['parts']['tryingLinks']
  /** What events tell of flags. */
  readonly flagNumbers: Flagging['parts']['flagNumbers']
  readonly posts: Publishing['parts']['posts']
  readonly sites: Publishing['parts']['sites']
  readonly authors: Publishing['parts']['authors']
  readonly redirects: Publishing['parts']['redirects']
  /** What readers wrote below posts. */
  readonly comments: Publishing['parts']['comments']
  /** Pictures of posts. */
  readonly images: Publishing['parts']['images']
  /** What everybody may read, in memory, in every process. */
  readonly published: Publishing['parts']['published']
  /** What events tell of posts and their readers. */
  readonly postNumbers: PostNumbers
  readonly projects: Projects
  readonly members: Members
  readonly invitations: Invitations
  readonly keys: Keys
  readonly audit: Audit
  readonly sessions: Sessions
  readonly signIn: SignIn
  readonly setup: Setup
  /** In the front alone. */
  readonly intake: Intake | undefined
  /** What is done by the clock; in the front alone. */
  readonly jobs: Jobs | undefined
  /** Hears the topic of every change, whichever process made it, within a second. */
  onChange(listener: (topic: string) => void): () => void
  /** Throws when the store does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** A command opens the product for members and keys; questions about events are the running Tilth's to answer. */
const noEngine: Pick<Engine, 'query'> = {
  query: async () => {
    throw new EngineError('unavailable', 'Events can be asked about only while Tilth runs.')
  },
}

const nothingReached: ReachingOut = { allow: undefined, canMail: false }

/** What the journal still holds then is stored at the next start. */
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

type Parts = Pick<ProductSettings, 'intake' | 'reachingOut' | 'sending' | 'siteFolder'>

interface Ground {
  store: Store
  world: World
  folder: string
}

async function assemble(
  ground: Ground,
  engine: Engine | undefined,
  { intake: takesIn, reachingOut = nothingReached, sending, siteFolder }: Parts,
): Promise<Product> {
  const asking = await openAsking(ground, engine)
  const { projects, cohorts, insights } = asking
  const keys = new Keys(ground)
  const goals = new Goals(ground)
  const people = new People({ ...ground, insights, cohorts })
  const flagging = await openFlagging({
    ...ground,
    ...asking,
    goals,
    people,
    engine,
    isFront: takesIn !== undefined,
    onTrouble: (problem) => takesIn?.log.warn({ err: problem }, 'flags are in trouble'),
  })
  const around = { ...ground, ...asking, goals }
  const sites = await openSites(around, flagging.seal, { intake: takesIn, reachingOut, siteFolder })
  const flags = { ...flagging.parts, seal: flagging.seal, askings: flagging.askings }
  const inside = { ...ground, projects, keys, flags }
  const intake = takesIn && engine ? await openIntake({ ...takesIn, ...inside, engine }) : undefined
  const answers = keptAnswers(around)
  const members = new Members(ground)
  const trouble = () => intake?.trouble()
  const alerting = openAlerting({ ...around, ...answers, members, trouble }, reachingOut, sending)
  const list = [...(intake?.jobs ?? []), ...flagging.jobs, ...alerting.jobs, ...sites.jobs]
  const jobs = takesIn && intake && beginJobs(list, ground, takesIn.log)
  return {
    instance: Buffer.from(ground.world.random(8)).toString('hex'),
    engine,
    events: new LatestEvents(engine ?? noEngine),
    insights,
    names: new Names(insights),
    ...answers,
    goals,
    segments: new Segments(ground),
    cohorts,
    people,
    erasures: new Erasures(ground),
    projects,
    keys,
    members,
    ...entrance(ground, projects, keys),
    ...alerting.parts,
    ...flagging.parts,
    ...sites.parts,
    intake,
    jobs,
    onChange: (listener) => ground.store.onChange(listener),
    ping: () => ground.store.ping(),
    close: async () => {
      jobs?.stop()
      alerting.close()
      await intake?.close(drainMs)
      await flagging.close()
      await sites.close()
      await ground.store.close()
    },
  }
}

/** Questions that are kept, and who else may see their answers. */
function keptAnswers(
  ground: Ground & Pick<Product, 'projects' | 'insights'>,
): Pick<Product, 'savedInsights' | 'dashboards' | 'annotations' | 'shares'> {
  const savedInsights = new SavedInsights(ground)
  const dashboards = new Dashboards({ ...ground, savedInsights })
  savedInsights.usedBy((projectId, id) => dashboards.usesOf(projectId, id))
  const kept = { savedInsights, dashboards, annotations: new Annotations(ground) }
  return { ...kept, shares: new Shares({ ...ground, ...kept }) }
}

/** What sites publish, who reads it, and which headline they read. */
async function openSites(
  ground: Ground & Pick<Product, 'projects' | 'insights' | 'goals'>,
  seal: Flagging['seal'],
  { intake: takesIn, reachingOut, siteFolder }: Parts,
) {
  const { parts, ...publishing } = await openPublishing({
    ...ground,
    siteFolder,
    seal,
    addresses: reachingOut?.addresses ?? [],
    onTrouble: (problem) => takesIn?.log.warn({ err: problem }, 'the site is in trouble'),
  })
  const postNumbers = new PostNumbers({ ...ground, ...parts })
  const jobs = triallingJobs({ ...ground, ...parts, postNumbers })
  return { ...publishing, parts: { ...parts, postNumbers }, jobs }
}

/** What questions are answered with. */
async function openAsking(
  ground: Ground,
  engine: Engine | undefined,
): Promise<Pick<Product, 'projects' | 'cohorts' | 'insights'>> {
  const projects = await Projects.open({
    ...ground,
    intake: intakeOfProject,
    answers: answersOfProject,
    otherKeys: environmentKeys,
  })
  const cohorts = new Cohorts(ground)
  const insights = new Insights({
    ...ground,
    engine: engine ?? noEngine,
    written: engine,
    projects,
    cohorts: async (projectId) => cohortReader(await cohorts.membership(projectId)),
  })
  return { projects, cohorts, insights }
}

/** How people come in, and what is written down of them. */
const entrance = (ground: Ground, projects: Projects, keys: Keys) => ({
  invitations: new Invitations(ground),
  audit: new Audit(ground),
  sessions: new Sessions(ground),
  signIn: new SignIn(ground),
  setup: new Setup(ground, projects, keys),
})

function beginJobs(list: readonly Job[], ground: { store: Store; world: World }, log: Log): Jobs {
  const jobs = new Jobs(list, {
    ...ground,
    onTrouble: (problem, job) =>
      log.warn({ err: problem, job }, 'a job failed, and is tried again when it is due'),
  })
  jobs.begin()
  ground.store.onChange((topic) => {
    const name = hurriedBy[topic]
    if (name !== undefined && list.some((job) => job.name === name)) void jobs.hurry(name)
  })
  return jobs
}
