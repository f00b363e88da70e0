import type { FlagKind } from '#flags/flag'

/** The label of a flag value in a badge. */
export function flagValueLabel(value: boolean | string, kind: FlagKind = 'switch'): string {
  if (typeof value === 'string') return value
  if (!value) return 'Off'
  return kind === 'config' ? 'Value' : 'On'
}
