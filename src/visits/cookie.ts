import { isUuid } from '../ingest/uuid'

/** Where a site keeps who its visitor is, if its owners chose so. */
export const visitorCookie = 'tilth_visitor'

const aYearInSeconds = 365 * 24 * 3600

/** Undefined where there is none, and for whatever is not as we write it. */
export function visitorIn(cookies: string | undefined): string | undefined {
  const value = cookieIn(cookies, visitorCookie)
  return value !== undefined && isUuid(value) && value === value.toLowerCase() ? value : undefined
}

/** For the site's own addresses, and out of reach of its scripts. */
export const visitorCookieFor = (visitor: string, isSecure: boolean): string =>
  cookieFor(visitor, aYearInSeconds, isSecure)

/** Takes it away from a browser. */
export const forgottenVisitor = (isSecure: boolean): string => cookieFor('', 0, isSecure)

const cookieFor = (visitor: string, seconds: number, isSecure: boolean): string =>
  `${visitorCookie}=${visitor}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`

/** Most requests carry none of the name, which one look tells. */
function cookieIn(cookies: string | undefined, name: string): string | undefined {
  if (!cookies?.includes(name)) return undefined
  const pairs = cookies.split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}
