import { sameHost } from '#http/trusted-request'

/** The addresses of signing in, below those of this Tilth. */
export const oauthPaths = {
  resourceMetadata: '/.well-known/oauth-protected-resource',
  serverMetadata: '/.well-known/oauth-authorization-server',
  /** The consent page, in the studio. */
  authorize: '/studio/sign-in/assistant',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const

export const mcpPath = '/mcp'

/** The address of this Tilth by which a client came, as an issuer; the main one for names that are not its own. */
export function issuerAt(host: string, addresses: readonly URL[]): string {
  const address = addresses.find((own) => sameHost(host, own)) ?? addresses[0]
  return address?.origin ?? `http://${host}`
}

/** The value of `www-authenticate` that leads a client to sign in (RFC 9728, section 5.1). */
export function bearerChallenge(issuer: string, { hasToken }: { hasToken: boolean }): string {
  const parts = [
    ...(hasToken ? ['error="invalid_token"'] : []),
    `resource_metadata="${issuer}${oauthPaths.resourceMetadata}${mcpPath}"`,
  ]
  return `Bearer ${parts.join(', ')}`
}
