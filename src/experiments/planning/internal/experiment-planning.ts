import type { Flag } from '#flags/flag'
import { flagNamed, flagsOf } from '#flags/store'
import type { Insights } from '#insights/ask'
import type { ExperimentAnswer } from '#insights/compile/experiment-answer'
import type { NameSuggestions } from '#insights/text/name-suggestions'
import { operator, requireRight, type Viewer } from '#projects/access'
import { failedOutcome, type Outcome, parseInput } from '#projects/problems'
import type { World } from '#world/world'
import { type Experiment, statusOf } from '../../experiment'
import { missingExperiment } from '../../internal/missing-experiment'
import { type EventCount, seenChecks } from './event-checks'
import { historyQuery, historyStart, matcherOf, planInput, type PlanRequest, sourceOf } from '../history'
import { type OverlappingExperiment, overlapCheck, sharedUnits } from '../overlap'
import { type ExperimentPlan, planOf, type PlanSource } from '../plan'
import { currencyOf, type MeasuringDependencies } from '../../results/internal/measured-experiment'
import { planInWords, runningTimeInWords } from './plan-in-words'
import { firstError, type ReadinessCheck, storedChecks, trafficPercentOf } from '../readiness'

export interface ExperimentPlanningDependencies extends MeasuringDependencies {
  world: World
  experiments: {
    find: (projectId: number, id: string, viewer: Viewer) => Promise<Experiment | undefined>
    list: (projectId: number, viewer: Viewer) => Promise<Experiment[]>
  }
  insights: Pick<Insights, 'ask' | 'scope'>
  names: Pick<NameSuggestions, 'events'>
}

/** The checklist before a start. */
export interface ExperimentReadiness {
  canStart: boolean
  checks: ReadinessCheck[]
  overlaps: OverlappingExperiment[]
}

/** Reads with rights of its own: a key that may see experiments need not have the right to see all events. */
const reader = operator('experiment planning')

interface PlannedExperiment {
  experiment: Experiment
  flag: Flag
}

/** Says before an experiment how long it takes, and what would spoil it. */
export class ExperimentPlanning {
  constructor(private readonly dependencies: ExperimentPlanningDependencies) {}

  /** Plans the size and the running time from the project’s history. */
  async plan(
    projectId: number,
    id: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ plan: ExperimentPlan; sentences: string[] }>> {
    requireRight('experiments:read', projectId, viewer)
    const parsed = parseInput(planInput, input ?? {})
    if (!parsed.done) return parsed
    const found = await this.find(projectId, id, viewer)
    if ('done' in found) return found
    const outcome = await this.planFor(projectId, found, parsed.value)
    if (!outcome.done) return outcome
    const { plan } = outcome
    return { done: true, plan, sentences: planInWords(plan, found.experiment) }
  }

  /** Checks everything that should be in order before the start. */
  async readiness(
    projectId: number,
    id: string,
    viewer: Viewer,
  ): Promise<Outcome<{ readiness: ExperimentReadiness }>> {
    requireRight('experiments:read', projectId, viewer)
    const found = await this.find(projectId, id, viewer)
    if ('done' in found) return found
    const { experiment } = found
    const all = await this.dependencies.experiments.list(projectId, viewer)
    const others = all.filter((one) => one.id !== id)
    const startsAt = experiment.startedAt ?? this.dependencies.world.now()
    const [events, overlaps, runningTime] = await Promise.all([
      this.seenEvents(projectId),
      this.overlaps(projectId, experiment, others),
      this.runningTime(projectId, found),
    ])
    const checks = [
      ...storedChecks({ ...found, others, startsAt }),
      ...seenChecks(experiment, events),
      ...runningTime,
      overlapCheck(overlaps),
    ]
    return { done: true, readiness: { canStart: firstError(checks) === undefined, checks, overlaps } }
  }

  private async find(
    projectId: number,
    id: string,
    viewer: Viewer,
  ): Promise<PlannedExperiment | typeof missingExperiment> {
    const experiment = await this.dependencies.experiments.find(projectId, id, viewer)
    if (!experiment) return missingExperiment
    const flag = await flagNamed(this.dependencies.store, projectId, experiment.flag)
    return flag ? { experiment, flag } : failedOutcome(`The flag "${experiment.flag}" is gone.`)
  }

  private async planFor(
    projectId: number,
    found: PlannedExperiment,
    request: PlanRequest,
  ): Promise<Outcome<{ plan: ExperimentPlan }>> {
    const source = sourceOf(request)
    const planned = await this.planBy(source, projectId, found, request)
    if (!planned.done || source.by !== 'exposures' || planned.plan.history.units > 0) return planned
    return await this.planBy({ by: 'activity' }, projectId, found, request)
  }

  private async planBy(
    source: PlanSource,
    projectId: number,
    { experiment, flag }: PlannedExperiment,
    { days, traffic }: PlanRequest,
  ): Promise<Outcome<{ plan: ExperimentPlan }>> {
    const until = this.dependencies.world.now()
    const from = historyStart(until, days)
    const query = historyQuery(experiment, { matcher: matcherOf(source, experiment), from })
    const [byDay, values] = await Promise.all([
      this.dependencies.insights.ask(projectId, { ...query, metrics: [], byDay: true }, reader),
      this.dependencies.insights.ask(projectId, query, reader),
    ])
    if (!byDay.done) return byDay
    if (!values.done) return values
    const plan = planOf(
      {
        metrics: experiment.metrics,
        analysis: experiment.analysis,
        arms: armsOf(flag),
        trafficPercent: traffic ?? (trafficPercentOf(flag) || 100),
        currency: currencyOf(this.dependencies.projects, projectId),
        source,
        from,
        until,
      },
      // the question's kind decides the answers' type
      { days: (byDay.answer as ExperimentAnswer).cells, values: (values.answer as ExperimentAnswer).cells },
    )
    return { done: true, plan }
  }

  private async seenEvents(projectId: number): Promise<readonly EventCount[]> {
    return await this.dependencies.names.events(projectId, reader)
  }

  private async overlaps(
    projectId: number,
    experiment: Experiment,
    others: readonly Experiment[],
  ): Promise<OverlappingExperiment[]> {
    const running = others.filter((one) => statusOf(one) === 'running' && one.flag !== experiment.flag)
    if (running.length === 0) return []
    const scope = await this.dependencies.insights.scope(projectId, reader)
    const flags = await flagsOf(this.dependencies.store, projectId)
    return await sharedUnits(experiment, running, { scope, flags })
  }

  private async runningTime(projectId: number, found: PlannedExperiment): Promise<ReadinessCheck[]> {
    const outcome = await this.planFor(projectId, found, planInput.parse({}))
    if (!outcome.done) return []
    const { plan } = outcome
    const [sentence] = runningTimeInWords(plan, found.experiment)
    if (sentence === undefined) return []
    const { days } = plan.decision ?? plan
    const isLong = days === null || days > longestAdvisedDays
    return [{ name: 'running-time', severity: isLong ? 'warning' : 'passed', sentence }]
  }
}

/** People delete cookies and change devices; after two months many are counted as others. */
const longestAdvisedDays = 60

const armsOf = ({ variants }: Flag): { variant: string; percentage: number }[] =>
  variants
    .filter(({ percentage }) => percentage > 0)
    .map(({ key, percentage }) => ({ variant: key, percentage }))
