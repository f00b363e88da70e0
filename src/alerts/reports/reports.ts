import { partOf } from '#collection/change-of'
import { collectionClass, declareCollection } from '#collection/collection'
import type { CollectionDependencies, WriteContext } from '#collection/declaration'
import { shownAs } from '#collection/entry-shape'
import { EngineError } from '#engine/engine'
import { answerSettingsOf, bounceRuleOf } from '#insights/project-settings'
import { requireRight, type Viewer } from '#projects/access'
import { type FailedOutcome, type Outcome, failedOutcome } from '#projects/problems'
import type { Projects } from '#projects/projects'
import {
  existingProject,
  type MailContacts,
  refuseNonMembers,
  requestConfirmations,
} from '../contacts/contacts'
import { queueMessage, type DeliveryReport, deliveryReports } from '../deliveries/deliveries'
import type { ReportFigures } from '../report-content'
import { forgetOutgoingMessages } from '../deliveries/store'
import { editableReport, newReport, nextReport, type Report, reportChange, reportSchema } from '../report'
import { figuresOf, type ReportFiguresDependencies, type ReportLocale } from '../internal/report-figures'
import { forgetReport, reportsDue, reportsOf, saveReport, saveReportProgress } from './store'

interface ReportsDependencies extends CollectionDependencies, ReportFiguresDependencies {
  projects: Pick<Projects, 'numbered'>
  contacts: MailContacts
}

type ReportContext = WriteContext<ReportsDependencies>

const mostReports = 50
const mostShown = 50
/** The retry interval while the engine is unavailable. The delay does not change the figures: the period is over. */
const retryMs = 10 * 60_000

export const reportCollection = declareCollection({
  name: 'report',
  rights: { read: 'events:read', write: 'alerts:write' },
  newEntry: newReport,
  change: reportChange,
  limit: { count: mostReports, message: `A project has at most ${mostReports} reports. Remove one first.` },
  table: {
    list: reportsOf,
    save: saveReport,
    remove: async (transaction, { id }) => {
      await forgetReport(transaction, id)
      await forgetOutgoingMessages(transaction, aboutReport(id))
    },
  },
  idOf: ({ id }) => id,
  audit: {
    subject: ({ name }) => name,
    fields: (report) => ({ ...partOf(editableReport, report), pausedAt: report.pausedAt }),
  },
  prepareNew: ({ about }, context: ReportContext) => refuseUnknownDashboard(about, context),
  prepareChange: (before, { about = before.about }, context) => refuseUnknownDashboard(about, context),
  applyNew: ({ isPaused, ...wanted }, { created, projectId, dependencies }) => ({
    ...created,
    ...wanted,
    pausedAt: isPaused ? created.createdAt : undefined,
    nextAt: nextReport(wanted.every, wanted.hour, localeOf(projectId, dependencies)),
    sentAt: undefined,
    trouble: undefined,
  }),
  applyChange: (before, { isPaused = before.pausedAt !== undefined, ...wanted }, _viewer, context) => {
    const after = { ...before, ...wanted }
    const pausedAt = isPaused ? (before.pausedAt ?? context.now) : undefined
    const locale = localeOf(context.projectId, context.dependencies)
    return { ...after, pausedAt, nextAt: nextReport(after.every, after.hour, locale), trouble: undefined }
  },
  refuseSave: refuseNonMembers,
  afterSave: (transaction, report, context) => requestConfirmations(transaction, report, context),
  api: {
    summaries: {
      list: 'List reports by e-mail',
      create: 'Create a report by e-mail',
      find: 'Read a report’s settings',
      change: 'Change, pause or continue a report',
      remove: 'Remove a report',
    },
    ...shownAs('Report', reportSchema.omit({ projectId: true })),
  },
})

/** Creates, changes and sends reports. */
export class Reports extends collectionClass(reportCollection) {
  constructor(protected override readonly dependencies: ReportsDependencies) {
    super(dependencies)
  }

  async find(projectId: number, id: string, viewer: Viewer): Promise<Report | undefined> {
    return await this.read(projectId, id, viewer)
  }

  /** Returns the figures that the letter would have now. */
  async preview(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ figures: ReportFigures }>> {
    requireRight('events:read', projectId, viewer)
    const report = await this.lookUp(viewer, projectId, id)
    return report
      ? await figuresOf(report, localeOf(projectId, this.dependencies), this.dependencies, viewer)
      : this.missing()
  }

  /** Sends the report to all its recipients now. */
  async sendNow(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ told: string[] }>> {
    requireRight('alerts:write', projectId, viewer)
    const report = await this.lookUp(viewer, projectId, id)
    if (!report) return this.missing()
    const made = await figuresOf(report, localeOf(projectId, this.dependencies), this.dependencies)
    return made.done ? { done: true, told: await this.send(report, made.figures) } : made
  }

  async told(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ told: DeliveryReport[] }>> {
    requireRight('alerts:write', projectId, viewer)
    const report = await this.lookUp(viewer, projectId, id)
    if (!report) return this.missing()
    return { done: true, told: await deliveryReports(this.dependencies.store, aboutReport(id), mostShown) }
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
    if (problems.length > 0) throw new AggregateError(problems, 'Some reports failed.')
  }

  /** Writes an overdue report once; the next one covers the next period. */
  private async write(report: Report): Promise<void> {
    const { store, world, projects } = this.dependencies
    const now = world.now()
    const later = new Date(now.getTime() + retryMs)
    if (!projects.numbered(report.projectId) || projects.numbered(report.projectId)?.archivedAt)
      return await saveReportProgress(store, { ...report, nextAt: new Date(now.getTime() + 24 * 3_600_000) })
    const locale = localeOf(report.projectId, this.dependencies)
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
      const trouble = problem instanceof EngineError ? problem.message : 'See the log of Tilth.'
      await saveReportProgress(store, {
        ...report,
        nextAt: later,
        trouble: `The report failed. ${trouble}`,
      })
      if (!(problem instanceof EngineError)) throw problem
    }
  }

  private async send(report: Report, figures: ReportFigures, after?: Report): Promise<string[]> {
    const { store, world } = this.dependencies
    const { slug, name, timeZone } = existingProject(report.projectId, this.dependencies.projects)
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
}

async function refuseUnknownDashboard(
  about: Report['about'],
  { projectId, viewer, dependencies }: ReportContext,
): Promise<FailedOutcome | undefined> {
  if (about.type === 'web') return undefined
  const dashboard = await dependencies.dashboards.find(projectId, about.dashboard, viewer)
  return dashboard ? undefined : failedOutcome('There is no such dashboard in this project.', 'about')
}

function localeOf(projectId: number, { projects, world }: ReportsDependencies): ReportLocale {
  const project = existingProject(projectId, projects)
  const { weekStart, currency } = answerSettingsOf(project)
  return {
    timeZone: project.timeZone,
    weekStart,
    currency,
    bounceRule: bounceRuleOf(project),
    now: world.now(),
  }
}

const aboutReport = (id: string): string => `report ${id}`
