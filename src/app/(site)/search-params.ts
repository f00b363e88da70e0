/** The query parameters of an address. */
export type SearchParams = Record<string, string | string[] | undefined>

/** Returns the first of repeated values. */
export const firstValue = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value
