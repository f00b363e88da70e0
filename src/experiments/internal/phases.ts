import { isDeepStrictEqual } from 'node:util'
import { mainEnvironment, type Flag } from '#flags/flag'
import type { FlagVersion } from '#flags/history'

/** A time in which the flag let in the same people with the same weights. */
export interface ExperimentPhase {
  startedAt: Date
  /** The percentage of each variant among those who are let in. */
  weights: Readonly<Record<string, number>>
  /** Whether a condition gives a variant to everyone who meets it; then the split need not follow the weights. */
  hasFixedVariants: boolean
  /** The version of the flag with which it began, where exposures are assigned by version. */
  version?: number
}

/**
 * The phases of an experiment, from the versions of its flag: a change of the weights or the conditions begins another,
 * for people before and after it are not comparable. Changes of descriptions, payloads and other environments do not.
 */
export function phasesOf(
  versions: readonly FlagVersion[],
  startedAt: Date,
  endedAt: Date,
): ExperimentPhase[] {
  const sorted = versions.toSorted((one, other) => one.version - other.version)
  const atStart = sorted.findLast(({ at }) => at <= startedAt) ?? sorted[0]
  if (!atStart) return []
  const during = sorted.filter(
    ({ at, version }) => at > startedAt && at < endedAt && version > atStart.version,
  )
  const phases = [{ flag: atStart.flag, startedAt }]
  for (const { flag, at } of during) {
    const last = phases.at(-1)
    if (last && !isDeepStrictEqual(allocationOf(last.flag), allocationOf(flag)))
      phases.push({ flag, startedAt: at })
  }
  return phases.map(({ flag, startedAt: since }) => ({ startedAt: since, ...splitOf(flag) }))
}

/** Returns the parts of a flag that decide who gets which variant. */
export function allocationOf(flag: Flag) {
  const setting = flag.environments[mainEnvironment]
  return {
    weights: splitOf(flag).weights,
    bucketBy: flag.bucketBy,
    isOn: setting?.isOn ?? false,
    holdout: setting?.holdout,
    layer: setting?.layer,
    conditions: setting?.conditions.map(({ conditions, percentage, variant, isLast }) => ({
      conditions,
      percentage,
      variant,
      isLast,
    })),
  }
}

export function splitOf(flag: Flag): Pick<ExperimentPhase, 'weights' | 'hasFixedVariants'> {
  const conditions = flag.environments[mainEnvironment]?.conditions ?? []
  return {
    weights: Object.fromEntries(flag.variants.map(({ key, percentage }) => [key, percentage])),
    hasFixedVariants: conditions.some(({ variant }) => variant !== undefined),
  }
}
