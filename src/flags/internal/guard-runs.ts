import { ofEnvironment } from '../exposure-queries'
import {
  type Guard,
  type GuardMetric,
  minutesAfter,
  type GuardReading,
  type GuardInterval,
  guardIntervalsOf,
  unknownReading,
} from '../guard'
import { limitOf, guardReadingOf } from '../guard-comparison'
import { GuardEngine, type GuardEngineDependencies } from '../guards/guard-engine'
import { Guards } from '../guards/internal/guards'
import type { Insights } from '#insights/ask'
import type { GuardMetricAnswer } from '#insights/kinds/guard-metric/answer'
import type { Goals } from '#insights/goals/goals'
import { operator } from '#projects/access'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import type { Job } from '#jobs/jobs'

export interface GuardingDependencies extends Pick<GuardEngineDependencies, 'notify'> {
  store: Store
  world: World
  insights: Pick<Insights, 'ask'>
  goals: Pick<Goals, 'list'>
}

const guardJob = 'look after rollouts'
const minute = 60_000

/** Creates guards together with the numbers that they check. */
export function openGuards({ store, world, insights, goals, notify }: GuardingDependencies): {
  guards: Guards
  guardEngine: GuardEngine
  jobs: readonly Job[]
} {
  const comparisons = new Comparisons({ world, insights, goals })
  const guardEngine = new GuardEngine({
    store,
    world,
    notify,
    readMetrics: (guard) => comparisons.readMetrics(guard),
  })
  const guards = new Guards({
    store,
    engine: guardEngine,
    objectionTo: (projectId, { metrics }) => comparisons.objectionTo(projectId, metrics),
  })
  const jobs: Job[] = [{ name: guardJob, everyMs: minute, isShared: true, run: () => guards.run() }]
  return { guards, guardEngine, jobs }
}

/** Events arrive late. After this long, the figures of a step are final and are not queried again. */
const finalAfterMs = 60 * minute
/** Limits the cache, because steps of old guards are not needed any more. */
const maxFinalAnswers = 1000

/**
 * Browsers send a decision only when it changes, which may take months. A shorter window would find people whose
 * decision a step changed, and miss those whose decision stayed.
 */
const rememberedMinutes = 90 * 24 * 60

const guardViewer = operator('guarded rollout')

class Comparisons {
  private readonly finalAnswers = new Map<string, GuardMetricAnswer>()

  constructor(private readonly dependencies: Pick<GuardingDependencies, 'world' | 'insights' | 'goals'>) {}

  async readMetrics(guard: Guard): Promise<GuardReading[]> {
    return await Promise.all(guard.metrics.map((metric) => this.readingFor(guard, metric)))
  }

  async objectionTo(projectId: number, metrics: readonly GuardMetric[]): Promise<string | undefined> {
    const goalIds = metrics.flatMap((metric) => (metric.type === 'goal' ? [metric.goal] : []))
    if (goalIds.length === 0) return undefined
    const known = new Set((await this.dependencies.goals.list(projectId, guardViewer)).map(({ id }) => id))
    const unknown = goalIds.find((id) => !known.has(id))
    return unknown === undefined
      ? undefined
      : `There is no goal “${unknown}” in this project. Choose another.`
  }

  /** Undefined figures mean that the metric is invalid, because its goal or a cohort was deleted. */
  private async readingFor(guard: Guard, metric: GuardMetric): Promise<GuardReading> {
    const outcome = await this.outcomeOf(guard.projectId, metric)
    if (!outcome) return unknownReading
    const compared: GuardMetricAnswer[] = []
    for (const interval of guardIntervalsOf(guard.taken, this.dependencies.world.now())) {
      const sides = await this.compare({ guard, metric, outcome, interval })
      if (!sides) return unknownReading
      compared.push(sides)
    }
    return guardReadingOf(metric, compared, { minimum: guard.minimum, metrics: guard.metrics.length })
  }

  private async compare(query: MetricQuery): Promise<GuardMetricAnswer | undefined> {
    const key = JSON.stringify([query.guard.id, query.outcome, query.metric.worse, query.interval])
    const known = this.finalAnswers.get(key)
    if (known) return known
    const sides = await this.ask(query)
    const age = this.dependencies.world.now().getTime() - query.interval.until.getTime()
    if (sides && age >= finalAfterMs) this.keepFinal(key, sides)
    return sides
  }

  /** The count above the other side's percentile needs a second query, once the percentile is known. */
  private async ask(query: MetricQuery): Promise<GuardMetricAnswer | undefined> {
    const sides = await this.answerFor(query)
    if (query.metric.type !== 'vital' || !sides || sides.others.p75 === null) return sides
    return await this.answerFor(query, sides.others.p75 * limitOf(query.metric))
  }

  private async answerFor(
    { guard, outcome, interval }: MetricQuery,
    extraMs?: number,
  ): Promise<GuardMetricAnswer | undefined> {
    const query = {
      kind: 'guard-metric' as const,
      flag: guard.flagKey,
      variant: guard.variant,
      period: `${interval.from.toISOString()}..${interval.until.toISOString()}`,
      since: minutesAfter(guard.createdAt, -rememberedMinutes).toISOString(),
      filter: ofEnvironment(guard.environment),
      outcome,
      over: extraMs,
    }
    const insightOutcome = await this.dependencies.insights.ask(guard.projectId, query, guardViewer)
    return insightOutcome.done ? insightOutcome.answer : undefined
  }

  private async outcomeOf(projectId: number, metric: GuardMetric): Promise<object | undefined> {
    if (metric.type === 'exceptions') return { type: 'times', happening: { event: '$exception' } }
    if (metric.type === 'vital')
      return { type: 'measured', event: '$web_vitals', property: `$web_vitals_${metric.vital}_value` }
    if (metric.type === 'event') {
      const { event, filter } = metric
      return { type: 'reached', goal: { type: 'event', event, filter } }
    }
    const goals = await this.dependencies.goals.list(projectId, guardViewer)
    const saved = goals.find(({ id }) => id === metric.goal)
    return saved && { type: 'reached', goal: saved.goal }
  }

  private keepFinal(key: string, sides: GuardMetricAnswer): void {
    const [oldest] = this.finalAnswers.keys()
    if (this.finalAnswers.size >= maxFinalAnswers && oldest !== undefined) this.finalAnswers.delete(oldest)
    this.finalAnswers.set(key, sides)
  }
}

interface MetricQuery {
  guard: Guard
  metric: GuardMetric
  /** The value measured for each person; see the insight kind `sides`. */
  outcome: object
  interval: GuardInterval
}
