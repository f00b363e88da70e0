import type { ExperimentAnswer } from '#insights/kinds/experiment/answer'
import type { MeasuredMetric } from '#insights/kinds/experiment/schema'
import type { Moments } from '#statistics/moments'
import { sampleRatioTest } from '#statistics/sample-ratio'
import type { AnalysisSettings, Experiment, ExperimentMetric } from '../../experiment'
import type { ExperimentPhase } from '../../internal/phases'
import { weightedMoments } from '../../bandits/internal/arms'
import { weightedSplit } from '../../bandits/internal/weighted-split'
import type { MeasuredExperiment } from './measured-experiment'
import { ownValues, shapeOf, unitOf } from './metric-shape'
import { hasFewDenominators } from './few-conversions'
import type { Look } from './looks'
import { compareArms, compareQuantileValues, type MeasuredComparison } from './measured-effects'
import { momentsByPhase, type PooledArms, pooledArms, pooledQuantiles } from './pooling'
import { type MeasuredMetricReport, withReadings } from './readings'
import type {
  ExclusionReport,
  ExperimentReport,
  MetricReport,
  MetricValue,
  MissingComparison,
  NoEstimateReason,
  PhaseReport,
} from '../report'

/** The parts of a measured experiment that its report is computed from. */
export interface AnalysedExperiment extends Pick<MeasuredExperiment, 'variants' | 'phases' | 'currency'> {
  experiment: Pick<Experiment, 'kind' | 'control' | 'metrics' | 'analysis'>
}

/** The fewest conversions in both variants together that say something about a share. */
const minimumConversions = 5

/** Computes the report of an experiment at a look. */
export function analyse(
  measured: AnalysedExperiment,
  answer: ExperimentAnswer,
  look: Look = 'any',
): ExperimentReport {
  const { experiment, variants, phases } = measured
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
        metricReport(metric, m, { ...measured, variants: ordered, answer }),
      ),
      experiment.analysis,
      look,
    ),
  }
}

/** The units of the variant that has fewest. */
export const smallestArmOf = ({ cells }: ExperimentAnswer, variants: readonly string[]): number =>
  Math.min(
    ...variants.map((variant) =>
      cells.reduce((sum, cell) => (cell.variant === variant ? sum + cell.units : sum), 0),
    ),
  )

/** The metrics of each phase by itself, which shows whether the phases agree. Empty where there is only one, and for a bandit, whose phases are many. */
export function metricsByPhase(
  measured: AnalysedExperiment,
  answer: ExperimentAnswer,
  look: Look = 'any',
): MetricReport[][] {
  const { experiment, phases } = measured
  if (phases.length < 2 || experiment.kind === 'bandit') return []
  return phases.map((phase, i) => {
    const cells = answer.cells.filter((cell) => cell.phase === i).map((cell) => ({ ...cell, phase: 0 }))
    return analyse({ ...measured, phases: [phase] }, { ...answer, cells }, look).metrics
  })
}

function phaseReport(
  { startedAt, weights, hasFixedVariants }: ExperimentPhase,
  phase: number,
  variants: readonly string[],
  { experiment, answer: { cells } }: Pick<MetricContext, 'experiment' | 'answer'>,
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

interface MetricContext extends AnalysedExperiment {
  answer: ExperimentAnswer
}

function metricReport(metric: ExperimentMetric, m: number, context: MetricContext): MeasuredMetricReport {
  const { id, name, role, goal, margin, measured } = metric
  return {
    id,
    name,
    role,
    goal,
    margin,
    ...unitOf(measured, context.currency),
    limits: context.answer.limits[m] ?? [],
    ...(measured.type === 'quantile' ? compareQuantiles(m, context) : compareMoments(metric, m, context)),
  }
}

/** The phases are pooled; those of a bandit are many, and each unit is weighted by how likely its variant was. */
function armMoments(metric: number, { experiment, variants, phases, answer }: MetricContext): PooledArms {
  if (experiment.kind !== 'bandit')
    return pooledArms(momentsByPhase(answer, variants, { metric, phases: phases.length }))
  const arms = weightedMoments(answer, variants, { metric, phases }).map(({ moments }) => moments)
  return { arms, controls: arms.slice(1).flatMap(() => arms.slice(0, 1)) }
}

type ComparedMetric = Pick<MeasuredMetricReport, 'values' | 'comparisons'>

function compareMoments(metric: ExperimentMetric, m: number, context: MetricContext): ComparedMetric {
  const { experiment, variants, phases } = context
  const { arms, controls } = armMoments(m, context)
  const shape = shapeOf(metric.measured)
  const own = (arm: Moments) => ownValues(arm, metric.measured)
  return {
    values: variants.map((variant, i) => valueOf(variant, arms[i], metric.measured)),
    comparisons: arms.slice(1).map((treatment, i): MeasuredComparison | MissingComparison => {
      const variant = variants[i + 1] ?? ''
      const control = controls[i]
      if (!control) return { variant, state: 'no-estimate', reason: 'too-few-units' }
      const lack = lackOf(own(control), own(treatment), shape, experiment.analysis)
      if (lack) return { variant, state: 'no-estimate', reason: lack }
      return compareArms(variant, metric, [control, treatment], { arms, phases: phases.length })
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

function compareQuantiles(m: number, context: MetricContext): ComparedMetric {
  const { experiment, variants, answer } = context
  const { arms: numbers, controls } = pooledQuantiles(answer, variants, m)
  return {
    values: variants.map((variant, i) => ({
      variant,
      units: numbers[i]?.events ?? 0,
      value: numbers[i]?.value ?? null,
      steps: [],
    })),
    comparisons: variants.slice(1).map((variant, i): MeasuredComparison | MissingComparison => {
      const [control, treatment] = [controls[i], numbers[i + 1]]
      const isEnough =
        control && treatment && Math.min(control.units, treatment.units) >= experiment.analysis.minimumUnits
      return isEnough
        ? compareQuantileValues(variant, control, treatment)
        : { variant, state: 'no-estimate', reason: 'too-few-units' }
    }),
  }
}
