import { Alerts } from '#alerts/alerts'
import { AlertChecks } from '#alerts/checks'
import { MailContacts } from '#alerts/contacts/contacts'
import { Deliveries } from '#alerts/deliveries/deliveries'
import { LetterLinks } from '#alerts/letter-links'
import { CollectionUptime } from '#alerts/pulse/collection-uptime'
import { Reports } from '#alerts/reports/reports'
import { sealPlainSecrets } from '#alerts/plain-secrets'
import type { SecretSealing } from '#alerts/webhook-secret'
import type { Dashboards } from '#dashboards/dashboards'
import type { Insights } from '#insights/ask'
import type { SavedInsights } from '#insights/saved/saved-insights'
import { emptyAllowlist, parseAllowlist } from '#outbound/allowlist'
import { Mailer, type MailSettings } from '#outbound/mailer'
import { Outbound, type HostResolver } from '#outbound/outbound'
import type { Members } from '#projects/members'
import type { OidcSettings } from '#projects/oidc-settings'
import type { Projects } from '#projects/projects'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import type { Job } from '../jobs/jobs'
import { resetLetterJob } from '#projects/reset-letters'

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

/** The settings of the process that sends alerts: the front. */
export interface AlertSenderSettings {
  /** The address of this Tilth, for links. */
  origin: string
  mail: MailSettings | undefined
  resolve?: HostResolver
}

interface AlertServicesDependencies {
  store: Store
  world: World
  projects: Projects
  insights: Insights
  savedInsights: SavedInsights
  dashboards: Dashboards
  members: Members
  /** Why events are not collected correctly, in the process that collects them. */
  trouble: () => string | undefined
  /** Encrypts secrets of webhooks and letters at rest. */
  seal: SecretSealing
}

/** The services for alerts, reports and their recipients. */
export interface AlertServices {
  /** The parts that the product exposes. */
  parts: {
    alerts: Alerts
    reports: Reports
    contacts: MailContacts
    /** Reads the links in letters. */
    links: LetterLinks
    /** Whether there is a mail server to send letters through. */
    canMail: boolean
  }
  /** The scheduled jobs that send them. */
  jobs: readonly Job[]
  close(): void
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
export const jobRunAtOnceAfter: Readonly<Record<string, string>> = {
  alerts: alertJobs.checks,
  outgoing: alertJobs.deliveries,
  'password-resets': resetLetterJob,
}

export function openAlertServices(
  dependencies: AlertServicesDependencies,
  outboundConfig: OutboundConfig,
  sender?: AlertSenderSettings,
): AlertServices {
  const outbound = new Outbound({
    allowlist: parseAllowlist(outboundConfig.allow ?? '') ?? emptyAllowlist,
    ...(sender?.resolve && { resolve: sender.resolve }),
  })
  const pulse = new CollectionUptime(dependencies)
  const contacts = new MailContacts(dependencies)
  const checks = new AlertChecks({ ...dependencies, pulse })
  const alerts = new Alerts({ ...dependencies, outbound, contacts, checks })
  const reports = new Reports({ ...dependencies, contacts })
  dependencies.savedInsights.usedBy((projectId, id) => alerts.usesOf(projectId, id))
  const origin = sender?.origin ?? ''
  const links = new LetterLinks({ ...dependencies, origin })
  const mailer = sender?.mail && new Mailer(sender.mail)
  const deliveries = new Deliveries({ ...dependencies, outbound, mailer, links, origin })
  const shared = (name: string, everyMs: number, run: Job['run']): Job => ({
    name,
    everyMs,
    isShared: true,
    run,
  })
  const jobs: Job[] = [
    { name: alertJobs.pulse, everyMs: minute, run: () => pulse.recordHeartbeat() },
    shared(alertJobs.secrets, 5 * minute, () => sealPlainSecrets(dependencies)),
    shared(alertJobs.checks, 30 * second, () => checks.run()),
    shared(alertJobs.reports, minute, () => reports.run()),
    shared(alertJobs.deliveries, 15 * second, () => deliveries.run()),
  ]
  const { canMail } = outboundConfig
  const parts = { alerts, reports, contacts, links, canMail }
  return { parts, jobs: sender ? jobs : [], close: () => mailer?.close() }
}
