import { visitorCookie } from '#ingest/cookies'

const aYearInSeconds = 365 * 24 * 3600

/** Returns a cookie for the whole site that scripts cannot read. */
export const visitorCookieFor = (visitor: string, isSecure: boolean): string =>
  cookieFor(visitor, aYearInSeconds, isSecure)

/** Returns the cookie that deletes it. */
export const expiredVisitorCookie = (isSecure: boolean): string => cookieFor('', 0, isSecure)

const cookieFor = (visitor: string, seconds: number, isSecure: boolean): string =>
  `${visitorCookie}=${visitor}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
