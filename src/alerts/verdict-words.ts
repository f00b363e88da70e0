import { amount, type Unit } from '../ui/format'
import type { Verdict } from './condition'

/** "120, against 340"; or why nothing can be said. */
export function verdictWords(verdict: Verdict, unit: Unit): string {
  if (verdict.state === 'unknown') return verdict.why
  const { value, against } = verdict
  return against === undefined
    ? amount(value, unit)
    : `${amount(value, unit)}, against ${amount(against, unit)}`
}
