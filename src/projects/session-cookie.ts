const attributes = (secure: boolean) => ({ secure, httpOnly: true, sameSite: 'lax', path: '/' }) as const

/** `__Host-` binds the cookie to this host; browsers accept it on https only. */
export const sessionCookie = (secure: boolean) =>
  ({ name: secure ? '__Host-sid' : 'sid', ...attributes(secure) }) as const

/** Marks a browser that was signed in before; it outlives the session and grants no access. */
export const deviceCookie = (secure: boolean) =>
  ({ name: secure ? '__Host-device' : 'device', ...attributes(secure) }) as const

/** Set between the password and the second factor. */
export const stepCookie = (secure: boolean) =>
  ({ name: secure ? '__Host-step' : 'step', ...attributes(secure) }) as const

/** Set, sealed, while the browser is at an OpenID Connect provider. */
export const oidcCookie = (secure: boolean) =>
  ({ name: secure ? '__Host-oidc' : 'oidc', ...attributes(secure) }) as const
