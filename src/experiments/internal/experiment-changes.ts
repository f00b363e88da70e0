import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { withoutUndefined } from '#collection/without-undefined'
import { failedOutcome, type FailedOutcome } from '#projects/problems'
import { type BanditSettings, defaultBandit } from '../bandits/bandit'
import {
  type AnalysisSettings,
  type Experiment,
  type ExperimentKind,
  type ExperimentMetric,
  statusOf,
} from '../experiment'
import type { experimentChange, MetricInput, newExperiment } from '../experiment-input'
import { defaultRollout, type RolloutSettings } from '../rollouts/rollout'

/** Null removes a field, and undefined leaves it as it is. */
export const replacedBy = <Value>(
  change: Value | null | undefined,
  before: Value | undefined,
): Value | undefined => (change === undefined ? before : (change ?? undefined))

/** Says what cannot change any more; undefined if everything that changes may. */
export function fixedProblem(
  before: Experiment,
  { kind, exposed, web }: { kind: ExperimentKind | undefined; exposed: unknown; web: unknown },
): FailedOutcome | undefined {
  if (before.startedAt && kind !== undefined && kind !== before.kind)
    return failedOutcome(
      'The kind cannot change once the experiment has started. Duplicate it instead.',
      'kind',
    )
  if (before.startedAt && exposed !== undefined)
    return failedOutcome(
      'Who is exposed cannot change once the experiment runs: its numbers would mix two definitions. Duplicate it instead.',
    )
  return statusOf(before) === 'running' && web !== undefined
    ? failedOutcome(
        'What visitors see cannot change while the experiment runs: its numbers would mix two treatments. Duplicate it instead.',
        'web',
      )
    : undefined
}

/** Of a decision that was planned, the kind and the method must allow it, and what is known must not choose it. */
export function decisionProblem(
  { startedAt, analysis: before }: Pick<Experiment, 'startedAt' | 'analysis'>,
  { kind, analysis: { method, decision } }: Pick<Experiment, 'kind' | 'analysis'>,
): FailedOutcome | undefined {
  if (startedAt && !isDeepStrictEqual(before.decision, decision))
    return failedOutcome(
      'When the experiment decides cannot change once it has started: a rule that is chosen by what is known finds what is not there. Duplicate it instead.',
      'analysis.decision',
    )
  if (decision.rule === 'any-time') return undefined
  if (kind !== 'fixed')
    return failedOutcome('A bandit and a rollout decide at any time.', 'analysis.decision')
  return method === 'sequential'
    ? failedOutcome('The sequential method decides at any time.', 'analysis.decision')
    : undefined
}

/** Of a change, the ramp and the rule of the decision must be as they were at the start. */
export const changedAnalysisProblem = (
  before: Experiment,
  after: Pick<Experiment, 'kind' | 'analysis' | 'rollout'>,
): FailedOutcome | undefined => changedRampProblem(before, after.rollout) ?? decisionProblem(before, after)

/** The engine of rollouts has its own copy of the ramp; what follows it is read at its end. */
function changedRampProblem(
  { startedAt, rollout: before }: Experiment,
  after: RolloutSettings | undefined,
): FailedOutcome | undefined {
  const ramp = (settings: RolloutSettings | undefined) => settings && { ...settings, whenDone: undefined }
  return startedAt && !isDeepStrictEqual(ramp(before), ramp(after))
    ? failedOutcome(
        'The ramp cannot change once the rollout has started. Pause it, or end it and make another.',
        'rollout.steps',
      )
    : undefined
}

/** Settings that were not given stay as they are, or have their defaults. Other kinds have none. */
export const banditOf = (
  kind: ExperimentKind,
  given: Partial<{ [Key in keyof BanditSettings]: BanditSettings[Key] | undefined }> | undefined,
  before: BanditSettings | undefined,
): BanditSettings | undefined =>
  kind === 'bandit' ? { ...(before ?? defaultBandit), ...withoutUndefined(given ?? {}) } : undefined

/** People who return after a move of the weights may see another variant; leaving them out would favour those who came once. */
export const severalVariantsOf = (
  kind: ExperimentKind,
  chosen: Experiment['severalVariants'],
): Experiment['severalVariants'] => (kind === 'bandit' ? 'first' : chosen)

/** Returns the same settings of a rollout. */
export const rolloutOf = (
  kind: ExperimentKind,
  given: Partial<{ [Key in keyof RolloutSettings]: RolloutSettings[Key] | undefined }> | undefined,
  before: RolloutSettings | undefined,
): RolloutSettings | undefined =>
  kind === 'rollout' ? { ...(before ?? defaultRollout), ...withoutUndefined(given ?? {}) } : undefined

export function newAnalysis(
  kind: ExperimentKind,
  { method = kind === 'rollout' ? 'sequential' : 'bayesian', prior, ...rest }: NewAnalysis,
): AnalysisSettings {
  return { ...rest, method, prior }
}
type NewAnalysis = z.infer<typeof newExperiment>['analysis']

/** Applies a change of the division: the settings that decide who gets which variant, and by which metrics. */
export function changedDivision(
  before: Experiment,
  {
    kind = before.kind,
    bandit,
    rollout,
    metrics,
    analysis = {},
    severalVariants = before.severalVariants,
  }: Pick<z.infer<typeof experimentChange>, Division>,
): Pick<Experiment, Division> {
  // a draft that becomes a rollout takes its method too, unless another is chosen
  const method = kind === 'rollout' && before.kind !== 'rollout' ? 'sequential' : before.analysis.method
  return {
    kind,
    bandit: banditOf(kind, bandit, before.bandit),
    rollout: rolloutOf(kind, rollout, before.rollout),
    metrics: metrics ? namedMetrics(metrics) : before.metrics,
    analysis: changedAnalysis({ ...before.analysis, method }, analysis),
    severalVariants: severalVariantsOf(kind, severalVariants),
  }
}

type Division = 'kind' | 'bandit' | 'rollout' | 'metrics' | 'analysis' | 'severalVariants'

function changedAnalysis(
  before: AnalysisSettings,
  { prior, ...change }: NonNullable<z.infer<typeof experimentChange>['analysis']>,
): AnalysisSettings {
  return {
    ...before,
    ...withoutUndefined(change),
    prior: replacedBy(prior, before.prior),
  }
}

/** A metric without an id gets one from its place, which no other has. */
export function namedMetrics(metrics: readonly MetricInput[]): ExperimentMetric[] {
  const taken = new Set(metrics.flatMap(({ id }) => id ?? []))
  return metrics.map((metric, i) => {
    if (metric.id !== undefined) return { ...metric, id: metric.id }
    let number = i + 1
    while (taken.has(`metric-${number}`)) number += 1
    taken.add(`metric-${number}`)
    return { ...metric, id: `metric-${number}` }
  })
}
