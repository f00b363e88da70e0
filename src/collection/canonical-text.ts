/** Returns a value as JSON with sorted keys, whose order has no meaning. Lists keep theirs. */
export const canonicalText = (value: unknown): string => JSON.stringify(value, sortKeys) ?? ''

const sortKeys = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value

export const isSameText = (one: unknown, other: unknown): boolean =>
  one === other || canonicalText(one) === canonicalText(other)
