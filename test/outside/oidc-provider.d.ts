/** The package carries no types; the tests need so much of it. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  interface GrantContext {
    oidc: {
      provider: { Grant: new (of: { clientId: string | undefined; accountId: string | undefined }) => Grant }
      client?: { clientId: string }
      session?: { accountId: string }
    }
  }

  interface ProviderSettings {
    clients: readonly Record<string, unknown>[]
    findAccount: (
      context: unknown,
      accountId: string,
    ) => { accountId: string; claims: () => Record<string, unknown> }
    claims: Record<string, readonly string[]>
    pkce: { required: () => boolean }
    cookies: { keys: readonly string[] }
    features: { devInteractions: { enabled: boolean }; claimsParameter: { enabled: boolean } }
    interactions: { url: (context: unknown, interaction: { uid: string }) => string }
    loadExistingGrant: (context: GrantContext) => Promise<Grant>
  }

  export class Provider {
    constructor(issuer: string, settings: ProviderSettings)
    callback(): RequestListener
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Record<string, unknown>,
    ): Promise<void>
  }
}
