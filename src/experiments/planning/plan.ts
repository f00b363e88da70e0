import type { z } from 'zod'
import type { ExperimentCell } from '#insights/kinds/experiment/answer'
import { quantileError } from '#statistics/bayesian'
import { type Estimand, unitBaseline } from '#statistics/effect'
import { detectableEffect, type MetricBaseline } from '#statistics/power'
import type { AnalysisSettings, ExperimentMetric, MetricRole } from '../experiment'
import { metricSize, type MetricTest, metricTest } from '../internal/metric-size'
import { ownValues, shapeOf, unitOf } from '../results/internal/metric-shape'
import { isMoments } from '../results/internal/pooling'
import { ruleOf } from '../results/decision'
import type { experimentPlan } from './plan-schema'
import { explainedShare } from './internal/explained-share'

/** The types of the schemas in `plan-schema`, for code that goes to browsers without them. */
export type ExperimentPlan = z.infer<typeof experimentPlan>
export type PlanSource = ExperimentPlan['source']
export type MetricPlan = ExperimentPlan['metrics'][number]
export type MissingHistory = NonNullable<MetricPlan['missing']>

const weeksPlanned = 12
const longestDays = 365
const daysPerWeek = 7

export interface PlanInput {
  metrics: readonly ExperimentMetric[]
  analysis: AnalysisSettings
  arms: readonly { variant: string; percentage: number }[]
  trafficPercent: number
  /** Of the project. */
  currency: string
  source: PlanSource
  from: Date
  until: Date
}

/** The contents of the history: the units of each day, and the metrics over all of them. */
export interface HistoryCells {
  days: readonly Pick<ExperimentCell, 'day' | 'units'>[]
  values: readonly Pick<ExperimentCell, 'metrics'>[]
}

export function planOf(input: PlanInput, { days: cells, values }: HistoryCells): ExperimentPlan {
  const units = cells.reduce((sum, cell) => sum + cell.units, 0)
  const course = new ExposureCourse(cells, input)
  const end = plannedEnd(input, course)
  const context = { ...input, values, units, course, end }
  const metrics = input.metrics.map((metric, m) => metricPlan(metric, m, context))
  const primary = metrics.filter(({ role }) => role === 'primary')
  const deciding = metrics.filter(
    ({ role, missing }) => role === 'primary' || (role === 'guardrail' && !missing),
  )
  const largest = (among: readonly MetricPlan[], of: (metric: MetricPlan) => number | null) => {
    const value = Math.max(0, ...among.map((metric) => of(metric) ?? Number.POSITIVE_INFINITY))
    return primary.length > 0 && Number.isFinite(value) ? value : null
  }
  return {
    source: input.source,
    history: { from: input.from, until: input.until, units },
    trafficPercent: input.trafficPercent,
    arms: input.arms.map(({ variant, percentage }) => ({ variant, percentage })),
    unitsByWeek: weeks().map((week) => Math.round(course.unitsAfter(week * daysPerWeek))),
    metrics,
    days: largest(deciding, ({ days }) => days),
    plannedSize: largest(deciding, ({ plannedSize }) => plannedSize),
    decision: end && { days: end.days, effect: largest(primary, ({ atEnd }) => atEnd) },
  }
}

/** When the experiment decides, and the units of the smallest variant by then; undefined for one at any time. */
function plannedEnd(
  { analysis }: Pick<PlanInput, 'analysis'>,
  course: ExposureCourse,
): { days: number | null; units: number } | undefined {
  const decision = ruleOf(analysis)
  if (decision.rule === 'planned-size')
    return { days: course.daysUntil(decision.units), units: decision.units }
  if (decision.rule === 'any-time') return undefined
  const days = decision.weeks * daysPerWeek
  return { days, units: course.smallestArmAfter(days) }
}

const weeks = (): number[] => Array.from({ length: weeksPlanned }, (_, i) => i + 1)

const dayMs = 86_400_000

/**
 * The number of units of an experiment after some days: as many as were first seen in as many days of the history, and
 * beyond it at the rate of its last week. New units become fewer, for many come back; a rate of the first days would
 * promise too much.
 */
class ExposureCourse {
  private readonly byDay: number[]
  private readonly rate: number
  private readonly share: number
  private readonly smallest: number

  constructor(
    cells: HistoryCells['days'],
    { until, trafficPercent, arms }: Pick<PlanInput, 'until' | 'trafficPercent' | 'arms'>,
  ) {
    const days = cells.map(({ day, units }) => ({ day: Date.parse(day), units }))
    const first = Math.min(...days.map(({ day }) => day))
    const length = days.length === 0 ? 0 : Math.max(1, Math.ceil((until.getTime() - first) / dayMs))
    this.byDay = Array.from({ length }, () => 0)
    for (const { day, units } of days) {
      const index = Math.round((day - first) / dayMs)
      this.byDay[index] = (this.byDay[index] ?? 0) + units
    }
    // today is not over
    if (length > 1) this.byDay.pop()
    const last = this.byDay.slice(-daysPerWeek)
    this.rate = last.length === 0 ? 0 : last.reduce((sum, units) => sum + units, 0) / last.length
    this.share = trafficPercent / 100
    this.smallest = Math.min(...arms.map(({ percentage }) => percentage)) / 100
  }

  unitsAfter(days: number): number {
    const known = this.byDay.slice(0, days).reduce((sum, units) => sum + units, 0)
    return this.share * (known + this.rate * Math.max(0, days - this.byDay.length))
  }

  smallestArmAfter(days: number): number {
    return this.smallest * this.unitsAfter(days)
  }

  /** Null for more than a year. */
  daysUntil(smallestArm: number): number | null {
    const days = Array.from({ length: longestDays }, (_, i) => i + 1)
    return days.find((day) => this.smallestArmAfter(day) >= smallestArm) ?? null
  }
}

interface MetricContext extends PlanInput {
  values: HistoryCells['values']
  units: number
  course: ExposureCourse
  end: ReturnType<typeof plannedEnd>
}

function metricPlan(metric: ExperimentMetric, m: number, context: MetricContext): MetricPlan {
  const { id, name, role } = metric
  const named = { id, name, role, ...unitOf(metric.measured, context.currency) }
  const none = (missing: MissingHistory): MetricPlan => ({
    ...named,
    missing,
    mean: null,
    variance: null,
    varianceReduction: null,
    detectable: weeks().map(() => null),
    unitsNeeded: null,
    plannedSize: null,
    days: null,
    atEnd: null,
  })
  if (context.units === 0) return none('no-units')
  const found = historyOf(metric, m, context)
  if (!found || found.mean === 0) return none('no-value')
  if (!(found.variance > 0)) return none('no-variance')
  const { mean, variance, varianceReduction } = found
  const isShare = kindOf(metric) === 'proportion' && !varianceReduction
  const baseline = { mean, variance: variance * (1 - (varianceReduction ?? 0)), isShare }
  return {
    ...named,
    missing: null,
    mean,
    variance,
    varianceReduction: varianceReduction ?? null,
    ...sizesFor(metric, baseline, context),
  }
}

/** The comparison with the smallest variant decides, for it takes longest. */
function sizesFor(
  metric: ExperimentMetric,
  baseline: MetricBaseline,
  { metrics, analysis, arms, course, end }: MetricContext,
): Pick<MetricPlan, 'detectable' | 'unitsNeeded' | 'plannedSize' | 'days' | 'atEnd'> {
  const count = (wanted: MetricRole) => metrics.filter(({ role }) => role === wanted).length
  const sized = { variants: arms.length, primary: count('primary'), guardrails: count('guardrail') }
  const test = metricTest(metric, { ...sized, analysis })
  const size = (by: MetricTest) => Math.ceil(Math.max(analysis.minimumUnits, metricSize(baseline, by)))
  const needed = size(test)
  const detectable = (units: number) =>
    units < 2 ? null : (detectableEffect({ ...test, baseline, units }, test.power) ?? null)
  return {
    detectable: weeks().map((week) => detectable(course.smallestArmAfter(week * daysPerWeek))),
    atEnd: end ? detectable(end.units) : null,
    unitsNeeded: needed,
    plannedSize: size({ ...test, isSequential: false }),
    days: course.daysUntil(needed),
  }
}

interface MetricHistory {
  mean: number
  variance: number
  varianceReduction: number | undefined
}

function historyOf(metric: ExperimentMetric, m: number, context: MetricContext): MetricHistory | undefined {
  if (metric.measured.type === 'quantile') return quantileHistory(m, context)
  const moments = context.values[0]?.metrics[m]
  if (!moments || !isMoments(moments) || moments.n < 2) return undefined
  const plain = unitBaseline(ownValues(moments, metric.measured), { kind: kindOf(metric) })
  return (
    plain && { ...plain, varianceReduction: explainedShare(metric, kindOf(metric), moments, plain.variance) }
  )
}

const kindOf = ({ measured }: ExperimentMetric): Estimand['kind'] => {
  const shape = shapeOf(measured)
  if (shape === 'ratio') return 'ratio'
  return shape === 'share' ? 'proportion' : 'mean'
}

/** A quantile is of events; its variance is that of as many units as the history has. */
function quantileHistory(m: number, { values, units }: MetricContext): MetricHistory | undefined {
  const numbers = values[0]?.metrics[m]
  if (!numbers || isMoments(numbers) || numbers.events < 2) return undefined
  const error = quantileError({ ...numbers, n: numbers.events })
  return { mean: numbers.value, variance: error ** 2 * units, varianceReduction: undefined }
}
