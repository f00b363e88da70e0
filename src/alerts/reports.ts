import { EngineError } from '../engine/engine'
import { answerSettingsOf } from '../insights/project-settings'
import { Refused, requireRight, type Viewer } from '../projects/access'
import { record } from '../projects/audit'
import type { AuditAction } from '../projects/audit-actions'
import { type Outcome, parse, undone } from '../projects/problems'
import type { Project } from '../projects/project'
import type { Projects } from '../projects/projects'
import { newId } from '../projects/secrets'
import type { Store } from '../store/store'
import type { World } from '../world/world'
import type { Contacts } from './contacts'
import { queue, type Told, toldBy } from './deliveries'
import type { ReportFigures } from './figures'
import { forgetSendings, sendingsAbout } from './outgoing/store'
import { type LetterRecipient, newReport, nextReport, type Report, reportChange } from './report'
import { figuresOf, type FiguresGround, type Viewpoint } from './report-figures'
import {
  forgetReport,
  reportNumbered,
  reportsDue,
  reportsOf,
  saveReport,
  saveReportProgress,
} from './reports/store'

interface ReportsGround extends FiguresGround {
  store: Store
  world: World
  projects: Pick<Projects, 'numbered'>
  contacts: Contacts
}

const mostReports = 50
const mostShown = 50
/** An engine that is away is asked again so soon; the letter is about a period that is over either way. */
const againMs = 10 * 60_000

const missing = undone('There is no such report in this project.')

type Changed = Outcome<{ report: Report }>

/** Figures that come by letter, again and again. */
export class Reports {
  constructor(private readonly ground: ReportsGround) {}

  async list(projectId: number, viewer: Viewer): Promise<Report[]> {
    requireRight('events:read', projectId, viewer)
    return await reportsOf(this.ground.store, projectId)
  }

  async find(projectId: number, id: string, viewer: Viewer): Promise<Report | undefined> {
    requireRight('events:read', projectId, viewer)
    return await reportNumbered(this.ground.store, projectId, id)
  }

  async create(projectId: number, input: unknown, viewer: Viewer): Promise<Changed> {
    requireRight('alerts:write', projectId, viewer)
    const parsed = parse(newReport, input)
    if (!parsed.done) return parsed
    const { isPaused, ...wanted } = parsed.value
    const { store, world } = this.ground
    if ((await reportsOf(store, projectId)).length >= mostReports)
      return undone(`A project has ${mostReports} reports at most. Remove one first.`)
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
      nextAt: nextReport(wanted.every, wanted.hour, this.viewpointOf(projectId)),
      sentAt: undefined,
      trouble: undefined,
    })
  }

  async change(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<Changed> {
    requireRight('alerts:write', projectId, viewer)
    const parsed = parse(reportChange, input)
    if (!parsed.done) return parsed
    const before = await reportNumbered(this.ground.store, projectId, id)
    if (!before) return missing
    const { isPaused = before.pausedAt !== undefined, ...wanted } = parsed.value
    const after = { ...before, ...wanted }
    const trouble = await this.troubleWith(projectId, after.about, viewer)
    if (trouble) return trouble
    const pausedAt = isPaused ? (before.pausedAt ?? this.ground.world.now()) : undefined
    const nextAt = nextReport(after.every, after.hour, this.viewpointOf(projectId))
    return await this.save(
      'report.change',
      viewer,
      { ...after, pausedAt, nextAt, trouble: undefined },
      before,
    )
  }

  async remove(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('alerts:write', projectId, viewer)
    const before = await reportNumbered(this.ground.store, projectId, id)
    if (!before) return missing
    const { store, world } = this.ground
    await store.transaction(async (transaction) => {
      await forgetReport(transaction, id)
      await forgetSendings(transaction, aboutReport(id))
      const deed = {
        action: 'report.remove',
        subject: before.name,
        projectId,
        before: shown(before),
      } as const
      await record(transaction, deed, viewer, world.now())
    })
    return { done: true }
  }

  /** What the letter would say if it were written now. */
  async preview(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ figures: ReportFigures }>> {
    requireRight('events:read', projectId, viewer)
    const report = await reportNumbered(this.ground.store, projectId, id)
    return report ? await figuresOf(report, this.viewpointOf(projectId), this.ground) : missing
  }

  /** To everybody on its list, without waiting for its hour. */
  async sendNow(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ told: string[] }>> {
    requireRight('alerts:write', projectId, viewer)
    const report = await reportNumbered(this.ground.store, projectId, id)
    if (!report) return missing
    const made = await figuresOf(report, this.viewpointOf(projectId), this.ground)
    return made.done ? { done: true, told: await this.send(report, made.figures) } : made
  }

  async told(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ told: Told[] }>> {
    requireRight('alerts:write', projectId, viewer)
    const report = await reportNumbered(this.ground.store, projectId, id)
    if (!report) return missing
    const sendings = await sendingsAbout(this.ground.store, aboutReport(id), mostShown)
    return { done: true, told: sendings.map(toldBy) }
  }

  /** Who of its recipients does not get letters at present, and why not. */
  async hindrances(report: Report, viewer: Viewer) {
    requireRight('events:read', report.projectId, viewer)
    return await this.ground.contacts.hindrances(report.projectId, aboutReport(report.id), report.recipients)
  }

  /** Writes those whose hour has come. In one front at a time. */
  async run(): Promise<void> {
    const { store, world } = this.ground
    const problems: unknown[] = []
    for (const report of await reportsDue(store, world.now()))
      await this.write(report).catch((problem: unknown) => problems.push(problem))
    if (problems.length > 0) throw new AggregateError(problems, 'Some reports could not be written.')
  }

  /** Each is written once: where it was long overdue, the next is the one of the next period. */
  private async write(report: Report): Promise<void> {
    const { store, world, projects } = this.ground
    const now = world.now()
    const later = new Date(now.getTime() + againMs)
    if (!projects.numbered(report.projectId) || projects.numbered(report.projectId)?.archivedAt)
      return await saveReportProgress(store, { ...report, nextAt: new Date(now.getTime() + 24 * 3_600_000) })
    const viewpoint = this.viewpointOf(report.projectId)
    // put off before it is tried: what cannot be written must not be tried again at once
    await saveReportProgress(store, { ...report, nextAt: later })
    try {
      const made = await figuresOf(report, viewpoint, this.ground)
      const nextAt = nextReport(report.every, report.hour, viewpoint)
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
    const { store, world } = this.ground
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
      return await queue(
        transaction,
        { projectId: report.projectId, about, message },
        report.recipients,
        world,
      )
    })
  }

  private async troubleWith(projectId: number, about: Report['about'], viewer: Viewer) {
    if (about.type === 'web') return undefined
    const dashboard = await this.ground.dashboards.find(projectId, about.dashboard, viewer)
    return dashboard ? undefined : undone('There is no such dashboard in this project.', 'about')
  }

  private async save(
    action: Extract<AuditAction, `report.${string}`>,
    viewer: Viewer,
    report: Report,
    before?: Report,
  ): Promise<Changed> {
    const { store, world, contacts } = this.ground
    const project = this.project(report.projectId)
    await store.transaction(async (transaction) => {
      await saveReport(transaction, report)
      const whom = { recipients: report.recipients, before: before?.recipients ?? [] }
      await contacts.welcome(transaction, project, whom, viewer)
      const deed = { action, subject: report.name, projectId: project.id, after: shown(report) }
      await record(transaction, before ? { ...deed, before: shown(before) } : deed, viewer, world.now())
    })
    return { done: true, report }
  }

  private project(id: number): Project {
    const project = this.ground.projects.numbered(id)
    if (!project) throw new Refused('not-found', 'There is no such project.')
    return project
  }

  private viewpointOf(projectId: number): Viewpoint {
    const project = this.project(projectId)
    const { weekStart, currency } = answerSettingsOf(project)
    return { timeZone: project.timeZone, weekStart, currency, now: this.ground.world.now() }
  }
}

const aboutReport = (id: string): string => `report ${id}`

const shown = ({
  name,
  about,
  every,
  hour,
  recipients,
  pausedAt,
}: Report): {
  recipients: LetterRecipient[]
} & Record<string, unknown> => ({ name, about, every, hour, recipients, pausedAt })
