/**
 * Proves that the password of one share was entered; it is sent to that share's address only. In a frame of another
 * site, browsers send only `SameSite=None` cookies, and only over https. Partitioned, it is of no use to the framing site.
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
