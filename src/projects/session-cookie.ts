/** `__Host-` binds the cookie to this very host; browsers take it on https only. */
export const sessionCookie = (secure: boolean) =>
  ({ name: secure ? '__Host-sid' : 'sid', secure, httpOnly: true, sameSite: 'lax', path: '/' }) as const
