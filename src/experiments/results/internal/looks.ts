import type { Effect } from '#statistics/effect'
import { welchTest } from '#statistics/frequentist'
import { sequentialTest } from '#statistics/sequential'

/**
 * When a result is read. `any` is one of many looks, each of which may decide; `early` is one before the planned end,
 * which only harm may bring forward; `planned` is the one that was planned.
 */
export type Look = 'any' | 'early' | 'planned'

/**
 * The shares of the error rate: of a decision by the primary metrics, and of a stop because of harm, by a guardrail or
 * before the planned end. Whatever the look, both together are one false verdict in twenty at a level of 95%.
 */
const errorShares = { decision: 0.9, harm: 0.1 }

/**
 * The units at which intervals for many looks are narrowest: so few that a small site sees a large effect. With ten times
 * as many they are a tenth wider than they could be.
 */
export const looksTuning = 500

export const decisionAlpha = (level: number): number => errorShares.decision * (1 - level)

/** Two-sided, of which harm is one side. `compared` effects are watched. */
export const harmAlpha = (level: number, compared: number): number =>
  (2 * errorShares.harm * (1 - level)) / Math.max(1, compared)

/** The two-sided p-value of an effect at a look. */
export const pAt = (look: Look, effect: Effect, level: number): number =>
  look === 'planned'
    ? welchTest(effect).p
    : sequentialTest(effect, { tunedFor: 1 - level, tuning: looksTuning }).p

/** The reach to each side, in standard errors, of the interval with an error rate of `alpha`. */
export function reachAt(look: Look, effect: Effect, alpha: number, level: number): number {
  const unit = { ...effect, value: 0, standardError: 1 }
  const { interval } =
    look === 'planned'
      ? welchTest(unit, { alpha })
      : sequentialTest(unit, { alpha, tunedFor: 1 - level, tuning: looksTuning })
  return interval.high
}
