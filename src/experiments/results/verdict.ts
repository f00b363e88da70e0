import type { z } from 'zod'
import type { MetricBaseline } from '#statistics/power'
import { isMismatch } from '#statistics/sample-ratio'
import type { WaitingEvents } from '#insights/waiting-events'
import type { AnalysisSettings } from '../experiment'
import { metricSize, metricTest } from '../internal/metric-size'
import { ruleOf } from './decision'
import type { Look } from './internal/looks'
import { decisiveEstimate } from './internal/readings'
import { isHarmedWithoutEstimate } from './harm'
import type { EstimatedComparison, ExperimentReport, MetricReport } from './report'
import type { Unchanging } from '#collection/unchanging'
import type { verdictSchema } from './report-schema'

export type ExperimentVerdict = Unchanging<z.infer<typeof verdictSchema>>
export type WaitReason = Extract<ExperimentVerdict, { advice: 'wait' }>['reason']
/** A variant and a metric, and the comparison that decides. */
export type DecidingComparison = Pick<
  Extract<ExperimentVerdict, { advice: 'ship' }>,
  'variant' | 'metric' | 'unit' | 'comparison'
>

const decisions: ReadonlySet<ExperimentVerdict['advice']> = new Set([
  'ship',
  'ship-best',
  'stop',
  'no-difference',
  'cannot-tell',
])

/** Advises no decision by figures that leave out events which have arrived. */
export const unlessBehind = (
  verdict: ExperimentVerdict,
  { waitingEvents, isBehind }: WaitingEvents,
): ExperimentVerdict =>
  isBehind && decisions.has(verdict.advice) ? { advice: 'storing', events: waitingEvents } : verdict

export interface VerdictContext {
  analysis: AnalysisSettings
  look: Look
  /** Days since the experiment began. */
  days: number
  isRunning: boolean
  isRollout: boolean
}

/** Judges by the settings alone; the order of the checks is what must be known before what. */
export function verdictOf(report: ExperimentReport, context: VerdictContext): ExperimentVerdict {
  const mismatch = mismatchIn(report)
  if (mismatch) return mismatch
  const primary = report.metrics.filter(({ role }) => role === 'primary')
  if (primary.length === 0)
    return context.isRollout ? rolloutVerdict(report, context) : { advice: 'no-metric' }
  if (report.variants.every(({ units }) => units === 0)) return waiting('no-units', report, context)
  const harmed = violatedGuardrails(report)
  const treatments = report.variants.slice(1).map(({ key }) => key)
  const left = treatments.filter((variant) => !harmed.some((one) => one.variant === variant))
  const [firstHarm] = harmed
  if (left.length === 0 && firstHarm) return { advice: 'stop', reason: 'guardrail', ...firstHarm }
  const worse = left.flatMap((variant) => comparisonsOf(primary, variant, 'worse'))
  const [firstWorse] = worse
  if (firstWorse && left.every((variant) => worse.some((one) => one.variant === variant)))
    return { advice: 'stop', reason: 'worse', ...firstWorse }
  if (context.look === 'early') return waiting(earlyReason(report, context), report, context)
  const winner = bestOf(left.flatMap((variant) => improvementsOf(primary, variant)))
  if (winner)
    return isGuarded(report, winner.variant)
      ? { advice: 'ship', ...winner, guardrails: guardrailsOf(report).length, isEnded: !context.isRunning }
      : waiting('guardrail-unclear', report, context)
  return undecided(report, context)
}

function mismatchIn({ phases }: ExperimentReport): ExperimentVerdict | undefined {
  const worst = phases
    .flatMap(({ ratio }, phase) => (ratio && isMismatch(ratio) ? [{ phase, ratio }] : []))
    .toSorted((one, other) => one.ratio.p - other.ratio.p)[0]
  if (!worst) return undefined
  const { p, largestDeviation } = worst.ratio
  return { advice: 'check-split', phase: worst.phase, p, largestDeviation }
}

function comparisonsOf(
  metrics: readonly MetricReport[],
  variant: string,
  reading: EstimatedComparison['reading'],
): DecidingComparison[] {
  return metrics.flatMap(({ name, shape, currency, comparisons }) =>
    comparisons.flatMap((comparison) =>
      comparison.variant === variant && comparison.state === 'estimated' && comparison.reading === reading
        ? [{ variant, metric: name, unit: { shape, currency }, comparison }]
        : [],
    ),
  )
}

function rolloutVerdict(report: ExperimentReport, context: VerdictContext): ExperimentVerdict {
  if (report.variants.every(({ units }) => units === 0)) return waiting('no-units', report, context)
  const [harm] = violatedGuardrails(report)
  if (harm) return { advice: 'stop', reason: 'guardrail', ...harm }
  const isSafe = ({ comparisons }: MetricReport) =>
    comparisons.every((one) => one.state === 'estimated' && one.reading === 'safe')
  const guardrails = guardrailsOf(report)
  const settings = { minimum: context.analysis.minimumUnits, metrics: guardrails.length }
  const harmed = guardrails.filter((one) => isHarmedWithoutEstimate(one, settings))
  const unclear = guardrails.filter((one) => !harmed.includes(one) && !isSafe(one))
  return {
    advice: 'roll-out',
    harmed: harmed.map(({ name }) => name),
    unclear: unclear.map(({ name }) => name),
  }
}

export const violatedGuardrails = ({ metrics, variants }: ExperimentReport): DecidingComparison[] =>
  variants.slice(1).flatMap(({ key }) => comparisonsOf(metrics, key, 'violated'))

/** A variant wins by a primary metric if no other primary metric gets worse. */
function improvementsOf(primary: readonly MetricReport[], variant: string): DecidingComparison[] {
  return comparisonsOf(primary, variant, 'worse').length > 0 ? [] : comparisonsOf(primary, variant, 'better')
}

const bestOf = (found: readonly DecidingComparison[]): DecidingComparison | undefined =>
  found.toSorted((one, other) => strengthOf(other) - strengthOf(one))[0]

/** The size of an effect in standard errors. */
function strengthOf({ comparison }: DecidingComparison): number {
  const { value, standardError } = decisiveEstimate(comparison)
  return Math.abs(value) / standardError
}

const guardrailsOf = ({ metrics }: ExperimentReport): MetricReport[] =>
  metrics.filter(({ role }) => role === 'guardrail')

/** Whether every guardrail is known to be within its margin. */
export const isGuarded = (report: ExperimentReport, variant: string): boolean =>
  guardrailsOf(report).every(({ comparisons }) =>
    comparisons.some((one) => one.variant === variant && one.state === 'estimated' && one.reading === 'safe'),
  )

function undecided(report: ExperimentReport, context: VerdictContext): ExperimentVerdict {
  const estimated = report.metrics.some(
    ({ role, comparisons }) => role === 'primary' && comparisons.some(({ state }) => state === 'estimated'),
  )
  if (!estimated)
    return waiting(hasEnoughUnits(report, context) ? 'no-values' : 'too-few-units', report, context)
  const { smallestEffect, power } = context.analysis
  if (isWithin(report, smallestEffect)) return { advice: 'no-difference', smallestEffect }
  if (context.look === 'planned') return { advice: 'cannot-tell', smallestEffect, power }
  const size = sizeOf(report, context.analysis, ({ role }) => role === 'primary')
  return size > 0 && size <= smallestArm(report)
    ? { advice: 'cannot-tell', smallestEffect, power }
    : waiting('unclear', report, context)
}

/** Whether no variant can differ by the smallest relative effect that matters, in any primary metric. */
export const isWithin = ({ metrics }: ExperimentReport, smallestEffect: number): boolean =>
  metrics
    .filter(({ role }) => role === 'primary')
    .flatMap(({ comparisons }) => comparisons)
    .every((one) => {
      const relative = one.state === 'estimated' ? (one.adjusted ?? one).relative : undefined
      return relative && relative.low > -smallestEffect && relative.high < smallestEffect
    })

const earlyReason = (report: ExperimentReport, context: VerdictContext): WaitReason =>
  hasEnoughUnits(report, context) ? 'planned' : 'too-few-units'

const hasEnoughUnits = (report: ExperimentReport, { analysis }: VerdictContext): boolean =>
  smallestArm(report) >= analysis.minimumUnits

function waiting(reason: WaitReason, report: ExperimentReport, context: VerdictContext): ExperimentVerdict {
  if (!context.isRunning) return { advice: 'wait', reason: 'ended', days: undefined }
  if (reason === 'no-units' || reason === 'no-values' || context.look === 'planned')
    return { advice: 'wait', reason, days: undefined }
  return { advice: 'wait', reason, days: daysLeft(reason, report, context) }
}

/** By the traffic since the start, of which a whole day must be known. */
function daysLeft(reason: WaitReason, report: ExperimentReport, context: VerdictContext): number | undefined {
  const { analysis, days } = context
  const decision = ruleOf(analysis)
  if (reason === 'planned' && decision.rule === 'whole-weeks') return Math.ceil(7 * decision.weeks - days)
  if (days < 1) return undefined
  const units = smallestArm(report)
  const missing = unitsWanted(reason, report, analysis) - units
  return units > 0 && missing > 0 ? Math.ceil((missing * days) / units) : undefined
}

/** Returns the units that each variant still needs before there is a verdict; undefined where nothing says how many. */
export function unitsMissing(
  verdict: ExperimentVerdict,
  report: ExperimentReport,
  analysis: AnalysisSettings,
): number | undefined {
  if (verdict.advice !== 'wait' || !waitsForUnits.has(verdict.reason)) return undefined
  if (verdict.reason === 'planned' && ruleOf(analysis).rule === 'whole-weeks') return undefined
  const missing = Math.ceil(unitsWanted(verdict.reason, report, analysis) - smallestArm(report))
  return missing > 0 ? missing : undefined
}

const waitsForUnits: ReadonlySet<WaitReason> = new Set([
  'too-few-units',
  'unclear',
  'planned',
  'guardrail-unclear',
])

function unitsWanted(reason: WaitReason, report: ExperimentReport, analysis: AnalysisSettings): number {
  const decision = ruleOf(analysis)
  if (reason === 'too-few-units') return analysis.minimumUnits
  if (decision.rule === 'planned-size') return decision.units
  return sizeOf(report, analysis, (metric) => metric.role !== 'secondary')
}

const smallestArm = ({ variants }: ExperimentReport): number =>
  Math.min(...variants.map(({ units }) => units))

/** The units that each variant needs for all of some metrics, as a plan would have it by what is known now; at least 0. */
function sizeOf(
  report: ExperimentReport,
  analysis: AnalysisSettings,
  isMeant: (metric: MetricReport) => boolean,
): number {
  const sized = {
    analysis,
    variants: report.variants.length,
    primary: report.metrics.filter(({ role }) => role === 'primary').length,
    guardrails: guardrailsOf(report).length,
  }
  const sizes = report.metrics.filter(isMeant).flatMap((metric) => {
    const baseline = baselineOf(metric)
    return baseline ? [metricSize(baseline, metricTest(metric, sized))] : []
  })
  return Math.max(0, ...sizes)
}

/** The mean and the variance of one unit, from the control’s estimate. */
function baselineOf({ shape, values, comparisons }: MetricReport): MetricBaseline | undefined {
  const [control] = values
  const one = comparisons.find(({ state }) => state === 'estimated')
  if (!control?.value || one?.state !== 'estimated') return undefined
  const { standardError } = (one.adjusted ?? one).absolute
  const treatment = values.find(({ variant }) => variant === one.variant)
  if (!treatment) return undefined
  // both variances are taken to be alike
  const pairs = 1 / (1 / control.units + 1 / treatment.units)
  return {
    mean: control.value,
    variance: standardError ** 2 * pairs,
    isShare: shape === 'share' && !one.adjusted,
  }
}
