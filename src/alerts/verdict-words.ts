import { amount, type Unit } from '#ui/format'
import type { AlertVerdict } from './condition'

/** "120, against 340"; or why the state is unknown. */
export function verdictWords(verdict: AlertVerdict, unit: Unit): string {
  if (verdict.state === 'unknown') return verdict.why
  const { value, against } = verdict
  return against === undefined
    ? amount(value, unit)
    : `${amount(value, unit)}, against ${amount(against, unit)}`
}
