import { EngineError } from '#engine/engine'
import { answerSettingsOf } from '#insights/project-settings'
import type { Calendar } from '#insights/calendar/period'
import { AccessRefusedError } from '#projects/access'
import type { Outcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Projects } from '#projects/projects'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import type { Unit } from '#ui/format'
import { type Alert, nextCheck } from '../alert'
import { aboutAlert } from '../alerts'
import { judge, unknownVerdict, type AlertVerdict } from '../condition'
import { queueMessage } from '../deliveries/deliveries'
import { addChange, alertsDue, forgetChangesBefore, saveState } from './store'
import type { AlertMessage } from '../letters/alert/message'
import type { CollectionUptime } from './collection-uptime'
import {
  type AlertReadingDependencies,
  type AlertTimeSeries,
  alertTimeSeriesOf,
  readNow,
  type WatchedAlert,
} from '../alert-reading'
import { type NotificationReason, notificationReasonOf } from './notification'
import { verdictWords } from '../verdict-words'
import { watchedMetricWords } from '../watched-metric-words'
import { conditionWords } from '../alert-words'

interface AlertChecksDependencies extends AlertReadingDependencies {
  store: Store
  world: World
  projects: Pick<Projects, 'numbered'>
  pulse: Pick<CollectionUptime, 'doubtAbout'>
}

/** A verdict, and how its numbers are written. */
interface AlertCheckResult {
  verdict: AlertVerdict
  unit: Unit
}

const keptMs = 180 * 24 * 60 * 60_000

/** Checks the alerts that are due and notifies their recipients. Runs in one front at a time. */
export class AlertChecks {
  constructor(private readonly dependencies: AlertChecksDependencies) {}

  /** A failed check does not stop the others; the errors are thrown together at the end. */
  async run(): Promise<void> {
    const { store, world } = this.dependencies
    const problems: unknown[] = []
    for (const alert of await alertsDue(store, world.now())) {
      const result = await this.check(alert).catch((problem: unknown) => {
        problems.push(problem)
        return {
          verdict: unknownVerdict('The check failed. See the log of Tilth.'),
          unit: 'number' as const,
        }
      })
      await this.conclude(alert, result)
    }
    await forgetChangesBefore(store, new Date(world.now().getTime() - keptMs))
    if (problems.length > 0) throw new AggregateError(problems, 'Some alerts could not be checked.')
  }

  async test(alert: Alert): Promise<{ verdict: AlertVerdict; told: string[] }> {
    const { store, world } = this.dependencies
    const result = await this.check(alert)
    const told = await store.transaction(async (transaction) =>
      queueMessage(
        transaction,
        {
          projectId: alert.projectId,
          about: aboutAlert(alert.id),
          message: await this.messageOf(alert, result, 'test'),
        },
        alert.recipients,
        world,
      ),
    )
    return { verdict: result.verdict, told }
  }

  /** An unavailable engine makes the verdict unknown, which notifies no recipient. */
  private async check(alert: Alert): Promise<AlertCheckResult> {
    const project = this.dependencies.projects.numbered(alert.projectId)
    if (!project || project.archivedAt)
      return { verdict: unknownVerdict('The project is archived.'), unit: 'number' }
    const calendar = this.calendarOf(project)
    try {
      const read = await readNow(alert, calendar, this.dependencies)
      if (!read.done)
        return {
          verdict: unknownVerdict(read.problems.map(({ message }) => message).join(' ')),
          unit: 'number',
        }
      const unit = unitOf(read.as, project)
      const verdict = judge(read.reading, alert.condition)
      if (verdict.state !== 'firing') return { verdict, unit }
      const doubt = await this.dependencies.pulse.doubtAbout(alert.condition, read.period)
      return { verdict: doubt === undefined ? verdict : unknownVerdict(doubt), unit }
    } catch (problem) {
      if (problem instanceof EngineError)
        return { verdict: unknownVerdict(`The engine does not answer: ${problem.message}`), unit: 'number' }
      throw problem
    }
  }

  private async conclude(before: Alert, result: AlertCheckResult): Promise<void> {
    const { store, world, projects } = this.dependencies
    const now = world.now()
    const { verdict } = result
    const hasChanged = before.verdict?.state !== verdict.state
    const reason = notificationReasonOf(verdict, before, now)
    const project = projects.numbered(before.projectId)
    const after: Alert = {
      ...before,
      verdict,
      since: hasChanged ? now : before.since,
      checkedAt: now,
      nextCheckAt: project
        ? nextCheck(before.every, this.calendarOf(project))
        : new Date(now.getTime() + 3_600_000),
      ...(reason && { told: reason === 'recovered' ? ('ok' as const) : ('firing' as const), toldAt: now }),
    }
    const message = reason && (await this.messageOf(before, result, reason))
    await store.transaction(async (transaction) => {
      if (!(await saveState(transaction, after, before))) return
      if (hasChanged) await addChange(transaction, before.id, { at: now, verdict })
      if (message)
        await queueMessage(
          transaction,
          { projectId: before.projectId, about: aboutAlert(before.id), message },
          before.recipients,
          world,
        )
      if (hasChanged) await transaction.announce('alerts')
    })
  }

  private async messageOf(
    { id, name, projectId, watched, condition }: Alert,
    { verdict, unit }: AlertCheckResult,
    tidings: NotificationReason | 'test',
  ): Promise<AlertMessage> {
    const { projects, world } = this.dependencies
    const project = projects.numbered(projectId)
    const what = await watchedMetricWords(projectId, watched, this.dependencies)
    return {
      kind: 'alert',
      tidings,
      alert: id,
      name,
      project: { slug: project?.slug ?? '', name: project?.name ?? '' },
      condition: conditionWords(what, condition, unit),
      verdict,
      numbers: verdictWords(verdict, unit),
      at: world.now().toISOString(),
    }
  }

  /** Returns the last thirty numbers of a metric, and those that a change is held against. */
  async course(watching: WatchedAlert): Promise<Outcome<{ course: AlertTimeSeries }>> {
    const project = this.dependencies.projects.numbered(watching.projectId)
    if (!project) throw new AccessRefusedError('not-found', 'There is no such project.')
    return await alertTimeSeriesOf(watching, this.calendarOf(project), this.dependencies)
  }

  private calendarOf(project: Project): Calendar {
    const { weekStart } = answerSettingsOf(project)
    return { timeZone: project.timeZone, weekStart, now: this.dependencies.world.now() }
  }
}

const unitOf = (as: string, project: Project): Unit => {
  if (as === 'money') return { currency: answerSettingsOf(project).currency }
  if (as === 'percent') return 'percent'
  return as === 'duration' ? 'seconds' : 'number'
}
