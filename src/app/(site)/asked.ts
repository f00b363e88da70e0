/** What stands behind "?" of an address. */
export type Asked = Record<string, string | string[] | undefined>

/** Of what is said twice, the first counts. */
export const one = (asked: string | string[] | undefined): string | undefined =>
  Array.isArray(asked) ? asked[0] : asked
