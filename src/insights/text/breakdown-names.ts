import { valueName } from '#events/value-names'
import type { GroupNames } from '../compile/internal/group-names'
import type { Breakdown } from '../query-fields'

/** Returns the name of a value of a breakdown for people; its ranges and cohorts have names already. */
export function breakdownValueName(
  breakdown: Breakdown | undefined,
  value: string | null,
  groups?: GroupNames,
): string {
  if (!breakdown || breakdown.type === 'cohort' || breakdown.bins !== undefined) return value ?? '(none)'
  if (breakdown.type !== 'group') return valueName(breakdown.key, value)
  // the properties of a group are the project's own, whatever their names are
  return (value !== null && groups?.get(breakdown.group)?.get(value)) || (value ?? '(none)')
}
