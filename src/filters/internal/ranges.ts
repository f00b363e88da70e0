/** A range that includes `from` and excludes `until`; an absent end is unbounded. */
export interface HalfOpenRange<T> {
  from?: T
  until?: T
}

export function isWithin<T>(
  value: T,
  { from, until }: HalfOpenRange<T>,
  order: (one: T, other: T) => number,
) {
  return (from === undefined || order(value, from) >= 0) && (until === undefined || order(value, until) < 0)
}
