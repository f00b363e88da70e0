import type { ExperimentAnswer } from '#insights/compile/experiment-answer'
import type { MeasuredMetric } from '#insights/kinds/experiment/schema'
import { posteriorOf, quantileEffect } from '#statistics/bayesian'
import { covariateFactor, type Effect, type Estimand, estimateEffect } from '#statistics/effect'
import { welchTest } from '#statistics/frequentist'
import type { Moments } from '#statistics/moments'
import { adjustments } from '#statistics/multiple-tests'
import { sampleRatioTest } from '#statistics/sample-ratio'
import { sequentialTest } from '#statistics/sequential'
import type { AnalysisSettings, Experiment, ExperimentMetric } from '../../experiment'
import type { ExperimentPhase } from '../../internal/phases'
import { weightedMoments } from '../../bandits/internal/arms'
import { weightedSplit } from '../../bandits/internal/weighted-split'
import { ownValues, shapeOf } from './metric-shape'
import { asSureAs, hasFewDenominators, hasFewValues, withVarianceOfBoth } from './few-conversions'
import { momentsByPhase, type PooledArms, pooledArms, pooledQuantiles } from './pooling'
import type {
  EffectEstimate,
  EffectReading,
  EstimatedComparison,
  ExclusionReport,
  ExperimentReport,
  MetricComparison,
  MetricReport,
  MetricValue,
  NoEstimateReason,
  PhaseReport,
} from '../report'

type AnalysedExperiment = Pick<Experiment, 'kind' | 'control' | 'metrics' | 'analysis'>

/** The fewest conversions in both variants together that say something about a share. */
const minimumConversions = 5

/** Computes the report of an experiment. `variants` are those of its flag, in the flag’s order. */
export function analyse(
  experiment: AnalysedExperiment,
  variants: readonly string[],
  phases: readonly ExperimentPhase[],
  answer: ExperimentAnswer,
): ExperimentReport {
  const ordered = [experiment.control, ...variants.filter((key) => key !== experiment.control)]
  const units = (variant: string) =>
    answer.cells.reduce((sum, cell) => (cell.variant === variant ? sum + cell.units : sum), 0)
  const whole = ordered.reduce((sum, key) => sum + units(key), 0)
  return {
    control: experiment.control,
    variants: ordered.map((key) => ({
      key,
      units: units(key),
      share: whole === 0 ? 0 : units(key) / whole,
    })),
    phases: phases.map((phase, i) => phaseReport(phase, i, ordered, { experiment, answer })),
    weightedSplit: experiment.kind === 'bandit' ? weightedSplit(answer, ordered, phases) : undefined,
    excluded: exclusionsIn(answer),
    metrics: withReadings(
      experiment.metrics.map((metric, m) =>
        metricReport(metric, m, { experiment, variants: ordered, phases, answer }),
      ),
      experiment.analysis,
    ),
  }
}

/** The metrics of each phase by itself, which shows whether the phases agree. Empty where there is only one, and for a bandit, whose phases are many. */
export function metricsByPhase(
  experiment: AnalysedExperiment,
  variants: readonly string[],
  phases: readonly ExperimentPhase[],
  answer: ExperimentAnswer,
): MetricReport[][] {
  if (phases.length < 2 || experiment.kind === 'bandit') return []
  return phases.map((phase, i) => {
    const cells = answer.cells.filter((cell) => cell.phase === i).map((cell) => ({ ...cell, phase: 0 }))
    return analyse(experiment, variants, [phase], { ...answer, cells }).metrics
  })
}

function phaseReport(
  { startedAt, weights, hasFixedVariants }: ExperimentPhase,
  phase: number,
  variants: readonly string[],
  { experiment, answer: { cells } }: { experiment: AnalysedExperiment; answer: ExperimentAnswer },
): PhaseReport {
  const observed = variants.map((variant) =>
    cells.reduce(
      (sum, cell) => (cell.variant === variant && cell.phase === phase ? sum + cell.units : sum),
      0,
    ),
  )
  return {
    startedAt,
    weights,
    units: Object.fromEntries(variants.map((variant, i) => [variant, observed[i] ?? 0])),
    ratio:
      hasFixedVariants || experiment.kind === 'bandit'
        ? undefined
        : sampleRatioTest(
            observed,
            variants.map((variant) => weights[variant] ?? 0),
          ),
  }
}

const preview = '(preview)'

function exclusionsIn({ exposed }: ExperimentAnswer): ExclusionReport {
  const variantsIn = (seen: readonly string[]) => seen.filter((one) => one !== '' && one !== preview)
  const unitsWhere = (holds: (seen: readonly string[]) => boolean) =>
    exposed.reduce((sum, { seen, units }) => (holds(seen) ? sum + units : sum), 0)
  const several = new Map<string, { variants: string[]; units: number }>()
  for (const { seen, units } of exposed) {
    const variants = variantsIn(seen)
    if (variants.length < 2) continue
    const key = JSON.stringify(variants)
    several.set(key, { variants, units: units + (several.get(key)?.units ?? 0) })
  }
  return {
    severalVariants: [...several.values()],
    otherValues: unitsWhere((seen) => variantsIn(seen).length === 0 && seen.includes('')),
    previews: unitsWhere(
      (seen) => variantsIn(seen).length === 0 && !seen.includes('') && seen.includes(preview),
    ),
  }
}

interface MetricContext {
  experiment: AnalysedExperiment
  variants: readonly string[]
  phases: readonly ExperimentPhase[]
  answer: ExperimentAnswer
}

function metricReport(metric: ExperimentMetric, m: number, context: MetricContext): MetricReport {
  const { id, name, role, goal, margin, measured } = metric
  return {
    id,
    name,
    role,
    goal,
    margin,
    shape: shapeOf(measured),
    limits: context.answer.limits[m] ?? [],
    ...(measured.type === 'quantile'
      ? compareQuantiles(metric, m, context)
      : compareMoments(metric, m, context)),
  }
}

/** The phases are pooled; those of a bandit are many, and each unit is weighted by how likely its variant was. */
function armMoments(metric: number, { experiment, variants, phases, answer }: MetricContext): PooledArms {
  if (experiment.kind !== 'bandit')
    return pooledArms(momentsByPhase(answer, variants, { metric, phases: phases.length }))
  const arms = weightedMoments(answer, variants, { metric, phases }).map(({ moments }) => moments)
  return { arms, controls: arms.slice(1).flatMap(() => arms.slice(0, 1)) }
}

type ComparedMetric = Pick<MetricReport, 'values' | 'comparisons'>

function compareMoments(metric: ExperimentMetric, m: number, context: MetricContext): ComparedMetric {
  const { experiment, variants, phases } = context
  const { arms, controls } = armMoments(m, context)
  const shape = shapeOf(metric.measured)
  const own = (arm: Moments) => ownValues(arm, metric.measured)
  return {
    values: variants.map((variant, i) => valueOf(variant, arms[i], metric.measured)),
    comparisons: arms.slice(1).map((treatment, i): MetricComparison => {
      const variant = variants[i + 1] ?? ''
      const control = controls[i]
      if (!control) return { variant, state: 'no-estimate', reason: 'too-few-units' }
      const lack = lackOf(own(control), own(treatment), shape, experiment.analysis)
      if (lack) return { variant, state: 'no-estimate', reason: lack }
      return compareArms(variant, metric, [control, treatment], {
        arms,
        phases: phases.length,
        analysis: experiment.analysis,
      })
    }),
  }
}

function valueOf(variant: string, arm: Moments | undefined, measured: MeasuredMetric): MetricValue {
  if (!arm || arm.n === 0) return { variant, units: 0, value: null, steps: [] }
  const [top = 0, bottom = 1] = ownValues(arm, measured).means
  return {
    variant,
    units: arm.n,
    value: bottom === 0 ? null : top / bottom,
    steps: measured.type === 'funnel' ? arm.means.slice(0, measured.steps.length) : [],
  }
}

function lackOf(
  control: Moments,
  treatment: Moments,
  shape: MetricReport['shape'],
  { minimumUnits }: AnalysisSettings,
): NoEstimateReason | undefined {
  if (Math.min(control.n, treatment.n) < minimumUnits) return 'too-few-units'
  if (shape === 'ratio' && [control, treatment].some(hasFewDenominators)) return 'too-few-units'
  const conversions = [control, treatment].reduce((sum, { n, means }) => sum + n * (means[0] ?? 0), 0)
  return shape === 'share' && conversions < minimumConversions ? 'too-few-conversions' : undefined
}

export function compareArms(
  variant: string,
  metric: ExperimentMetric,
  pair: readonly [Moments, Moments],
  { arms, phases, analysis }: { arms: readonly Moments[]; phases: number; analysis: AnalysisSettings },
): MetricComparison {
  const shape = shapeOf(metric.measured)
  const own = (arm: Moments) => ownValues(arm, metric.measured)
  const isFew = hasFewValues(own(pair[0]), own(pair[1]), shape)
  const kind: Estimand['kind'] =
    shape === 'ratio' ? 'ratio' : shape === 'share' && phases === 1 && !isFew ? 'proportion' : 'mean'
  const width = shape === 'ratio' ? 2 : 1
  const compared = ([control, treatment]: readonly [Moments, Moments]) =>
    isFew ? withVarianceOfBoth(control, treatment) : ([control, treatment] as const)
  const [a, b] = compared([own(pair[0]), own(pair[1])])
  const absolute = estimateEffect(a, b, { estimand: { kind }, scale: 'absolute' })
  if (!absolute.done)
    return {
      variant,
      state: 'no-estimate',
      reason: absolute.problem === 'zero-control' ? 'no-variance' : absolute.problem,
    }
  const relative = estimateEffect(a, b, { estimand: { kind }, scale: 'relative' })
  const sure = (effect: Effect, of: Effect) => (isFew ? asSureAs(effect, of) : effect)
  const direction = metric.goal === 'increase' ? 1 : -1
  const estimate = (effect: Effect) => estimateOf(effect, analysis, direction)
  const plain = {
    absolute: estimate(absolute.effect),
    relative: relative.done ? estimate(sure(relative.effect, absolute.effect)) : undefined,
  }
  const hasBefore = metric.measured.type !== 'funnel' && pair[0].means.length === 2 * width
  const adjusted = hasBefore
    ? adjustedOf(compared(pair), { kind, arms, estimate, sure, plain: absolute.effect })
    : undefined
  return { variant, state: 'estimated', ...plain, adjusted, reading: 'unclear' }
}

function adjustedOf(
  [control, treatment]: readonly [Moments, Moments],
  {
    kind,
    arms,
    estimate,
    sure,
    plain,
  }: {
    kind: Estimand['kind']
    arms: readonly Moments[]
    estimate: (effect: Effect) => EffectEstimate
    sure: (relative: Effect, absolute: Effect) => Effect
    plain: Effect
  },
) {
  const theta = covariateFactor(arms, kind)
  if (theta === 0) return undefined
  const of = (scale: Effect['scale']) =>
    estimateEffect(control, treatment, { estimand: { kind, covariate: true }, scale, theta })
  const [absolute, relative] = [of('absolute'), of('relative')]
  if (!absolute.done) return undefined
  return {
    absolute: estimate(absolute.effect),
    relative: relative.done ? estimate(sure(relative.effect, absolute.effect)) : undefined,
    varianceReduction: 1 - (absolute.effect.standardError / plain.standardError) ** 2,
  }
}

function estimateOf(
  effect: Effect,
  { method, level, prior }: AnalysisSettings,
  direction: 1 | -1,
): EffectEstimate {
  const { value, standardError, scale } = effect
  const base = {
    value,
    standardError,
    p: undefined,
    adjustedP: undefined,
    chance: undefined,
    loss: undefined,
  }
  if (method === 'bayesian') {
    // the prior is about relative effects
    const { mean, standardDeviation, interval, chanceAboveZero, risk } = posteriorOf(effect, {
      level,
      ...(prior && scale === 'relative' && { prior }),
    })
    return {
      ...base,
      ...interval,
      value: mean,
      standardError: standardDeviation,
      chance: direction === 1 ? chanceAboveZero : 1 - chanceAboveZero,
      loss: direction === 1 ? risk[1] : risk[0],
    }
  }
  const test = method === 'sequential' ? sequentialTest : welchTest
  const { p, interval } = test(effect, { alpha: 1 - level })
  return { ...base, ...interval, p }
}

/**
 * Classifies an estimate. With a test, the corrected p-value decides; without one, the interval does. The
 * margin of a guardrail is relative to the control; without a relative effect there is none.
 */
export function readingOf(
  { role, goal, margin }: Pick<MetricReport, 'role' | 'goal' | 'margin'>,
  comparison: EstimatedComparison,
  { level }: AnalysisSettings,
): EffectReading {
  const { value, low, high, p, adjustedP } = decisiveEstimate(comparison)
  const [worst, best, middle] = goal === 'increase' ? [low, high, value] : [-high, -low, -value]
  if (role === 'guardrail') {
    const allowed = (comparison.adjusted ?? comparison).relative ? -margin / 100 : 0
    if (best < 0 && middle < allowed) return 'violated'
    return worst > allowed ? 'safe' : 'unclear'
  }
  const isCertain = p === undefined ? worst > 0 || best < 0 : (adjustedP ?? p) < 1 - level
  if (!isCertain) return 'unclear'
  return middle > 0 ? 'better' : 'worse'
}

function compareQuantiles(metric: ExperimentMetric, m: number, context: MetricContext): ComparedMetric {
  const { experiment, variants, answer } = context
  const { arms: numbers, controls } = pooledQuantiles(answer, variants, m)
  return {
    values: variants.map((variant, i) => ({
      variant,
      units: numbers[i]?.events ?? 0,
      value: numbers[i]?.value ?? null,
      steps: [],
    })),
    comparisons: variants.slice(1).map((variant, i): MetricComparison => {
      const [control, treatment] = [controls[i], numbers[i + 1]]
      if (
        !control ||
        !treatment ||
        Math.min(control.units, treatment.units) < experiment.analysis.minimumUnits
      )
        return { variant, state: 'no-estimate', reason: 'too-few-units' }
      const difference = quantileEffect(
        { ...control, n: control.events },
        { ...treatment, n: treatment.events },
      )
      if (!(difference.standardError > 0)) return { variant, state: 'no-estimate', reason: 'no-variance' }
      const direction = metric.goal === 'increase' ? 1 : -1
      const effectOf = (scale: Effect['scale'], factor: number): Effect => ({
        scale,
        value: difference.value * factor,
        standardError: difference.standardError * factor,
        freedom: control.units + treatment.units - 2,
        units: [control.units, treatment.units],
        values: [control.value, treatment.value],
      })
      const absolute = estimateOf(effectOf('absolute', 1), experiment.analysis, direction)
      const relative =
        control.value === 0
          ? undefined
          : estimateOf(effectOf('relative', 1 / Math.abs(control.value)), experiment.analysis, direction)
      return { variant, state: 'estimated', absolute, relative, adjusted: undefined, reading: 'unclear' }
    }),
  }
}

/**
 * Corrects the p-values of all comparisons of primary metrics by Holm’s method, for each of them may decide, and those of
 * secondary metrics by Benjamini and Hochberg’s. A guardrail is compared with its own margin.
 */
function withReadings(metrics: readonly MetricReport[], analysis: AnalysisSettings): MetricReport[] {
  const adjusted = new Map<EffectEstimate, number>()
  for (const [role, adjust] of [
    ['primary', adjustments.holm],
    ['secondary', adjustments.bh],
  ] as const) {
    const estimates = metrics.filter((metric) => metric.role === role).flatMap(decisiveEstimates)
    const values = adjust(estimates.map(({ p }) => p ?? 1))
    estimates.forEach((estimate, i) => estimate.p !== undefined && adjusted.set(estimate, values[i] ?? 1))
  }
  const corrected = (estimate: EffectEstimate): EffectEstimate => ({
    ...estimate,
    adjustedP: adjusted.get(estimate),
  })
  return metrics.map((metric) => ({
    ...metric,
    comparisons: metric.comparisons.map((one): MetricComparison => {
      if (one.state !== 'estimated') return one
      const comparison = {
        ...one,
        relative: one.relative && corrected(one.relative),
        absolute: corrected(one.absolute),
        adjusted: one.adjusted && {
          ...one.adjusted,
          relative: one.adjusted.relative && corrected(one.adjusted.relative),
          absolute: corrected(one.adjusted.absolute),
        },
      }
      return { ...comparison, reading: readingOf(metric, comparison, analysis) }
    }),
  }))
}

/** The estimate of each comparison by which it is judged. */
const decisiveEstimates = ({ comparisons }: MetricReport): EffectEstimate[] =>
  comparisons.flatMap((one) => (one.state === 'estimated' ? [decisiveEstimate(one)] : []))

export function decisiveEstimate(one: EstimatedComparison): EffectEstimate {
  const { relative, absolute } = one.adjusted ?? one
  return relative ?? absolute
}
