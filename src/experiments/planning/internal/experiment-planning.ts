import type { Flag } from '#flags/flag'
import { flagNamed, flagsOf } from '#flags/store'
import type { Insights } from '#insights/ask'
import type { NameSuggestions } from '#insights/text/name-suggestions'
import { operator, requireEvery, requireRight, type Viewer } from '#projects/access'
import { failedOutcome, type Outcome, parseInput } from '#projects/problems'
import type { World } from '#world/world'
import { type Experiment, statusOf } from '../../experiment'
import { namedMetrics, newAnalysis } from '../../internal/experiment-changes'
import { missingExperiment } from '../../internal/missing-experiment'
import { type EventCount, seenChecks } from './event-checks'
import {
  draftPlanInput,
  historyQuery,
  historyStart,
  matcherOf,
  type PlannedExperiment,
  planInput,
  type PlanRequest,
  sourceOf,
} from '../history'
import { type OverlappingExperiment, overlapCheck, sharedUnits } from '../overlap'
import { type ExperimentPlan, type PlanInput, planOf, type PlanSource } from '../plan'
import { currencyOf, type MeasuringDependencies } from '../../results/internal/measured-experiment'
import { planInWords, runningTimeInWords } from './plan-words'
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

interface FoundExperiment {
  experiment: Experiment
  flag: Flag
}

/** An experiment, and how its flag divides those who meet it. */
type DividedExperiment = { experiment: PlannedExperiment } & Pick<PlanInput, 'arms' | 'trafficPercent'>

type PlanOutcome = Outcome<{ plan: ExperimentPlan; sentences: string[] }>

/** Says before an experiment how long it takes, and what would spoil it. */
export class ExperimentPlanning {
  constructor(private readonly dependencies: ExperimentPlanningDependencies) {}

  /** Plans the size and the running time from the project’s history. */
  async plan(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<PlanOutcome> {
    requireRight('experiments:read', projectId, viewer)
    const parsed = parseInput(planInput, input ?? {})
    if (!parsed.done) return parsed
    const found = await this.find(projectId, id, viewer)
    if ('done' in found) return found
    return await this.planWithWords(projectId, divided(found), parsed.value)
  }

  /** Plans an experiment before it is created, and its flag with it. */
  async planDraft(projectId: number, input: unknown, viewer: Viewer): Promise<PlanOutcome> {
    // its metrics ask of all events
    requireEvery(['experiments:read', 'events:read'], projectId, viewer)
    const parsed = parseInput(draftPlanInput, input)
    if (!parsed.done) return parsed
    const { experiment, variants, history } = parsed.value
    const flag = variants ? undefined : await flagNamed(this.dependencies.store, projectId, experiment.flag)
    if (!variants && !flag)
      return failedOutcome(`There is no flag "${experiment.flag}" in this project.`, 'flag')
    const arms = armsOf({ variants: variants ?? flag?.variants ?? [] })
    const drafted = {
      ...experiment,
      control: experiment.control ?? arms[0]?.variant ?? '',
      metrics: namedMetrics(experiment.metrics),
      analysis: newAnalysis(experiment.kind, experiment.analysis),
      startedAt: undefined,
    }
    const trafficPercent = flag ? trafficOf(flag) : 100
    return await this.planWithWords(projectId, { experiment: drafted, arms, trafficPercent }, history)
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
  ): Promise<FoundExperiment | typeof missingExperiment> {
    const experiment = await this.dependencies.experiments.find(projectId, id, viewer)
    if (!experiment) return missingExperiment
    const flag = await flagNamed(this.dependencies.store, projectId, experiment.flag)
    return flag ? { experiment, flag } : failedOutcome(`The flag "${experiment.flag}" is gone.`)
  }

  private async planWithWords(
    projectId: number,
    planned: DividedExperiment,
    request: PlanRequest,
  ): Promise<PlanOutcome> {
    const outcome = await this.planFor(projectId, planned, request)
    if (!outcome.done) return outcome
    const { plan } = outcome
    return { done: true, plan, sentences: planInWords(plan, planned.experiment) }
  }

  private async planFor(
    projectId: number,
    planned: DividedExperiment,
    request: PlanRequest,
  ): Promise<Outcome<{ plan: ExperimentPlan }>> {
    const source = sourceOf(request)
    const outcome = await this.planBy(source, projectId, planned, request)
    if (!outcome.done || source.by !== 'exposures' || outcome.plan.history.units > 0) return outcome
    return await this.planBy({ by: 'activity' }, projectId, planned, request)
  }

  private async planBy(
    source: PlanSource,
    projectId: number,
    { experiment, arms, trafficPercent }: DividedExperiment,
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
        arms,
        trafficPercent: traffic ?? trafficPercent,
        currency: currencyOf(this.dependencies.projects, projectId),
        source,
        from,
        until,
      },
      { days: byDay.answer.cells, values: values.answer.cells },
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

  private async runningTime(projectId: number, found: FoundExperiment): Promise<ReadinessCheck[]> {
    const outcome = await this.planFor(projectId, divided(found), planInput.parse({}))
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

const divided = ({ experiment, flag }: FoundExperiment): DividedExperiment => ({
  experiment,
  arms: armsOf(flag),
  trafficPercent: trafficOf(flag),
})

/** A flag that is not on yet will be for everyone. */
const trafficOf = (flag: Flag): number => trafficPercentOf(flag) || 100

type Division = { variants: readonly { key: string; percentage: number }[] }

const armsOf = ({ variants }: Division): { variant: string; percentage: number }[] =>
  variants
    .filter(({ percentage }) => percentage > 0)
    .map(({ key, percentage }) => ({ variant: key, percentage }))
