export const signInMethods = ['password', 'passkey', 'oidc'] as const
export type SignInMethod = (typeof signInMethods)[number]

/** The path of a request to this server: directly, or through a proxy whose forwarding headers are trusted or not. */
export const connectionPaths = ['direct', 'trusted-proxy', 'untrusted-proxy'] as const
export type ConnectionPath = (typeof connectionPaths)[number]

/** The method and the path by which a session began. */
export interface SessionProof {
  method: SignInMethod
  hasSecondFactor: boolean
  via: ConnectionPath
}

/** The proof by which a member signed in. */
export interface SignInProof extends Partial<SessionProof> {
  /** When the member proved who they are; at this moment if absent. */
  authenticatedAt?: Date | undefined
}

/** The source of a request besides its origin. It is used to throttle guesses and is not stored. */
export interface RequestSource {
  /** The whole address. */
  address?: string | undefined
  /** The token of a browser that has been signed in before. */
  device?: string | undefined
  via?: ConnectionPath | undefined
}
