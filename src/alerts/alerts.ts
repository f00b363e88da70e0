import type { Insights } from '#insights/ask'
import type { InsightUse, SavedInsights } from '#insights/saved/saved-insights'
import type { Outbound } from '#outbound/outbound'
import { newWebhookSecret } from '#outbound/signature'
import { may, AccessRefused, requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import type { AuditAction } from '#projects/audit-actions'
import { type Outcome, parseInput, failedOutcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Projects } from '#projects/projects'
import { newId } from '#projects/secrets'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import {
  type Alert,
  alertChange,
  type AlertChange,
  alertDraft,
  muting,
  newAlert,
  type NewAlert,
} from './alert'
import type { AlertChecks } from './checks'
import type { MailContacts } from './contacts/contacts'
import { type DeliveryReport, deliveryReportOf } from './deliveries/deliveries'
import { alertNumbered, alertsOf, changesOf, forgetAlert, saveAlert } from './store'
import { forgetOutgoingMessages, outgoingMessagesAbout } from './deliveries/store'
import { type AlertTimeSeries, alertTimeSeriesOf, questionOf } from './alert-reading'
import { type GivenRecipient, type Recipient, withoutSecrets } from './recipient'
import { recipientKey } from './recipient-key'
import type { AlertVerdict } from './condition'
import { sealSecret, type SecretSealing, withOpenSecrets } from './webhook-secret'

export interface AlertsDependencies {
  store: Store
  world: World
  projects: Pick<Projects, 'numbered'>
  insights: Pick<Insights, 'ask' | 'read'>
  savedInsights: Pick<SavedInsights, 'find'>
  outbound: Pick<Outbound, 'refusalOf'>
  contacts: MailContacts
  checks: AlertChecks
  seal: SecretSealing
}

const mostAlerts = 200
const mostShown = 50

const missing = failedOutcome('There is no such alert in this project.')

type AlertOutcome = Outcome<{ alert: Alert }>

/** Creates and changes alerts. `AlertChecks` evaluates them. */
export class Alerts {
  constructor(private readonly dependencies: AlertsDependencies) {}

  async list(projectId: number, viewer: Viewer): Promise<Alert[]> {
    requireRight('events:read', projectId, viewer)
    const all = await alertsOf(this.dependencies.store, projectId)
    return all.map((alert) => this.shownTo(alert, viewer))
  }

  async find(projectId: number, id: string, viewer: Viewer): Promise<Alert | undefined> {
    requireRight('events:read', projectId, viewer)
    const alert = await alertNumbered(this.dependencies.store, projectId, id)
    return alert && this.shownTo(alert, viewer)
  }

  async create(projectId: number, input: unknown, viewer: Viewer): Promise<AlertOutcome> {
    requireRight('alerts:write', projectId, viewer)
    const parsed = parseInput(newAlert, input)
    if (!parsed.done) return parsed
    const known = await alertsOf(this.dependencies.store, projectId)
    if (known.length >= mostAlerts)
      return failedOutcome(`A project has ${mostAlerts} alerts at most. Remove one first.`)
    const trouble = await this.troubleWith(projectId, parsed.value)
    if (trouble) return trouble
    const now = this.dependencies.world.now()
    const alert: Alert = {
      id: newId(this.dependencies.world),
      projectId,
      ...parsed.value,
      recipients: this.withSecrets(parsed.value.recipients, []),
      createdBy: viewer.name,
      createdAt: now,
      mutedUntil: undefined,
      ...unchecked(now),
    }
    return await this.save('alert.create', alert, viewer)
  }

  /** A change resets the state: the last verdict belongs to the earlier condition. */
  async change(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<AlertOutcome> {
    requireRight('alerts:write', projectId, viewer)
    const parsed = parseInput(alertChange, input)
    if (!parsed.done) return parsed
    const before = await alertNumbered(this.dependencies.store, projectId, id)
    if (!before) return missing
    const wanted = parseInput(newAlert, { ...definitionOf(before), ...parsed.value })
    if (!wanted.done) return wanted
    const trouble = await this.troubleWith(projectId, wanted.value)
    if (trouble) return trouble
    const now = this.dependencies.world.now()
    const isAnother = parsed.value.watched !== undefined || parsed.value.condition !== undefined
    const alert: Alert = {
      ...before,
      ...wanted.value,
      recipients: this.withSecrets(wanted.value.recipients, before.recipients),
      ...(isAnother ? unchecked(now) : { nextCheckAt: now }),
    }
    return await this.save('alert.change', alert, viewer, before)
  }

  async remove(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('alerts:write', projectId, viewer)
    const before = await alertNumbered(this.dependencies.store, projectId, id)
    if (!before) return missing
    const { store, world } = this.dependencies
    await store.transaction(async (transaction) => {
      await forgetAlert(transaction, id)
      await forgetOutgoingMessages(transaction, aboutAlert(id))
      const deed = {
        action: 'alert.remove',
        subject: before.name,
        projectId,
        before: auditedFields(before),
      } as const
      await recordAudit(transaction, deed, viewer, world.now())
    })
    return { done: true }
  }

  /** A muted alert is still checked; no notifications are sent. */
  async mute(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<AlertOutcome> {
    requireRight('alerts:write', projectId, viewer)
    const parsed = parseInput(muting, input)
    if (!parsed.done) return parsed
    const before = await alertNumbered(this.dependencies.store, projectId, id)
    if (!before) return missing
    const { hours } = parsed.value
    const now = this.dependencies.world.now()
    const mutedUntil = hours === 0 ? undefined : new Date(now.getTime() + hours * 3_600_000)
    return await this.save('alert.mute', { ...before, mutedUntil }, viewer, before)
  }

  /** Checks now and sends every recipient a test notification; the alert's state does not change. */
  async test(
    projectId: number,
    id: string,
    viewer: Viewer,
  ): Promise<Outcome<{ verdict: AlertVerdict; told: string[] }>> {
    requireRight('alerts:write', projectId, viewer)
    const alert = await alertNumbered(this.dependencies.store, projectId, id)
    if (!alert) return missing
    return { done: true, ...(await this.dependencies.checks.test(alert)) }
  }

  async changes(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ changes: AlertChange[] }>> {
    requireRight('events:read', projectId, viewer)
    const alert = await alertNumbered(this.dependencies.store, projectId, id)
    if (!alert) return missing
    return { done: true, changes: await changesOf(this.dependencies.store, id, mostShown) }
  }

  /** Returns the notifications with their recipients and delivery outcomes, latest first. */
  async told(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ told: DeliveryReport[] }>> {
    requireRight('alerts:write', projectId, viewer)
    const alert = await alertNumbered(this.dependencies.store, projectId, id)
    if (!alert) return missing
    const sendings = await outgoingMessagesAbout(this.dependencies.store, aboutAlert(id), mostShown)
    return { done: true, told: sendings.map(deliveryReportOf) }
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
    return await alertTimeSeriesOf({ projectId, ...parsed.value }, this.dependencies)
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

  private async troubleWith(projectId: number, { watched, recipients }: NewAlert) {
    const question = await questionOf(projectId, watched, this.dependencies)
    if (!question.done) return question
    const read = this.dependencies.insights.read({ ...question.question, period: '1d', interval: 'day' })
    if (!read.done) return failedOutcome(read.problems.map(({ message }) => message).join(' '), 'watched')
    const [objection] = recipients.flatMap((one) =>
      one.by === 'webhook' ? (this.dependencies.outbound.refusalOf(one.url) ?? []) : [],
    )
    return objection === undefined ? undefined : failedOutcome(objection, 'recipients')
  }

  /** Keeps the secret of each webhook that the alert had before. */
  private withSecrets(given: readonly GivenRecipient[], before: readonly Recipient[]): Recipient[] {
    return given.map((one) => {
      if (one.by !== 'webhook') return one
      const known = before.find((other) => recipientKey(other) === recipientKey(one))
      const { world, seal } = this.dependencies
      return known ?? { ...one, secret: sealSecret(newWebhookSecret(world), one.url, seal) }
    })
  }

  private async save(
    action: Extract<AuditAction, `alert.${string}`>,
    alert: Alert,
    viewer: Viewer,
    before?: Alert,
  ): Promise<AlertOutcome> {
    const { store, world, contacts } = this.dependencies
    const project = this.project(alert.projectId)
    await store.transaction(async (transaction) => {
      await saveAlert(transaction, alert)
      const recipients = { recipients: alert.recipients, before: before?.recipients ?? [] }
      await contacts.requestConfirmations(transaction, project, recipients, viewer)
      await transaction.announce('alerts')
      const deed = { action, subject: alert.name, projectId: alert.projectId, after: auditedFields(alert) }
      await recordAudit(
        transaction,
        before ? { ...deed, before: auditedFields(before) } : deed,
        viewer,
        world.now(),
      )
    })
    return { done: true, alert: this.shownTo(alert, viewer) }
  }

  /** Hides webhook URLs from viewers who may not change alerts: the URLs are often secrets themselves. */
  private shownTo(alert: Alert, viewer: Viewer): Alert {
    const recipients = may('alerts:write', alert.projectId, viewer)
      ? withOpenSecrets(alert.recipients, this.dependencies.seal)
      : alert.recipients.map((one) =>
          one.by === 'webhook' ? { ...one, url: `${URL.parse(one.url)?.origin ?? ''}/…`, secret: '' } : one,
        )
    return { ...alert, recipients }
  }

  private project(id: number): Project {
    const project = this.dependencies.projects.numbered(id)
    if (!project) throw new AccessRefused('not-found', 'There is no such project.')
    return project
  }
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

const definitionOf = ({ name, watched, condition, every, recipients, coolDownMinutes }: Alert) => ({
  name,
  watched,
  condition,
  every,
  recipients: recipients.map((one) => (one.by === 'webhook' ? { by: one.by, url: one.url } : one)),
  coolDownMinutes,
})

const auditedFields = (alert: Alert) => ({
  ...definitionOf(alert),
  recipients: withoutSecrets(alert.recipients),
  mutedUntil: alert.mutedUntil,
})
