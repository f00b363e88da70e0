import { eventLabel } from '#events/taxonomy'
import type { EventMatcher } from '#insights/query-fields'

export const matcherName = ({ event, label }: EventMatcher): string =>
  label ?? (event === null ? 'anything' : eventLabel(event))

/** "A and B", "A, B and 3 more". */
export function listed(names: readonly string[]): string {
  const [first = '', second, third, ...more] = names
  if (second === undefined) return first
  if (third === undefined) return `${first} and ${second}`
  return more.length === 0
    ? `${first}, ${second} and ${third}`
    : `${first}, ${second} and ${more.length + 1} more`
}
