import type { FlagKind } from '../../../../../../../flags/flag'

/** What somebody gets, as a badge says it. */
export function valueWords(value: boolean | string, kind: FlagKind = 'switch'): string {
  if (typeof value === 'string') return value
  if (!value) return 'Off'
  return kind === 'config' ? 'Its value' : 'On'
}
