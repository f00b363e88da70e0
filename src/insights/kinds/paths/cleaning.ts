import { type Sql, sql, string } from '#engine/sql'

interface AddressRule {
  /** A pattern for both JavaScript and RE2. Every part of an address has its own slashes here. */
  pattern: string
  becomes: string
}

/** Replacements of ids in addresses. A date comes before digits, because it contains some. */
const addressRules: readonly AddressRule[] = [
  { pattern: '/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/', becomes: '/:uuid/' },
  { pattern: '/[^/@]+@[^/@]+[.][^/@]+/', becomes: '/:email/' },
  { pattern: '/(?:19|20)[0-9]{2}-[0-9]{2}(?:-[0-9]{2})?/', becomes: '/:date/' },
  { pattern: '/(?:19|20)[0-9]{2}//(?:0?[1-9]|1[0-2])//(?:0?[1-9]|[12][0-9]|3[01])/', becomes: '/:date/' },
  { pattern: '/[0-9]+/', becomes: '/:id/' },
  { pattern: '/[0-9a-f]{16,}/', becomes: '/:hash/' },
  { pattern: '/[0-9a-z]{24,}/', becomes: '/:token/' },
]

/** Normalises an address: lower case, without a trailing slash, with ids replaced by general words. */
export function cleanedAddress(address: string): string {
  const apart = `${address.toLowerCase()}/`.replaceAll('/', '//')
  const general = addressRules.reduce(
    (text, { pattern, becomes }) => text.replaceAll(new RegExp(pattern, 'g'), becomes),
    apart,
  )
  return `/${single.reduce((text) => text.replaceAll('//', '/'), general).replaceAll(/^\/+|\/+$/g, '')}`
}

/** Each pass halves repeated slashes, which are rarely more than four. A pattern would take twice as long. */
const single = [1, 2, 3]

/** Does the same in the engine. It uses functions of a single text, which the engine computes once for each address. */
export function cleaned(address: Sql): Sql {
  const apart = sql`replaceAll(concat(lowerUTF8(${address}), '/'), '/', '//')`
  const general = addressRules.reduce(
    (text, { pattern, becomes }) => sql`replaceRegexpAll(${text}, ${string(pattern)}, ${string(becomes)})`,
    apart,
  )
  const once = single.reduce((text) => sql`replaceAll(${text}, '//', '/')`, general)
  return sql`concat('/', trimBoth(${once}, '/'))`
}

/** Whether a name matches a pattern: `*` matches any characters, and case is ignored. */
export function fits(name: Sql, pattern: string): Sql {
  const like = pattern.replaceAll(/[\\%_]/g, String.raw`\$&`).replaceAll('*', '%')
  return sql`${name} ilike ${string(like)}`
}
