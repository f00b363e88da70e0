import { isDeepStrictEqual } from 'node:util'
import { equalPercentages, type Flag, mainEnvironment } from '#flags/flag'
import type { FlagVersion } from '#flags/history'
import { movedPercent } from '#statistics/best-arm'
import { allocationOf, type ExperimentPhase, splitOf } from '../../internal/phases'
import type { WeightChange } from '../progress'

export const percentagesOf = ({ variants }: Pick<Flag, 'variants'>): number[] =>
  variants.map(({ percentage }) => percentage)

export const withPercentages = (flag: Flag, percentages: readonly number[]): Flag => ({
  ...flag,
  variants: flag.variants.map((variant, i) => ({ ...variant, percentage: percentages[i] ?? 0 })),
})

/** The flag as a bandit begins with it: every variant has the same weight. */
export const evenFlag = (flag: Flag): Flag => withPercentages(flag, equalPercentages(flag.variants.length))

/** Why a bandit cannot move the weights of this flag; undefined if it can. */
export function weightsProblem(
  flag: Flag | undefined,
  { variants }: { variants: readonly string[] },
): string | undefined {
  if (!flag || flag.archivedAt) return 'The flag is archived. Restore it, or end the experiment.'
  if (
    !isDeepStrictEqual(
      variants,
      flag.variants.map(({ key }) => key),
    )
  )
    return 'The variants of the flag are no longer those of the start. End the experiment, and start another.'
  if (!flag.environments[mainEnvironment]?.isOn)
    return `The flag is off in ${mainEnvironment}. Turn it on to go on.`
  return splitOf(flag).hasFixedVariants ? fixedVariants : undefined
}

export const fixedVariants =
  'A condition set of the flag gives everyone in it one variant. Weights divide by chance: take the variant out of the condition set first.'

/** The weights of a version of the flag, compared with those before. */
export const weightChangeOf = (
  flag: Flag,
  before: Readonly<Record<string, number>> | undefined,
  change: Pick<WeightChange, 'at' | 'by' | 'why' | 'chances' | 'units'>,
): WeightChange => ({
  ...change,
  version: flag.version,
  weights: splitOf(flag).weights,
  movedPercent: before
    ? movedPercent(
        flag.variants.map(({ key }) => before[key] ?? 0),
        percentagesOf(flag),
      )
    : 0,
})

/** The versions that changed who gets which variant, the oldest first. */
export function allocationChanges(versions: readonly FlagVersion[]): FlagVersion[] {
  const sorted = versions.toSorted((one, other) => one.version - other.version)
  return sorted.filter((one, i) => {
    const before = sorted[i - 1]
    return before && !isDeepStrictEqual(allocationOf(before.flag), allocationOf(one.flag))
  })
}

/**
 * The times of constant weights, as the phases by which exposures are assigned. Of changes in the same millisecond only
 * the last one is a phase.
 */
export const weightPhases = (changes: readonly WeightChange[], until: Date): ExperimentPhase[] =>
  changes
    .filter(({ at }, i) => i === 0 || at < until)
    .filter(({ at }, i, all) => all.slice(i + 1).every((later) => later.at > at))
    .map(({ at, weights, version }) => ({ startedAt: at, weights, version, hasFixedVariants: false }))
