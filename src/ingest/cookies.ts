import { isUuid } from './uuid'

/** Where a site keeps who its visitor is, if its owners chose so. */
export const visitorCookie = 'tilth_visitor'

/** Undefined where there is none, and for whatever is not as we write it. */
export function parseVisitorCookie(cookies: string | undefined): string | undefined {
  const value = cookieValue(cookies, visitorCookie)
  return value !== undefined && isUuid(value) && value === value.toLowerCase() ? value : undefined
}

/** Most requests carry none of the name, which one look tells. */
export function cookieValue(cookies: string | undefined, name: string): string | undefined {
  if (!cookies?.includes(name)) return undefined
  const pairs = cookies.split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}
