import { ofEnvironment } from '../flags/exposure-questions'
import {
  type Guard,
  type GuardMetric,
  minutesAfter,
  type Reading,
  type Stretch,
  stretchesOf,
} from '../flags/guard'
import { limitOf, readingOf } from '../flags/guard-comparison'
import { Guards } from '../flags/guards'
import type { Insights } from '../insights/ask'
import type { SidesAnswer } from '../insights/exposure'
import type { Goals } from '../insights/goals'
import { operator } from '../projects/access'
import type { Store } from '../store/store'
import type { World } from '../world/world'
import type { Job } from './jobs'

interface GuardingGround {
  store: Store
  world: World
  insights: Pick<Insights, 'ask'>
  goals: Pick<Goals, 'list'>
}

export const guardJob = 'look after rollouts'
const minute = 60_000

/** Guarded rollouts, joined with the numbers they are looked after by. */
export function openGuarding(ground: GuardingGround): { guards: Guards; jobs: readonly Job[] } {
  const comparisons = new Comparisons(ground)
  const guards = new Guards({
    ...ground,
    look: (guard) => comparisons.look(guard),
    objectionTo: (projectId, { metrics }) => comparisons.objectionTo(projectId, metrics),
  })
  return { guards, jobs: [{ name: guardJob, everyMs: minute, isShared: true, run: () => guards.run() }] }
}

/** Events come late; so long after a step nothing about it changes any more, and it is not asked again. */
const settledAfterMs = 60 * minute
/** Steps of guards that ended long ago are not remembered for good. */
const mostKept = 1000

/**
 * Browsers say what they got when it changes and not again, maybe for months: with a shorter memory, those whose answer a
 * step changed would be known again, and those whose answer stayed would not.
 */
const rememberedMinutes = 90 * 24 * 60

const byGuard = operator('guarded rollout')

class Comparisons {
  private readonly settled = new Map<string, SidesAnswer>()

  constructor(private readonly ground: GuardingGround) {}

  async look(guard: Guard): Promise<Reading[]> {
    return await Promise.all(guard.metrics.map((metric) => this.readingFor(guard, metric)))
  }

  async objectionTo(projectId: number, metrics: readonly GuardMetric[]): Promise<string | undefined> {
    const wanted = metrics.flatMap((metric) => (metric.type === 'goal' ? [metric.goal] : []))
    if (wanted.length === 0) return undefined
    const known = new Set((await this.ground.goals.list(projectId, byGuard)).map(({ id }) => id))
    const unknown = wanted.find((id) => !known.has(id))
    return unknown === undefined
      ? undefined
      : `There is no goal “${unknown}” in this project. Choose another.`
  }

  /** Unknown where the question cannot be asked any more, because its goal or a cohort is gone. */
  private async readingFor(guard: Guard, metric: GuardMetric): Promise<Reading> {
    const outcome = await this.outcomeOf(guard.projectId, metric)
    if (!outcome) return unknown
    const compared: SidesAnswer[] = []
    for (const stretch of stretchesOf(guard.taken, this.ground.world.now())) {
      const sides = await this.compare({ guard, metric, outcome, stretch })
      if (!sides) return unknown
      compared.push(sides)
    }
    return readingOf(metric, compared, { minimum: guard.minimum, metrics: guard.metrics.length })
  }

  private async compare(about: About): Promise<SidesAnswer | undefined> {
    const key = JSON.stringify([about.guard.id, about.outcome, about.metric.worse, about.stretch])
    const known = this.settled.get(key)
    if (known) return known
    const sides = await this.ask(about)
    const age = this.ground.world.now().getTime() - about.stretch.until.getTime()
    if (sides && age >= settledAfterMs) this.keep(key, sides)
    return sides
  }

  /** How many are beyond what the others' percentile allows can be asked only once that is known. */
  private async ask(about: About): Promise<SidesAnswer | undefined> {
    const sides = await this.answered(about)
    if (about.metric.type !== 'vital' || !sides || sides.others.p75 === null) return sides
    return await this.answered(about, sides.others.p75 * limitOf(about.metric))
  }

  private async answered(
    { guard, outcome, stretch }: About,
    beyond?: number,
  ): Promise<SidesAnswer | undefined> {
    const question = {
      kind: 'sides',
      flag: guard.flagKey,
      variant: guard.variant,
      period: `${stretch.from.toISOString()}..${stretch.until.toISOString()}`,
      since: minutesAfter(guard.createdAt, -rememberedMinutes).toISOString(),
      filter: ofEnvironment(guard.environment),
      outcome,
      over: beyond,
    }
    const asked = await this.ground.insights.ask(guard.projectId, question, byGuard)
    // an answer is of the kind of its question
    return asked.done ? (asked.answer as SidesAnswer) : undefined
  }

  private async outcomeOf(projectId: number, metric: GuardMetric): Promise<object | undefined> {
    if (metric.type === 'exceptions') return { type: 'times', happening: { event: '$exception' } }
    if (metric.type === 'vital')
      return { type: 'measured', event: '$web_vitals', property: `$web_vitals_${metric.vital}_value` }
    if (metric.type === 'event') {
      const { event, filter } = metric
      return { type: 'reached', goal: { type: 'event', event, filter } }
    }
    const goals = await this.ground.goals.list(projectId, byGuard)
    const saved = goals.find(({ id }) => id === metric.goal)
    return saved && { type: 'reached', goal: saved.goal }
  }

  private keep(key: string, sides: SidesAnswer): void {
    const [oldest] = this.settled.keys()
    if (this.settled.size >= mostKept && oldest !== undefined) this.settled.delete(oldest)
    this.settled.set(key, sides)
  }
}

interface About {
  guard: Guard
  metric: GuardMetric
  /** What is asked of each person: see the kind `sides`. */
  outcome: object
  stretch: Stretch
}

const unknown: Reading = { state: 'unknown', got: null, others: null, people: { got: 0, others: 0 } }
