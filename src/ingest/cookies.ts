import { isUuid } from './uuid'

/** The cookie that holds a visitor's id, if the owners of the site allow cookies. */
export const visitorCookie = 'tilth_visitor'

/** Returns undefined if the cookie is missing or malformed. */
export function parseVisitorCookie(cookies: string | undefined): string | undefined {
  const value = cookieValue(cookies, visitorCookie)
  return value !== undefined && isUuid(value) && value === value.toLowerCase() ? value : undefined
}

/** Searches for the name before parsing, because most requests do not have the cookie. */
export function cookieValue(cookies: string | undefined, name: string): string | undefined {
  if (!cookies?.includes(name)) return undefined
  const pairs = cookies.split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}
