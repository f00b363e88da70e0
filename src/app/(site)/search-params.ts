/** What stands behind "?" of an address. */
export type SearchParams = Record<string, string | string[] | undefined>

/** Of what is said twice, the first counts. */
export const firstValue = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value
