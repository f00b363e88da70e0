/** What lies between two points, the first included and the second not; open where there is none. */
export interface Range<T> {
  from?: T
  until?: T
}

export function isWithin<T>(value: T, { from, until }: Range<T>, order: (one: T, other: T) => number) {
  return (from === undefined || order(value, from) >= 0) && (until === undefined || order(value, until) < 0)
}
