import { Alerts } from '../alerts/alerts'
import { AlertChecks } from '../alerts/checks'
import { Contacts } from '../alerts/contacts'
import { Deliveries } from '../alerts/deliveries'
import { LetterLinks } from '../alerts/letter-links'
import { CollectionPulse } from '../alerts/pulse'
import { Reports } from '../alerts/reports'
import type { Dashboards } from '../dashboards/dashboards'
import type { Insights } from '../insights/ask'
import type { SavedInsights } from '../insights/saved-insights'
import { nothingMore, readAllowance } from '../outbound/allowance'
import { Mailer, type MailSettings } from '../outbound/mailer'
import { Outbound, type Resolve } from '../outbound/reach'
import type { Members } from '../projects/members'
import type { Projects } from '../projects/projects'
import type { Store } from '../store/store'
import type { World } from '../world/world'
import type { Job } from './jobs'

/** How Tilth may reach out, as every process has to know it. */
export interface ReachingOut {
  /** TILTH_OUTBOUND_ALLOW. */
  allow: string | undefined
  /** Whether there is a mail server. */
  canMail: boolean
  /** Where Tilth is, the first of them before all: sites without a host of their own are there. */
  addresses?: readonly string[]
}

/** What only the one who sends has to know: the front. */
export interface Sending {
  /** Where Tilth is, for links. */
  origin: string
  mail: MailSettings | undefined
  resolve?: Resolve
}

interface AlertingGround {
  store: Store
  world: World
  projects: Projects
  insights: Insights
  savedInsights: SavedInsights
  dashboards: Dashboards
  members: Members
  /** Why events do not arrive as they should, where they are taken in. */
  trouble: () => string | undefined
}

/** Alerts and reports, and who gets them. */
export interface Alerting {
  /** What the product offers of them. */
  parts: {
    alerts: Alerts
    reports: Reports
    contacts: Contacts
    /** Reads the links in letters. */
    links: LetterLinks
    /** Whether there is a mail server to send letters through. */
    canMail: boolean
  }
  /** What is done for them by the clock, where anything is sent. */
  jobs: readonly Job[]
  close(): void
}

const second = 1000
const minute = 60 * second

export const alertJobs = {
  pulse: 'note that events are collected',
  checks: 'look at alerts',
  reports: 'write reports',
  deliveries: 'send what is told',
} as const

/** Which of them has something to do at once when word of a change comes. */
export const hurriedBy: Readonly<Record<string, string>> = {
  alerts: alertJobs.checks,
  outgoing: alertJobs.deliveries,
}

export function openAlerting(ground: AlertingGround, reachingOut: ReachingOut, sending?: Sending): Alerting {
  const outbound = new Outbound({
    allowance: readAllowance(reachingOut.allow ?? '') ?? nothingMore,
    ...(sending?.resolve && { resolve: sending.resolve }),
  })
  const pulse = new CollectionPulse(ground)
  const contacts = new Contacts(ground)
  const checks = new AlertChecks({ ...ground, pulse })
  const alerts = new Alerts({ ...ground, outbound, contacts, checks })
  const reports = new Reports({ ...ground, contacts })
  ground.savedInsights.usedBy((projectId, id) => alerts.usesOf(projectId, id))
  const origin = sending?.origin ?? ''
  const links = new LetterLinks({ ...ground, origin })
  const mailer = sending?.mail && new Mailer(sending.mail)
  const deliveries = new Deliveries({ ...ground, outbound, mailer, links, origin })
  const shared = (name: string, everyMs: number, run: Job['run']): Job => ({
    name,
    everyMs,
    isShared: true,
    run,
  })
  const jobs: Job[] = [
    { name: alertJobs.pulse, everyMs: minute, run: () => pulse.beat() },
    shared(alertJobs.checks, 30 * second, () => checks.run()),
    shared(alertJobs.reports, minute, () => reports.run()),
    shared(alertJobs.deliveries, 15 * second, () => deliveries.run()),
  ]
  const { canMail } = reachingOut
  const parts = { alerts, reports, contacts, links, canMail }
  return { parts, jobs: sending ? jobs : [], close: () => mailer?.close() }
}
