import type { Insights } from '../insights/ask'
import type { InsightUse, SavedInsights } from '../insights/saved-insights'
import type { Outbound } from '../outbound/reach'
import { newWebhookSecret } from '../outbound/signature'
import { may, Refused, requireRight, type Viewer } from '../projects/access'
import { record } from '../projects/audit'
import type { AuditAction } from '../projects/audit-actions'
import { type Outcome, parse, undone } from '../projects/problems'
import type { Project } from '../projects/project'
import type { Projects } from '../projects/projects'
import { newId } from '../projects/secrets'
import type { Store } from '../store/store'
import type { World } from '../world/world'
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
import type { Contacts } from './contacts'
import { type Told, toldBy } from './deliveries'
import { alertNumbered, alertsOf, changesOf, forgetAlert, saveAlert } from './kept/store'
import { forgetSendings, sendingsAbout } from './outgoing/store'
import { type Course, courseOf, questionOf } from './reading'
import { type GivenRecipient, type Recipient, withoutSecrets } from './recipient'
import { recipientKey } from './recipient-key'
import type { Verdict } from './condition'

export interface AlertsGround {
  store: Store
  world: World
  projects: Pick<Projects, 'numbered'>
  insights: Pick<Insights, 'ask' | 'read'>
  savedInsights: Pick<SavedInsights, 'find'>
  outbound: Pick<Outbound, 'objectionTo'>
  contacts: Contacts
  checks: AlertChecks
}

const mostAlerts = 200
const mostShown = 50

const missing = undone('There is no such alert in this project.')

type Changed = Outcome<{ alert: Alert }>

/** Numbers somebody wants to be told about. What they are found to be is the work of `AlertChecks`. */
export class Alerts {
  constructor(private readonly ground: AlertsGround) {}

  async list(projectId: number, viewer: Viewer): Promise<Alert[]> {
    requireRight('events:read', projectId, viewer)
    const all = await alertsOf(this.ground.store, projectId)
    return all.map((alert) => shownTo(alert, viewer))
  }

  async find(projectId: number, id: string, viewer: Viewer): Promise<Alert | undefined> {
    requireRight('events:read', projectId, viewer)
    const alert = await alertNumbered(this.ground.store, projectId, id)
    return alert && shownTo(alert, viewer)
  }

  async create(projectId: number, input: unknown, viewer: Viewer): Promise<Changed> {
    requireRight('alerts:write', projectId, viewer)
    const parsed = parse(newAlert, input)
    if (!parsed.done) return parsed
    const known = await alertsOf(this.ground.store, projectId)
    if (known.length >= mostAlerts)
      return undone(`A project has ${mostAlerts} alerts at most. Remove one first.`)
    const trouble = await this.troubleWith(projectId, parsed.value)
    if (trouble) return trouble
    const now = this.ground.world.now()
    const alert: Alert = {
      id: newId(this.ground.world),
      projectId,
      ...parsed.value,
      recipients: this.withSecrets(parsed.value.recipients, []),
      createdBy: viewer.name,
      createdAt: now,
      mutedUntil: undefined,
      ...unlooked(now),
    }
    return await this.save('alert.create', alert, viewer)
  }

  /** What it had found out before is not true of what it is then. */
  async change(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<Changed> {
    requireRight('alerts:write', projectId, viewer)
    const parsed = parse(alertChange, input)
    if (!parsed.done) return parsed
    const before = await alertNumbered(this.ground.store, projectId, id)
    if (!before) return missing
    const wanted = parse(newAlert, { ...definitionOf(before), ...parsed.value })
    if (!wanted.done) return wanted
    const trouble = await this.troubleWith(projectId, wanted.value)
    if (trouble) return trouble
    const now = this.ground.world.now()
    const isAnother = parsed.value.watched !== undefined || parsed.value.condition !== undefined
    const alert: Alert = {
      ...before,
      ...wanted.value,
      recipients: this.withSecrets(wanted.value.recipients, before.recipients),
      ...(isAnother ? unlooked(now) : { nextCheckAt: now }),
    }
    return await this.save('alert.change', alert, viewer, before)
  }

  async remove(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('alerts:write', projectId, viewer)
    const before = await alertNumbered(this.ground.store, projectId, id)
    if (!before) return missing
    const { store, world } = this.ground
    await store.transaction(async (transaction) => {
      await forgetAlert(transaction, id)
      await forgetSendings(transaction, aboutAlert(id))
      const deed = { action: 'alert.remove', subject: before.name, projectId, before: shown(before) } as const
      await record(transaction, deed, viewer, world.now())
    })
    return { done: true }
  }

  /** It goes on being looked at; nobody is told of it. */
  async mute(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<Changed> {
    requireRight('alerts:write', projectId, viewer)
    const parsed = parse(muting, input)
    if (!parsed.done) return parsed
    const before = await alertNumbered(this.ground.store, projectId, id)
    if (!before) return missing
    const { hours } = parsed.value
    const now = this.ground.world.now()
    const mutedUntil = hours === 0 ? undefined : new Date(now.getTime() + hours * 3_600_000)
    return await this.save('alert.mute', { ...before, mutedUntil }, viewer, before)
  }

  /** Looks now, tells everybody that it is a test, and changes nothing about what is known of it. */
  async test(
    projectId: number,
    id: string,
    viewer: Viewer,
  ): Promise<Outcome<{ verdict: Verdict; told: string[] }>> {
    requireRight('alerts:write', projectId, viewer)
    const alert = await alertNumbered(this.ground.store, projectId, id)
    if (!alert) return missing
    return { done: true, ...(await this.ground.checks.test(alert)) }
  }

  async changes(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ changes: AlertChange[] }>> {
    requireRight('events:read', projectId, viewer)
    const alert = await alertNumbered(this.ground.store, projectId, id)
    if (!alert) return missing
    return { done: true, changes: await changesOf(this.ground.store, id, mostShown) }
  }

  /** What was told to whom, the latest first, and what came of it. */
  async told(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ told: Told[] }>> {
    requireRight('alerts:write', projectId, viewer)
    const alert = await alertNumbered(this.ground.store, projectId, id)
    if (!alert) return missing
    const sendings = await sendingsAbout(this.ground.store, aboutAlert(id), mostShown)
    return { done: true, told: sendings.map(toldBy) }
  }

  /** The last thirty numbers of what is watched, saved or not. */
  async course(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<{ course: Course }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parse(alertDraft, input)
    if (!parsed.done) return parsed
    return await courseOf({ projectId, ...parsed.value }, this.ground)
  }

  /** Who of its recipients does not get letters at present, and why not. */
  async hindrances(alert: Alert, viewer: Viewer) {
    requireRight('events:read', alert.projectId, viewer)
    return await this.ground.contacts.hindrances(alert.projectId, aboutAlert(alert.id), alert.recipients)
  }

  /** Whoever archives an insight is told which alerts would miss it. */
  async usesOf(projectId: number, insightId: string): Promise<InsightUse[]> {
    const all = await alertsOf(this.ground.store, projectId)
    return all
      .filter(
        ({ watched: { type, ...of } }) => type === 'insight' && 'insight' in of && of.insight === insightId,
      )
      .map(({ name }) => ({ kind: 'alert', name }))
  }

  private async troubleWith(projectId: number, { watched, recipients }: NewAlert) {
    const question = await questionOf(projectId, watched, this.ground)
    if (!question.done) return question
    const read = this.ground.insights.read({ ...question.question, period: '1d', interval: 'day' })
    if (!read.done) return undone(read.problems.map(({ message }) => message).join(' '), 'watched')
    const [objection] = recipients.flatMap((one) =>
      one.by === 'webhook' ? (this.ground.outbound.objectionTo(one.url) ?? []) : [],
    )
    return objection === undefined ? undefined : undone(objection, 'recipients')
  }

  /** An address that was there before keeps its secret. */
  private withSecrets(given: readonly GivenRecipient[], before: readonly Recipient[]): Recipient[] {
    return given.map((one) => {
      if (one.by !== 'webhook') return one
      const known = before.find((other) => recipientKey(other) === recipientKey(one))
      return known ?? { ...one, secret: newWebhookSecret(this.ground.world) }
    })
  }

  private async save(
    action: Extract<AuditAction, `alert.${string}`>,
    alert: Alert,
    viewer: Viewer,
    before?: Alert,
  ): Promise<Changed> {
    const { store, world, contacts } = this.ground
    const project = this.project(alert.projectId)
    await store.transaction(async (transaction) => {
      await saveAlert(transaction, alert)
      const whom = { recipients: alert.recipients, before: before?.recipients ?? [] }
      await contacts.welcome(transaction, project, whom, viewer)
      await transaction.announce('alerts')
      const deed = { action, subject: alert.name, projectId: alert.projectId, after: shown(alert) }
      await record(transaction, before ? { ...deed, before: shown(before) } : deed, viewer, world.now())
    })
    return { done: true, alert }
  }

  private project(id: number): Project {
    const project = this.ground.projects.numbered(id)
    if (!project) throw new Refused('not-found', 'There is no such project.')
    return project
  }
}

export const aboutAlert = (id: string): string => `alert ${id}`

const unlooked = (now: Date) => ({
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

const shown = (alert: Alert) => ({
  ...definitionOf(alert),
  recipients: withoutSecrets(alert.recipients),
  mutedUntil: alert.mutedUntil,
})

/** Addresses of webhooks are often secrets themselves. */
const shownTo = (alert: Alert, viewer: Viewer): Alert =>
  may('alerts:write', alert.projectId, viewer)
    ? alert
    : {
        ...alert,
        recipients: alert.recipients.map((one) =>
          one.by === 'webhook' ? { ...one, url: `${URL.parse(one.url)?.origin ?? ''}/…`, secret: '' } : one,
        ),
      }
