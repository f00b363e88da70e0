import { type Sql, sql, string } from '#engine/sql'

interface AddressRule {
  /** As both JavaScript and RE2 read it. Every part of an address stands between slashes of its own here. */
  pattern: string
  becomes: string
}

/** What tells one address from a thousand like it, and what to call it. A date comes before digits: it is some. */
export const addressRules: readonly AddressRule[] = [
  { pattern: '/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/', becomes: '/:uuid/' },
  { pattern: '/[^/@]+@[^/@]+[.][^/@]+/', becomes: '/:email/' },
  { pattern: '/(?:19|20)[0-9]{2}-[0-9]{2}(?:-[0-9]{2})?/', becomes: '/:date/' },
  { pattern: '/(?:19|20)[0-9]{2}//(?:0?[1-9]|1[0-2])//(?:0?[1-9]|[12][0-9]|3[01])/', becomes: '/:date/' },
  { pattern: '/[0-9]+/', becomes: '/:id/' },
  { pattern: '/[0-9a-f]{16,}/', becomes: '/:hash/' },
  { pattern: '/[0-9a-z]{24,}/', becomes: '/:token/' },
]

/** An address without what is its own: in small letters, without a slash at its end, its ids put in general words. */
export function cleanedAddress(address: string): string {
  const apart = `${address.toLowerCase()}/`.replaceAll('/', '//')
  const general = addressRules.reduce(
    (text, { pattern, becomes }) => text.replaceAll(new RegExp(pattern, 'g'), becomes),
    apart,
  )
  return `/${single.reduce((text) => text.replaceAll('//', '/'), general).replaceAll(/^\/+|\/+$/g, '')}`
}

/** Each pass halves slashes in a row, which are rarely more than four. Patterns would take twice as long. */
const single = [1, 2, 3]

/** The same in the engine. It stays within functions of one text, which the engine computes once for each address. */
export function cleaned(address: Sql): Sql {
  const apart = sql`replaceAll(concat(lowerUTF8(${address}), '/'), '/', '//')`
  const general = addressRules.reduce(
    (text, { pattern, becomes }) => sql`replaceRegexpAll(${text}, ${string(pattern)}, ${string(becomes)})`,
    apart,
  )
  const once = single.reduce((text) => sql`replaceAll(${text}, '//', '/')`, general)
  return sql`concat('/', trimBoth(${once}, '/'))`
}

/** Whether a pattern stands for a name: `*` is any characters, small and capital letters are the same. */
export function fits(name: Sql, pattern: string): Sql {
  const like = pattern.replaceAll(/[\\%_]/g, String.raw`\$&`).replaceAll('*', '%')
  return sql`${name} ilike ${string(like)}`
}
