import type { z } from 'zod'
import { unitBaseline } from '#statistics/effect'
import { type Moments, momentsOf } from '#statistics/moments'
import { powerOf } from '#statistics/power'
import { wilsonInterval } from '#statistics/proportions'
import { rerandomizer } from '#statistics/rerandomize'
import type { AnalysisSettings, ExperimentMetric } from '../experiment'
import { compareArms, type MeasuredComparison } from '../results/internal/measured-effects'
import { looksTuning } from '../results/internal/looks'
import { readAlone } from '../results/internal/readings'
import { ownValues, shapeOf } from '../results/internal/metric-shape'
import { explainedShare } from './internal/explained-share'
import type { aaCheckResult } from './plan-schema'

/** The project’s own history, divided at random again and again: what the analysis finds where there is nothing. */
export interface AaCheckInput {
  metrics: readonly ExperimentMetric[]
  analysis: AnalysisSettings
  /** For each metric, its columns of values by unit, as `unitSample` returns them. */
  columns: readonly (readonly (readonly (number | null)[])[])[]
  times: number
  seed: number
}

export type AaCheckResult = z.infer<typeof aaCheckResult>
type AaMetricResult = AaCheckResult['metrics'][number]
export type AaCheckedMetric = Extract<AaMetricResult, { state: 'checked' }>
export type NotCheckedReason = Extract<AaMetricResult, { state: 'not-checked' }>['reason']
type MeasuredRate = AaCheckedMetric['power']

/** Runs the check. `onProgress` hears the share that is done. */
export function runAaCheck(
  { metrics, analysis, columns, times, seed }: AaCheckInput,
  onProgress: (share: number) => void,
): AaCheckResult {
  return {
    times,
    promised: 1 - analysis.level,
    metrics: metrics.map((metric, m) => {
      const begun = m / metrics.length
      return checkMetric(metric, countedUnits(columns[m] ?? []), {
        analysis,
        times,
        seed: seed + m,
        onProgress: (share) => onProgress(begun + share / metrics.length),
      })
    }),
  }
}

/** A unit whose window is not over has no values. */
function countedUnits(columns: readonly (readonly (number | null)[])[]): number[][] {
  const isCounted = (columns[0] ?? []).map((_, unit) =>
    columns.every((column) => typeof column[unit] === 'number'),
  )
  return columns.map((column) => column.filter((_, unit) => isCounted[unit]).map((value) => value ?? 0))
}

interface AaSettings {
  analysis: AnalysisSettings
  times: number
  seed: number
  onProgress: (share: number) => void
}

function checkMetric(
  metric: ExperimentMetric,
  columns: readonly (readonly number[])[],
  settings: AaSettings,
): AaMetricResult {
  const { id, name, measured } = metric
  const units = columns[0]?.length ?? 0
  const about = { id, name, units }
  if (measured.type === 'quantile') return { ...about, state: 'not-checked', reason: 'quantile' }
  if (units < 2 * settings.analysis.minimumUnits)
    return { ...about, state: 'not-checked', reason: 'too-few-units' }
  const whole = momentsOf((columns[0] ?? []).map((_, unit) => columns.map((column) => column[unit] ?? 0)))
  const baseline = unitBaseline(ownValues(whole, measured), { kind: estimandOf(metric) })
  if (!baseline || baseline.mean === 0) return { ...about, state: 'not-checked', reason: 'no-value' }
  if (!(baseline.variance > 0)) return { ...about, state: 'not-checked', reason: 'no-variance' }
  const counts = countFindings(metric, columns, settings)
  const { analysis, times } = settings
  const varianceReduction = explainedShare(metric, estimandOf(metric), whole, baseline.variance) || null
  const promised = 1 - analysis.level
  return {
    ...about,
    state: 'checked',
    falsePositives: rateOf(counts.found, times),
    unadjusted: varianceReduction === null ? null : rateOf(counts.foundUnadjusted, times),
    power: rateOf(counts.foundEffect, times),
    plannedPower: powerOf({
      baseline: { ...baseline, variance: baseline.variance * (1 - (varianceReduction ?? 0)) },
      units: units / 2,
      effect: direction(metric) * analysis.smallestEffect,
      alpha: promised,
      isSequential: analysis.method === 'sequential',
      tuning: looksTuning,
      scale: 'absolute',
    }),
    varianceReduction,
    finding: findingOf(counts.found, times, promised),
  }
}

const estimandOf = ({ measured }: ExperimentMetric) => (shapeOf(measured) === 'ratio' ? 'ratio' : 'mean')

const direction = ({ goal }: ExperimentMetric): 1 | -1 => (goal === 'increase' ? 1 : -1)

/** Counts the differences that the analysis found: where none was, the same unadjusted, and where one was added. */
function countFindings(
  metric: ExperimentMetric,
  columns: readonly (readonly number[])[],
  { analysis, times, seed, onProgress }: AaSettings,
) {
  const { next } = rerandomizer(columns, seed)
  const counts = { found: 0, foundUnadjusted: 0, foundEffect: 0 }
  for (let i = 0; i < times; i++) {
    const arms = next()
    const none = comparisonOf(metric, arms)
    if (none && isFound(metric, none, analysis)) counts.found += 1
    if (none && isFound(metric, { ...none, adjusted: undefined }, analysis)) counts.foundUnadjusted += 1
    const some = comparisonOf(metric, [arms[0], withEffect(arms[1], metric, analysis)])
    if (some && readAs(metric, some, analysis) === 'better') counts.foundEffect += 1
    if (i % 20 === 19) onProgress((i + 1) / times)
  }
  return counts
}

function comparisonOf(
  metric: ExperimentMetric,
  arms: readonly [Moments, Moments],
): MeasuredComparison | undefined {
  const comparison = compareArms('treatment', metric, arms, { arms, phases: 1 })
  return comparison.state === 'measured' ? comparison : undefined
}

/** A guardrail is judged like the others here: by whether a difference is found. */
const readAs = (
  { goal, margin }: ExperimentMetric,
  comparison: MeasuredComparison,
  analysis: AnalysisSettings,
) => readAlone({ role: 'secondary', goal, margin }, comparison, analysis).reading

const isFound = (
  metric: ExperimentMetric,
  comparison: MeasuredComparison,
  analysis: AnalysisSettings,
): boolean => readAs(metric, comparison, analysis) !== 'unclear'

/** Returns the moments as if every value were larger, or smaller, by the smallest effect that matters. */
function withEffect(arm: Moments, metric: ExperimentMetric, { smallestEffect }: AnalysisSettings): Moments {
  const factor = 1 + direction(metric) * Math.min(1, smallestEffect)
  const last = metric.measured.type === 'funnel' ? metric.measured.steps.length - 1 : 0
  const scaled = (i: number) => (i === last ? factor : 1)
  return {
    n: arm.n,
    means: arm.means.map((mean, i) => mean * scaled(i)),
    deviations: arm.deviations.map((row, i) => row.map((sum, j) => sum * scaled(i) * scaled(j))),
  }
}

function rateOf(count: number, times: number): MeasuredRate {
  return { count, rate: count / times, ...wilsonInterval({ count, size: times }) }
}

function findingOf(
  count: number,
  times: number,
  promised: number,
): 'as-promised' | 'perhaps-more' | 'too-many' {
  if (isBeyondChance(count, times, promised)) return 'too-many'
  return rateOf(count, times).low > promised ? 'perhaps-more' : 'as-promised'
}

/** Beyond three standard deviations of a binomial: once in a thousand checks of a method that keeps its promise. */
const isBeyondChance = (count: number, times: number, promised: number): boolean =>
  count > times * promised + 3 * Math.sqrt(times * promised * (1 - promised))
