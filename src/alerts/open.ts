import { Alerts } from './alerts'
import { AlertChecks } from './internal/checks'
import { MailContacts } from './contacts/contacts'
import { Deliveries, outgoingTopic } from './deliveries/deliveries'
import { LetterLinks } from './letter-links'
import { CollectionUptime } from './internal/collection-uptime'
import { Reports } from './reports/reports'
import { sealPlainSecrets } from './internal/plain-secrets'
import type { SecretSealing } from './internal/webhook-secret'
import type { Dashboards } from '#dashboards/dashboards'
import type { Findings } from '#findings/findings'
import type { InsightServices } from '#insights/open'
import { emptyAllowlist, parseAllowlist } from '#outbound/allowlist'
import { Mailer, type MailSettings } from '#outbound/mailer'
import { Outbound, type HostResolver } from '#outbound/outbound'
import type { ProjectServices } from '#projects/open'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import type { Job, OpenedModule } from '#jobs/jobs'

/** The settings of the process that sends alerts: the front. */
export interface AlertSenderSettings {
  /** The address of this Tilth, for links. */
  origin: string
  resolve?: HostResolver
}

interface AlertSender extends AlertSenderSettings {
  /** The mail server of the moment. */
  mail: () => MailSettings | undefined
}

interface AlertServicesDependencies {
  store: Store
  world: World
  projects: ProjectServices
  insights: InsightServices
  dashboards: Dashboards
  findings: Pick<Findings, 'ofLastWeek'>
  /** Why events are not collected correctly, in the process that collects them. */
  trouble: () => string | undefined
  /** Encrypts secrets of webhooks and letters at rest. */
  seal: SecretSealing
  /** The value of TILTH_OUTBOUND_ALLOW. */
  allow: string | undefined
  /** Whether there is a mail server. */
  canMail: () => boolean
}

/** Alerts, and the reports and recipients beside them. */
export class AlertServices extends Alerts {
  constructor(
    dependencies: ConstructorParameters<typeof Alerts>[0],
    readonly reports: Reports,
    readonly contacts: MailContacts,
    /** Reads the links in letters. */
    readonly links: LetterLinks,
    private readonly mailStatus: { canMail: () => boolean },
  ) {
    super(dependencies)
  }

  /** Whether there is a mail server to send letters through. */
  get canMail(): boolean {
    return this.mailStatus.canMail()
  }
}

const second = 1000
const minute = 60 * second

export const alertJobs = {
  pulse: 'note that events are collected',
  secrets: 'encrypt secrets of webhooks',
  checks: 'look at alerts',
  reports: 'write reports',
  deliveries: 'send what is told',
} as const

/** The job to run at once after a change, by the topic of the change. */
export const alertJobAtOnceAfter: Readonly<Record<string, string>> = {
  alerts: alertJobs.checks,
  [outgoingTopic]: alertJobs.deliveries,
}

export function openAlerts(
  {
    store,
    world,
    projects,
    insights,
    dashboards,
    findings,
    trouble,
    seal,
    allow,
    canMail,
  }: AlertServicesDependencies,
  sender?: AlertSender,
): OpenedModule<AlertServices> {
  const { members } = projects
  const { saved: savedInsights } = insights
  const outbound = new Outbound({
    allowlist: parseAllowlist(allow ?? '') ?? emptyAllowlist,
    resolve: sender?.resolve,
  })
  const pulse = new CollectionUptime({ store, world, trouble })
  const contacts = new MailContacts({ store, world, projects })
  const checks = new AlertChecks({ store, world, projects, insights, savedInsights, pulse })
  const reports = new Reports({ store, world, projects, insights, dashboards, findings, contacts })
  const origin = sender?.origin ?? ''
  const links = new LetterLinks({ store, world, seal, origin })
  const alerts = new AlertServices(
    { store, world, projects, insights, savedInsights, seal, outbound, contacts, checks },
    reports,
    contacts,
    links,
    { canMail },
  )
  savedInsights.usedBy((projectId, id) => alerts.usesOf(projectId, id))
  const mailer = sender && new Mailer(sender.mail)
  const deliveries = new Deliveries({ store, world, members, seal, outbound, mailer, links, origin })
  const shared = (name: string, everyMs: number, run: Job['run']): Job => ({
    name,
    everyMs,
    isShared: true,
    run,
  })
  const jobs: Job[] = [
    { name: alertJobs.pulse, everyMs: minute, run: () => pulse.recordHeartbeat() },
    shared(alertJobs.secrets, 5 * minute, () => sealPlainSecrets({ store, seal })),
    shared(alertJobs.checks, 30 * second, () => checks.run()),
    shared(alertJobs.reports, minute, () => reports.run()),
    shared(alertJobs.deliveries, 15 * second, (turn) => deliveries.run(turn)),
  ]
  return {
    services: alerts,
    jobs: sender ? jobs : [],
    close: () => {
      deliveries.close()
      mailer?.close()
    },
  }
}
