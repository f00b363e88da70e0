import type { z } from 'zod'
import type { Unchanging } from '#collection/unchanging'
import { type Flag, mainEnvironment } from '#flags/flag'
import type { GuardPlan } from '#flags/guards/guard-engine'
import { failedOutcome, type FailedOutcome } from '#projects/problems'
import type { Experiment } from '../experiment'
import type { rolloutSettings } from './internal/rollout-input'

export type RolloutSettings = Unchanging<z.infer<typeof rolloutSettings>>
export type RolloutStep = RolloutSettings['steps'][number]

const day = 24 * 60

export const defaultRollout = {
  set: 0,
  steps: [
    { share: 10, minutes: day },
    { share: 25, minutes: day },
    { share: 50, minutes: day },
    { share: 100, minutes: day },
  ],
  waitsForPeople: true,
  whenDone: 'ship',
} as const

/** Why an experiment cannot be a rollout; undefined if it can, or if it is none. */
export function rolloutProblem(
  { kind, rollout, analysis }: Pick<Experiment, 'kind' | 'rollout' | 'analysis'>,
  flag: Flag,
): FailedOutcome | undefined {
  if (kind !== 'rollout' || !rollout) return undefined
  if (flag.variants.length !== 2)
    return failedOutcome(
      `A rollout compares one new variant with the control. The flag "${flag.key}" has ${flag.variants.length} variants.`,
      'flag',
    )
  if (analysis.method !== 'sequential')
    return failedOutcome(
      'A rollout is read every few minutes, which only sequential intervals allow. Choose the method “sequential”.',
      'analysis.method',
    )
  const fixed = flag.environments[mainEnvironment]?.conditions[rollout.set]?.variant
  return fixed === undefined
    ? undefined
    : failedOutcome(
        `Condition set ${rollout.set + 1} gives everyone “${fixed}”, so nothing can be compared. Take the variant out of it.`,
        'rollout.set',
      )
}

/** The variant that is rolled out. */
export const rolledOutVariant = ({ control }: Pick<Experiment, 'control'>, flag: Flag): string | undefined =>
  flag.variants.find(({ key }) => key !== control)?.key

/** The ramp as the engine of guarded rollouts takes it. */
export function guardPlanOf(
  { id, flag, control, analysis }: Experiment,
  { set, steps, waitsForPeople }: RolloutSettings,
  variants: Flag['variants'],
): GuardPlan {
  const startOf = (index: number) => steps.slice(0, index).reduce((sum, { minutes }) => sum + minutes, 0)
  return {
    flag,
    experiment: id,
    environment: mainEnvironment,
    set,
    variant: variants.find(({ key }) => key !== control)?.key,
    steps: steps.map(({ share }, i) => ({ percentage: share, afterMinutes: startOf(i) })),
    metrics: [],
    minimum: analysis.minimumUnits,
    waitsForPeople,
    watchMinutes: steps.at(-1)?.minutes ?? 0,
  }
}
