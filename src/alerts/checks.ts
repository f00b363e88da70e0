import { EngineError } from '../engine/engine'
import { answerSettingsOf } from '../insights/project-settings'
import type { Calendar } from '../insights/period'
import type { Project } from '../projects/project'
import type { Projects } from '../projects/projects'
import type { Store } from '../store/store'
import type { World } from '../world/world'
import type { Unit } from '../ui/format'
import { type Alert, nextCheck } from './alert'
import { aboutAlert } from './alerts'
import { judge, unknown, type Verdict } from './condition'
import { queue } from './deliveries'
import { addChange, alertsDue, forgetChangesBefore, saveState } from './kept/store'
import type { AlertMessage } from './messages'
import type { CollectionPulse } from './pulse'
import { type ReadingGround, readNow } from './reading'
import { type Tidings, tidingsOf } from './telling'
import { verdictWords } from './verdict-words'
import { watchedWords } from './watched-words'
import { conditionWords } from './words'

interface ChecksGround extends ReadingGround {
  store: Store
  world: World
  projects: Pick<Projects, 'numbered'>
  pulse: Pick<CollectionPulse, 'doubtAbout'>
}

/** A verdict, and how its numbers are written. */
interface Found {
  verdict: Verdict
  unit: Unit
}

const keptMs = 180 * 24 * 60 * 60_000

/** Looks at what is due, and tells whom it concerns. In one front at a time. */
export class AlertChecks {
  constructor(private readonly ground: ChecksGround) {}

  /** One that cannot be looked at keeps none of the others from it; what went wrong is thrown at the end. */
  async run(): Promise<void> {
    const { store, world } = this.ground
    const problems: unknown[] = []
    for (const alert of await alertsDue(store, world.now())) {
      const found = await this.look(alert).catch((problem: unknown) => {
        problems.push(problem)
        return {
          verdict: unknown('It could not be looked at; the log of Tilth says why.'),
          unit: 'number' as const,
        }
      })
      await this.conclude(alert, found)
    }
    await forgetChangesBefore(store, new Date(world.now().getTime() - keptMs))
    if (problems.length > 0) throw new AggregateError(problems, 'Some alerts could not be looked at.')
  }

  async test(alert: Alert): Promise<{ verdict: Verdict; told: string[] }> {
    const { store, world } = this.ground
    const found = await this.look(alert)
    const told = await store.transaction(async (transaction) =>
      queue(
        transaction,
        {
          projectId: alert.projectId,
          about: aboutAlert(alert.id),
          message: await this.messageOf(alert, found, 'test'),
        },
        alert.recipients,
        world,
      ),
    )
    return { verdict: found.verdict, told }
  }

  /** An engine that is away is no reason to wake anybody: what cannot be seen is unknown. */
  private async look(alert: Alert): Promise<Found> {
    const project = this.ground.projects.numbered(alert.projectId)
    if (!project || project.archivedAt)
      return { verdict: unknown('The project is archived.'), unit: 'number' }
    const calendar = this.calendarOf(project)
    try {
      const read = await readNow(alert, calendar, this.ground)
      if (!read.done)
        return { verdict: unknown(read.problems.map(({ message }) => message).join(' ')), unit: 'number' }
      const unit = unitOf(read.as, project)
      const verdict = judge(read.reading, alert.condition)
      if (verdict.state !== 'firing') return { verdict, unit }
      const doubt = await this.ground.pulse.doubtAbout(alert.condition, read.period)
      return { verdict: doubt === undefined ? verdict : unknown(doubt), unit }
    } catch (problem) {
      if (problem instanceof EngineError)
        return { verdict: unknown(`The engine does not answer: ${problem.message}`), unit: 'number' }
      throw problem
    }
  }

  private async conclude(before: Alert, found: Found): Promise<void> {
    const { store, world, projects } = this.ground
    const now = world.now()
    const { verdict } = found
    const hasChanged = before.verdict?.state !== verdict.state
    const tidings = tidingsOf(verdict, before, now)
    const project = projects.numbered(before.projectId)
    const after: Alert = {
      ...before,
      verdict,
      since: hasChanged ? now : before.since,
      checkedAt: now,
      nextCheckAt: project
        ? nextCheck(before.every, this.calendarOf(project))
        : new Date(now.getTime() + 3_600_000),
      ...(tidings && { told: tidings === 'recovered' ? ('ok' as const) : ('firing' as const), toldAt: now }),
    }
    const message = tidings && (await this.messageOf(before, found, tidings))
    await store.transaction(async (transaction) => {
      if (!(await saveState(transaction, after, before))) return
      if (hasChanged) await addChange(transaction, before.id, { at: now, verdict })
      if (message)
        await queue(
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
    { verdict, unit }: Found,
    tidings: Tidings | 'test',
  ): Promise<AlertMessage> {
    const { projects, world } = this.ground
    const project = projects.numbered(projectId)
    const what = await watchedWords(projectId, watched, this.ground)
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

  private calendarOf(project: Project): Calendar {
    const { weekStart } = answerSettingsOf(project)
    return { timeZone: project.timeZone, weekStart, now: this.ground.world.now() }
  }
}

const unitOf = (as: string, project: Project): Unit => {
  if (as === 'money') return { currency: answerSettingsOf(project).currency }
  if (as === 'percent') return 'percent'
  return as === 'duration' ? 'seconds' : 'number'
}
