import type { Effect } from './effect'
import { studentQuantile, studentTail } from './special-functions'

/** `two-sided` asks whether there is a difference, the others whether the treatment is greater or less. */
export type Alternative = 'two-sided' | 'greater' | 'less'

export interface EstimateInterval {
  low: number
  high: number
}

export interface TestResult {
  /** The probability of an effect at least as far from none, if there were none. */
  p: number
  interval: EstimateInterval
}

/** Welch’s t-test of an effect. One-sided tests have an interval that is open to one side. */
export function welchTest(
  effect: Effect,
  { alpha = 0.05, alternative = 'two-sided' }: { alpha?: number; alternative?: Alternative } = {},
): TestResult {
  const { value, standardError, freedom } = effect
  const t = value / standardError
  if (alternative === 'two-sided') {
    const reach = studentQuantile(1 - alpha / 2, freedom) * standardError
    return {
      p: Math.min(1, 2 * studentTail(Math.abs(t), freedom)),
      interval: { low: value - reach, high: value + reach },
    }
  }
  const reach = studentQuantile(1 - alpha, freedom) * standardError
  return alternative === 'greater'
    ? { p: studentTail(t, freedom), interval: { low: value - reach, high: Infinity } }
    : { p: studentTail(-t, freedom), interval: { low: -Infinity, high: value + reach } }
}
