import type { AgentAccess } from '#agent-access/agent-access'
import type { Proposals } from '#agents/proposals/proposals'
import { type AlertSenderSettings, type AlertServices, alertJobAtOnceAfter } from '#alerts/open'
import { type BackupPlan, BackupReports } from '#backups/backup-report'
import type { BackupScheduler } from '#backups/backup-scheduler'
import type { Dashboards } from '#dashboards/dashboards'
import type { Engine } from '#engine/engine'
import { experimentJobAtOnceAfter, type ExperimentServices } from '#experiments/open'
import { type DeliveryCounts, deliveryCounts } from '#dispatch/delivery-counts'
import { type DeliveryTrouble, deliveryTroubles } from '#dispatch/delivery-troubles'
import type { Exports } from '#exports/exports'
import type { Findings } from '#findings/findings'
import type { FlagServices } from '#flags/open'
import { importJobAtOnceAfter, type ImportServices, jobAtStart } from '#imports/open'
import type { CollectionState } from '#ingest/collection-state'
import type { InsightServices } from '#insights/open'
import type { PeopleServices } from '#insights/people/open-people'
import { type Job, Jobs, type OpenedModule } from '#jobs/jobs'
import { letterJobAtOnceAfter, type LetterServices } from '#letters/open'
import { MovedEntries } from '#moves/moved-entries'
import { SentForms } from '#api/posthog/sent-forms'
import type { MailSettings } from '#outbound/mailer'
import type { ObjectStorageAddress } from '#outbound/object-storage'
import type { PostServices } from '#posts/open'
import type { OidcSettings } from '#projects/oidc-settings'
import type { ProjectServices } from '#projects/open'
import { type SignInServices, signInJobAtOnceAfter } from '#projects/open-sign-in'
import type { Retention } from '#retention/retention'
import { Search } from '#search/search'
import type { Shares } from '#shares/shares'
import type { SiteChecks } from '#site-checks/site-checks'
import { openStore, type StoreSettings } from '#store/open'
import type { Store } from '#store/store'
import { surveyJobAtOnceAfter, type SurveyServices } from '#surveys/open'
import { realWorld, type World } from '#world/world'
import type { FrontBackups, CollectionServices, CollectionSettings } from './internal/collecting'
import type { Log } from './log'
import { openModules, type ProductParts, type ProductSurroundings } from './internal/open-modules'

/** The settings for outgoing connections in every process. */
interface OutboundConfig {
  /** The value of TILTH_OUTBOUND_ALLOW. */
  allow: string | undefined
  /** Whether the environment names a mail server. */
  canMail: boolean
  /** The mail server of the environment. */
  mail?: MailSettings | undefined
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
  /** The number of persons up to which answers count them one by one; always if absent. */
  exactUpTo?: number | undefined
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
 *
 * @example
 * const flags = await product.flags.list(project.id, viewer) // throws where the viewer may not read
 */
export interface Product {
  /** Identifies this process's product, for tests and for operators of several. */
  readonly instance: string
  readonly engine: Engine | undefined
  readonly projects: ProjectServices
  readonly signIn: SignInServices
  /** Assistants that act for members. */
  readonly agentAccess: AgentAccess
  readonly insights: InsightServices
  readonly people: PeopleServices
  readonly dashboards: Dashboards
  readonly flags: FlagServices
  readonly experiments: ExperimentServices
  readonly surveys: SurveyServices
  readonly posts: PostServices
  readonly letters: LetterServices
  readonly alerts: AlertServices
  /** Sentences about the last week of a project. */
  readonly findings: Findings
  readonly shares: Shares
  /** Changes that assistants propose. */
  readonly proposals: Proposals
  readonly siteChecks: SiteChecks
  /** A project’s data as files. */
  readonly exports: Exports
  readonly imports: ImportServices
  readonly movedEntries: MovedEntries
  readonly posthogForms: SentForms
  /** Finds things of a project by name. */
  readonly search: Search
  readonly retention: Retention
  readonly backups: BackupReports
  /** Only in the front. */
  readonly backupScheduler: BackupScheduler | undefined
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

export async function openProduct({
  store: settings,
  world = realWorld,
  ...parts
}: ProductSettings): Promise<Product> {
  const store = await openStore(settings)
  return await assemble({ store, world, folder: settings.folder }, parts)
}

async function assemble(surroundings: ProductSurroundings, settings: ProductParts): Promise<Product> {
  const { store, world } = surroundings
  const { opened, collecting, retention, ...parts } = await openModules(surroundings, settings)
  const jobs =
    collecting && settings.intake && beginJobs([retention, ...opened], surroundings, settings.intake.log)
  const { dashboards, insights, flags, experiments, surveys, posts, people } = parts
  return {
    ...parts,
    instance: Buffer.from(world.random(8)).toString('hex'),
    engine: settings.engine,
    movedEntries: new MovedEntries({ store }),
    posthogForms: new SentForms({ store }),
    search: new Search({
      dashboards,
      savedInsights: insights.saved,
      flags,
      experiments,
      surveys,
      posts,
      people,
      cohorts: people.cohorts,
      goals: insights.goals,
      segments: insights.segments,
      names: insights.names,
    }),
    retention,
    backups: new BackupReports({ store, plan: settings.backupPlan }),
    backupScheduler: collecting?.services.backups,
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
  { store, world }: ProductSurroundings,
  log: Log,
): Jobs {
  const list = parts.flatMap((part) => part?.jobs ?? [])
  const jobs = new Jobs(list, {
    store,
    world,
    onTrouble: (problem, job) => log.warn({ err: problem, job }, 'job failed; it runs again when it is due'),
  })
  jobs.begin()
  // what a stop interrupted is continued
  void jobs.hurry(jobAtStart)
  store.onChange((topic) => {
    const name = jobsAtOnceAfter[topic]
    if (name !== undefined && list.some((job) => job.name === name)) void jobs.hurry(name)
  })
  return jobs
}
