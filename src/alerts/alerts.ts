import { partOf } from '#collection/change-of'
import { collectionClass, declareCollection } from '#collection/collection'
import type { CollectionDependencies, WriteContext } from '#collection/declaration'
import { shownAs } from '#collection/entry-shape'
import type { Insights } from '#insights/ask'
import type { InsightUse, SavedInsights } from '#insights/saved/saved-insights'
import type { Outbound } from '#outbound/outbound'
import { may, requireRight, type Viewer } from '#projects/access'
import { type FailedOutcome, type Outcome, parseInput, failedOutcome } from '#projects/problems'
import type { Projects } from '#projects/projects'
import {
  type Alert,
  alertChange,
  type AlertChange,
  alertDraft,
  alertSchema,
  editableAlert,
  muting,
  newAlert,
  type NewAlert,
} from './alert'
import type { AlertChecks } from './internal/checks'
import { type MailContacts, refuseNonMembers, requestConfirmations } from './contacts/contacts'
import { type DeliveryReport, deliveryReports } from './deliveries/deliveries'
import { alertNumbered, alertsOf, changesOf, forgetAlert, saveAlert } from './internal/store'
import { forgetOutgoingMessages } from './deliveries/store'
import { type AlertTimeSeries, queryOf } from './alert-reading'
import { withoutSecrets } from './recipient'
import { givenRecipients } from './recipient-key'
import { recipientsShown, webhookProblem, withSecrets } from './stored-recipients'
import type { AlertVerdict } from './condition'
import type { SecretSealing } from './internal/webhook-secret'

interface AlertsDependencies extends CollectionDependencies {
  projects: Pick<Projects, 'numbered'>
  insights: Pick<Insights, 'ask' | 'read'>
  savedInsights: Pick<SavedInsights, 'find'>
  outbound: Pick<Outbound, 'refusalOf'>
  contacts: MailContacts
  checks: AlertChecks
  seal: SecretSealing
}

type AlertContext = WriteContext<AlertsDependencies>

const mostAlerts = 200
const mostShown = 50

/** A change of the metric or condition resets the state: the last verdict belongs to the earlier one. */
export const alertCollection = declareCollection({
  name: 'alert',
  rights: { read: 'events:read', write: 'alerts:write' },
  newEntry: newAlert,
  change: alertChange,
  limit: { count: mostAlerts, message: `A project has at most ${mostAlerts} alerts. Remove one first.` },
  table: {
    list: alertsOf,
    find: alertNumbered,
    save: saveAlert,
    remove: async (transaction, { id }) => {
      await forgetAlert(transaction, id)
      await forgetOutgoingMessages(transaction, aboutAlert(id))
    },
  },
  idOf: ({ id }) => id,
  audit: {
    subject: ({ name }) => name,
    fields: (alert) => ({
      ...definitionOf(alert),
      recipients: withoutSecrets(alert.recipients),
      mutedUntil: alert.mutedUntil,
    }),
  },
  prepareNew: (wanted, context: AlertContext) => checkedAlert(wanted, context),
  prepareChange: async (before, change, context) => {
    const wanted = parseInput(newAlert, { ...definitionOf(before), ...change })
    return wanted.done ? await checkedAlert(wanted.value, context) : wanted
  },
  applyNew: (_, { created, prepared, dependencies }) => ({
    ...created,
    ...prepared,
    recipients: withSecrets(prepared.recipients, [], dependencies),
    mutedUntil: undefined,
    ...unchecked(created.createdAt),
  }),
  applyChange: (before, { watched, condition }, _viewer, { prepared, dependencies, now }) => ({
    ...before,
    ...prepared,
    recipients: withSecrets(prepared.recipients, before.recipients, dependencies),
    ...(watched !== undefined || condition !== undefined ? unchecked(now) : { nextCheckAt: now }),
  }),
  refuseSave: refuseNonMembers,
  afterSave: requestConfirmations,
  showTo: shownTo,
  topic: 'alerts',
  api: {
    summaries: {
      list: 'List alerts with their states',
      create: 'Create an alert',
      find: 'Read an alert',
      change: 'Change an alert',
      remove: 'Remove an alert',
    },
    ...shownAs('Alert', alertSchema.omit({ projectId: true })),
  },
})

type AlertOutcome = Outcome<{ alert: Alert }>

/** Creates and changes alerts. `AlertChecks` evaluates them. */
export class Alerts extends collectionClass(alertCollection) {
  async find(projectId: number, id: string, viewer: Viewer): Promise<Alert | undefined> {
    return await this.read(projectId, id, viewer)
  }

  /** A muted alert is still checked; no notifications are sent. */
  async mute(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<AlertOutcome> {
    requireRight('alerts:write', projectId, viewer)
    const parsed = parseInput(muting, input)
    if (!parsed.done) return parsed
    const { hours } = parsed.value
    const now = this.dependencies.world.now()
    const mutedUntil = hours === 0 ? undefined : new Date(now.getTime() + hours * 3_600_000)
    return await this.alter('alert.mute', projectId, id, viewer, (alert) => ({ ...alert, mutedUntil }))
  }

  /** Checks now and sends every recipient a test notification; the alert's state does not change. */
  async test(
    projectId: number,
    id: string,
    viewer: Viewer,
  ): Promise<Outcome<{ verdict: AlertVerdict; told: string[] }>> {
    requireRight('alerts:write', projectId, viewer)
    const alert = await this.lookUp(viewer, projectId, id)
    if (!alert) return this.missing()
    return { done: true, ...(await this.dependencies.checks.test(alert)) }
  }

  async changes(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ changes: AlertChange[] }>> {
    requireRight('events:read', projectId, viewer)
    const alert = await this.lookUp(viewer, projectId, id)
    if (!alert) return this.missing()
    return { done: true, changes: await changesOf(this.dependencies.store, id, mostShown) }
  }

  /** Returns the notifications with their recipients and delivery outcomes, latest first. */
  async told(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ told: DeliveryReport[] }>> {
    requireRight('alerts:write', projectId, viewer)
    const alert = await this.lookUp(viewer, projectId, id)
    if (!alert) return this.missing()
    return { done: true, told: await deliveryReports(this.dependencies.store, aboutAlert(id), mostShown) }
  }

  /** Returns the last thirty numbers of the watched metric; the alert need not be saved. */
  async course(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ course: AlertTimeSeries }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parseInput(alertDraft, input)
    if (!parsed.done) return parsed
    return await this.dependencies.checks.course({ projectId, ...parsed.value })
  }

  /** Returns the recipients who do not receive mail at present, with the reason. */
  async obstacles(alert: Alert, viewer: Viewer) {
    requireRight('events:read', alert.projectId, viewer)
    return await this.dependencies.contacts.obstacles(alert.projectId, aboutAlert(alert.id), alert.recipients)
  }

  /** Returns the alerts that watch an insight; archiving warns about them. */
  async usesOf(projectId: number, insightId: string): Promise<InsightUse[]> {
    const all = await alertsOf(this.dependencies.store, projectId)
    return all
      .filter(
        ({ watched: { type, ...of } }) => type === 'insight' && 'insight' in of && of.insight === insightId,
      )
      .map(({ name }) => ({ kind: 'alert', name }))
  }
}

async function checkedAlert(wanted: NewAlert, context: AlertContext): Promise<NewAlert | FailedOutcome> {
  const { projectId, dependencies } = context
  const query = await queryOf(projectId, wanted.watched, dependencies)
  if (!query.done) return query
  const read = dependencies.insights.read({ ...query.question, period: '1d', interval: 'day' })
  if (!read.done) return failedOutcome(read.problems.map(({ message }) => message).join(' '), 'watched')
  return webhookProblem(wanted.recipients, dependencies.outbound) ?? wanted
}

function shownTo(alert: Alert, { projectId, viewer, dependencies: { seal } }: AlertContext): Alert {
  const mayChange = may('alerts:write', projectId, viewer)
  return { ...alert, recipients: recipientsShown(alert.recipients, { mayChange, seal }) }
}

export const aboutAlert = (id: string): string => `alert ${id}`

const unchecked = (now: Date) => ({
  verdict: undefined,
  since: now,
  checkedAt: undefined,
  nextCheckAt: now,
  told: 'ok' as const,
  toldAt: undefined,
})

const definitionOf = (alert: Alert) => ({
  ...partOf(editableAlert, alert),
  recipients: givenRecipients(alert.recipients),
})
