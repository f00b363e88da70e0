import { EngineError } from '#engine/engine'
import { answerSettingsOf } from '#insights/project-settings'
import { AccessRefused, requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import type { AuditAction } from '#projects/audit-actions'
import { type Outcome, parseInput, failedOutcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Projects } from '#projects/projects'
import { newId } from '#projects/secrets'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import type { MailContacts } from '../contacts/contacts'
import { queueMessage, type DeliveryReport, deliveryReportOf } from '../deliveries/deliveries'
import type { ReportFigures } from '../report-content'
import { forgetOutgoingMessages, outgoingMessagesAbout } from '../deliveries/store'
import { type LetterRecipient, newReport, nextReport, type Report, reportChange } from '../report'
import { figuresOf, type ReportFiguresDependencies, type ReportLocale } from '../report-figures'
import { forgetReport, reportNumbered, reportsDue, reportsOf, saveReport, saveReportProgress } from './store'

interface ReportsDependencies extends ReportFiguresDependencies {
  store: Store
  world: World
  projects: Pick<Projects, 'numbered'>
  contacts: MailContacts
}

const mostReports = 50
const mostShown = 50
/** The retry interval while the engine is unavailable. The delay does not change the figures: the period is over. */
const retryMs = 10 * 60_000

const missing = failedOutcome('There is no such report in this project.')

type ReportOutcome = Outcome<{ report: Report }>

/** Creates, changes and sends reports. */
export class Reports {
  constructor(private readonly dependencies: ReportsDependencies) {}

  async list(projectId: number, viewer: Viewer): Promise<Report[]> {
    requireRight('events:read', projectId, viewer)
    return await reportsOf(this.dependencies.store, projectId)
  }

  async find(projectId: number, id: string, viewer: Viewer): Promise<Report | undefined> {
    requireRight('events:read', projectId, viewer)
    return await reportNumbered(this.dependencies.store, projectId, id)
  }

  async create(projectId: number, input: unknown, viewer: Viewer): Promise<ReportOutcome> {
    requireRight('alerts:write', projectId, viewer)
    const parsed = parseInput(newReport, input)
    if (!parsed.done) return parsed
    const { isPaused, ...wanted } = parsed.value
    const { store, world } = this.dependencies
    if ((await reportsOf(store, projectId)).length >= mostReports)
      return failedOutcome(`A project has ${mostReports} reports at most. Remove one first.`)
    const trouble = await this.troubleWith(projectId, wanted.about, viewer)
    if (trouble) return trouble
    const now = world.now()
    return await this.save('report.create', viewer, {
      id: newId(world),
      projectId,
      ...wanted,
      createdBy: viewer.name,
      createdAt: now,
      pausedAt: isPaused ? now : undefined,
      nextAt: nextReport(wanted.every, wanted.hour, this.localeOf(projectId)),
      sentAt: undefined,
      trouble: undefined,
    })
  }

  async change(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<ReportOutcome> {
    requireRight('alerts:write', projectId, viewer)
    const parsed = parseInput(reportChange, input)
    if (!parsed.done) return parsed
    const before = await reportNumbered(this.dependencies.store, projectId, id)
    if (!before) return missing
    const { isPaused = before.pausedAt !== undefined, ...wanted } = parsed.value
    const after = { ...before, ...wanted }
    const trouble = await this.troubleWith(projectId, after.about, viewer)
    if (trouble) return trouble
    const pausedAt = isPaused ? (before.pausedAt ?? this.dependencies.world.now()) : undefined
    const nextAt = nextReport(after.every, after.hour, this.localeOf(projectId))
    return await this.save(
      'report.change',
      viewer,
      { ...after, pausedAt, nextAt, trouble: undefined },
      before,
    )
  }

  async remove(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('alerts:write', projectId, viewer)
    const before = await reportNumbered(this.dependencies.store, projectId, id)
    if (!before) return missing
    const { store, world } = this.dependencies
    await store.transaction(async (transaction) => {
      await forgetReport(transaction, id)
      await forgetOutgoingMessages(transaction, aboutReport(id))
      const deed = {
        action: 'report.remove',
        subject: before.name,
        projectId,
        before: auditedFields(before),
      } as const
      await recordAudit(transaction, deed, viewer, world.now())
    })
    return { done: true }
  }

  /** Returns the figures that the letter would have now. */
  async preview(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ figures: ReportFigures }>> {
    requireRight('events:read', projectId, viewer)
    const report = await reportNumbered(this.dependencies.store, projectId, id)
    return report ? await figuresOf(report, this.localeOf(projectId), this.dependencies) : missing
  }

  /** Sends the report to all its recipients now. */
  async sendNow(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ told: string[] }>> {
    requireRight('alerts:write', projectId, viewer)
    const report = await reportNumbered(this.dependencies.store, projectId, id)
    if (!report) return missing
    const made = await figuresOf(report, this.localeOf(projectId), this.dependencies)
    return made.done ? { done: true, told: await this.send(report, made.figures) } : made
  }

  async told(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ told: DeliveryReport[] }>> {
    requireRight('alerts:write', projectId, viewer)
    const report = await reportNumbered(this.dependencies.store, projectId, id)
    if (!report) return missing
    const sendings = await outgoingMessagesAbout(this.dependencies.store, aboutReport(id), mostShown)
    return { done: true, told: sendings.map(deliveryReportOf) }
  }

  /** Returns the recipients who do not receive mail at present, with the reason. */
  async obstacles(report: Report, viewer: Viewer) {
    requireRight('events:read', report.projectId, viewer)
    return await this.dependencies.contacts.obstacles(
      report.projectId,
      aboutReport(report.id),
      report.recipients,
    )
  }

  /** Writes the reports that are due. Runs in one front at a time. */
  async run(): Promise<void> {
    const { store, world } = this.dependencies
    const problems: unknown[] = []
    for (const report of await reportsDue(store, world.now()))
      await this.write(report).catch((problem: unknown) => problems.push(problem))
    if (problems.length > 0) throw new AggregateError(problems, 'Some reports could not be written.')
  }

  /** Writes an overdue report once; the next one covers the next period. */
  private async write(report: Report): Promise<void> {
    const { store, world, projects } = this.dependencies
    const now = world.now()
    const later = new Date(now.getTime() + retryMs)
    if (!projects.numbered(report.projectId) || projects.numbered(report.projectId)?.archivedAt)
      return await saveReportProgress(store, { ...report, nextAt: new Date(now.getTime() + 24 * 3_600_000) })
    const locale = this.localeOf(report.projectId)
    // postponed before the attempt, so that a failure is not retried at once
    await saveReportProgress(store, { ...report, nextAt: later })
    try {
      const made = await figuresOf(report, locale, this.dependencies)
      const nextAt = nextReport(report.every, report.hour, locale)
      if (made.done)
        await this.send(report, made.figures, { ...report, nextAt, sentAt: now, trouble: undefined })
      else
        await saveReportProgress(store, {
          ...report,
          nextAt,
          trouble: made.problems.map(({ message }) => message).join(' '),
        })
    } catch (problem) {
      const trouble = problem instanceof EngineError ? problem.message : 'The log of Tilth says why.'
      await saveReportProgress(store, {
        ...report,
        nextAt: later,
        trouble: `It could not be written. ${trouble}`,
      })
      if (!(problem instanceof EngineError)) throw problem
    }
  }

  private async send(report: Report, figures: ReportFigures, after?: Report): Promise<string[]> {
    const { store, world } = this.dependencies
    const { slug, name, timeZone } = this.project(report.projectId)
    const message = {
      kind: 'report',
      report: report.id,
      name: report.name,
      project: { slug, name, timeZone },
      figures,
    } as const
    return await store.transaction(async (transaction) => {
      if (after) await saveReportProgress(transaction, after)
      const about = aboutReport(report.id)
      return await queueMessage(
        transaction,
        { projectId: report.projectId, about, message },
        report.recipients,
        world,
      )
    })
  }

  private async troubleWith(projectId: number, about: Report['about'], viewer: Viewer) {
    if (about.type === 'web') return undefined
    const dashboard = await this.dependencies.dashboards.find(projectId, about.dashboard, viewer)
    return dashboard ? undefined : failedOutcome('There is no such dashboard in this project.', 'about')
  }

  private async save(
    action: Extract<AuditAction, `report.${string}`>,
    viewer: Viewer,
    report: Report,
    before?: Report,
  ): Promise<ReportOutcome> {
    const { store, world, contacts } = this.dependencies
    const project = this.project(report.projectId)
    await store.transaction(async (transaction) => {
      await saveReport(transaction, report)
      const recipients = { recipients: report.recipients, before: before?.recipients ?? [] }
      await contacts.requestConfirmations(transaction, project, recipients, viewer)
      const deed = { action, subject: report.name, projectId: project.id, after: auditedFields(report) }
      await recordAudit(
        transaction,
        before ? { ...deed, before: auditedFields(before) } : deed,
        viewer,
        world.now(),
      )
    })
    return { done: true, report }
  }

  private project(id: number): Project {
    const project = this.dependencies.projects.numbered(id)
    if (!project) throw new AccessRefused('not-found', 'There is no such project.')
    return project
  }

  private localeOf(projectId: number): ReportLocale {
    const project = this.project(projectId)
    const { weekStart, currency } = answerSettingsOf(project)
    return { timeZone: project.timeZone, weekStart, currency, now: this.dependencies.world.now() }
  }
}

const aboutReport = (id: string): string => `report ${id}`

const auditedFields = ({
  name,
  about,
  every,
  hour,
  recipients,
  pausedAt,
}: Report): {
  recipients: LetterRecipient[]
} & Record<string, unknown> => ({ name, about, every, hour, recipients, pausedAt })
