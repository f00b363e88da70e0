/**
 * Holds that the password of one share was given, for its own address alone. In a frame of another site only a cookie
 * that says so itself is sent, and only over https; partitioned, it is of no use to whoever frames it.
 */
export const proofCookie = (token: string, isSecure: boolean) =>
  ({
    name: 'share',
    path: `/share/${token}`,
    httpOnly: true,
    secure: isSecure,
    sameSite: isSecure ? 'none' : 'lax',
    partitioned: isSecure,
  }) as const
