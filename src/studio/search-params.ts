/** The query parameters of an address. */
export type SearchParams = Readonly<Record<string, string | string[] | undefined>>

/** Returns the first of repeated values. */
export const firstValue = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value

/** Returns a value that is given once and not empty. */
export const textOf = (param: string | string[] | undefined): string | undefined =>
  typeof param === 'string' && param !== '' ? param : undefined

/** Returns the number of a page of a list, which begins with 1. */
export const pageOf = (param: string | string[] | undefined): number => {
  const page = Number(textOf(param))
  return Number.isSafeInteger(page) && page > 0 && page <= 1000 ? page : 1
}
