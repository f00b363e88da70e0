import type { ExperimentCell } from '#insights/compile/experiment-answer'
import { quantileError } from '#statistics/bayesian'
import { type Estimand, unitBaseline } from '#statistics/effect'
import { detectableEffect, type MetricBaseline, unitsNeeded } from '#statistics/power'
import type { AnalysisSettings, ExperimentMetric, MetricRole } from '../experiment'
import { ownValues, shapeOf } from '../results/internal/metric-shape'
import { isMoments } from '../results/internal/pooling'
import { comparisonSettings } from '../results/verdict'
import { explainedShare } from './internal/explained-share'

/** The time that an experiment would take, by the project's own history. */
export interface ExperimentPlan {
  /** The events that stood for exposures in the history. */
  source: PlanSource
  history: { from: Date; until: Date; units: number }
  /** The percentage of these units that the flag lets in. */
  trafficPercent: number
  arms: { variant: string; percentage: number }[]
  /** The number of units of all variants together at the end of each week. */
  unitsByWeek: number[]
  metrics: MetricPlan[]
  /** The days until every primary metric and guardrail has enough units; null without a primary metric, or for more than a year. */
  days: number | null
}

/** `exposures` are those of the flag; `event` is one that the plan's reader named; `activity` is any event. */
export type PlanSource =
  | { by: 'exposures' }
  | { by: 'event'; event: string; path: string | undefined }
  | { by: 'activity' }

export interface MetricPlan {
  id: string
  name: string
  role: MetricRole
  /** Why there is no plan for the metric; null if there is one. */
  missing: MissingHistory | null
  /** The value over all units, and the variance of one unit, before any adjustment. */
  mean: number | null
  variance: number | null
  /** The share of the variance that behaviour before the exposure explains (CUPED); null where it is not used. */
  varianceReduction: number | null
  /** The smallest relative effect that is found by the end of each week with the configured power. */
  detectable: (number | null)[]
  /** The units in each variant, for the smallest effect that matters. */
  unitsNeeded: number | null
  days: number | null
}

export type MissingHistory = 'no-units' | 'no-value' | 'no-variance'

const weeksPlanned = 12
const longestDays = 365
const daysPerWeek = 7

export interface PlanInput {
  metrics: readonly ExperimentMetric[]
  analysis: AnalysisSettings
  arms: readonly { variant: string; percentage: number }[]
  trafficPercent: number
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
  const metrics = input.metrics.map((metric, m) => metricPlan(metric, m, { ...input, values, units, course }))
  const primary = metrics.filter(({ role }) => role === 'primary')
  const deciding = metrics.filter(
    ({ role, missing }) => role === 'primary' || (role === 'guardrail' && !missing),
  )
  const days = deciding.map((metric) => metric.days ?? Number.POSITIVE_INFINITY)
  const longest = Math.max(0, ...days)
  return {
    source: input.source,
    history: { from: input.from, until: input.until, units },
    trafficPercent: input.trafficPercent,
    arms: input.arms.map(({ variant, percentage }) => ({ variant, percentage })),
    unitsByWeek: weeks().map((week) => Math.round(course.unitsAfter(week * daysPerWeek))),
    metrics,
    days: primary.length > 0 && Number.isFinite(longest) ? longest : null,
  }
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

  constructor(
    cells: HistoryCells['days'],
    { until, trafficPercent }: Pick<PlanInput, 'until' | 'trafficPercent'>,
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
  }

  unitsAfter(days: number): number {
    const known = this.byDay.slice(0, days).reduce((sum, units) => sum + units, 0)
    return this.share * (known + this.rate * Math.max(0, days - this.byDay.length))
  }
}

interface MetricContext extends PlanInput {
  values: HistoryCells['values']
  units: number
  course: ExposureCourse
}

function metricPlan(metric: ExperimentMetric, m: number, context: MetricContext): MetricPlan {
  const { id, name, role } = metric
  const none = (missing: MissingHistory): MetricPlan => ({
    id,
    name,
    role,
    missing,
    mean: null,
    variance: null,
    varianceReduction: null,
    detectable: weeks().map(() => null),
    unitsNeeded: null,
    days: null,
  })
  if (context.units === 0) return none('no-units')
  const found = historyOf(metric, m, context)
  if (!found || found.mean === 0) return none('no-value')
  if (!(found.variance > 0)) return none('no-variance')
  const { mean, variance, varianceReduction } = found
  const isShare = kindOf(metric) === 'proportion' && !varianceReduction
  const baseline = { mean, variance: variance * (1 - (varianceReduction ?? 0)), isShare }
  return {
    id,
    name,
    role,
    missing: null,
    mean,
    variance,
    varianceReduction: varianceReduction ?? null,
    ...sizesFor(role, baseline, { ...context, margin: metric.margin / 100 }),
  }
}

/**
 * The comparison with the smallest variant decides, for it takes longest. To ship, a primary metric must be better and all
 * guardrails safe: the chance to miss that is divided among them. M. Schultzberg, S. Ankargren and M. Frånberg, Risk-aware
 * product decisions in A/B tests with multiple metrics, 2024.
 */
function sizesFor(
  role: MetricRole,
  baseline: MetricBaseline,
  { metrics, analysis, arms, course, margin }: MetricContext & { margin: number },
): Pick<MetricPlan, 'detectable' | 'unitsNeeded' | 'days'> {
  const smallest = Math.min(...arms.map(({ percentage }) => percentage)) / 100
  const count = (wanted: MetricRole) => metrics.filter((one) => one.role === wanted).length
  const compared = (arms.length - 1) * count('primary')
  const settings = {
    ...comparisonSettings(compared, analysis),
    ...(role === 'guardrail' && { alpha: 1 - analysis.level }),
    baseline,
  }
  const power = role === 'secondary' ? analysis.power : 1 - (1 - analysis.power) / (1 + count('guardrail'))
  const effect = role === 'guardrail' ? margin : analysis.smallestEffect
  const unitsAfter = (days: number) => smallest * course.unitsAfter(days)
  const needed = Math.ceil(Math.max(analysis.minimumUnits, unitsNeeded({ ...settings, effect }, power)))
  const days = Array.from({ length: longestDays }, (_, i) => i + 1).find((day) => unitsAfter(day) >= needed)
  return {
    detectable: weeks().map((week) => {
      const units = unitsAfter(week * daysPerWeek)
      return units < 2 ? null : (detectableEffect({ ...settings, units }, power) ?? null)
    }),
    unitsNeeded: needed,
    days: days ?? null,
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
