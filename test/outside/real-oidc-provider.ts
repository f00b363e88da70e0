import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { Provider } from 'oidc-provider'
import { onTestFinished } from 'vitest'

export async function aServer(
  answer: (origin: string) => RequestListener,
): Promise<{ origin: string; server: Server }> {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  server.on('request', answer(origin))
  return { origin, server }
}

export type ProviderClaims = Record<string, unknown>

/** The certified provider on this machine. Its one user signs in without a form, with claims that a test may change. */
export async function anOidcProvider(
  redirectUri: () => string,
  claims: ProviderClaims = {},
  { reportsAuthTime = false } = {},
) {
  const user: ProviderClaims = {
    email: 'ana@acme.example',
    email_verified: true,
    name: 'Ana Berg',
    ...claims,
  }
  const prompts: string[] = []
  const { origin } = await aServer((issuer) => {
    let provider: Provider | undefined
    return (request, response) => {
      // made at the first request: the address of a Tilth is only known once it runs
      provider ??= providerFor(issuer, redirectUri(), user, reportsAuthTime)
      prompts.push(...new URL(request.url ?? '/', issuer).searchParams.getAll('prompt'))
      if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response)
      return void provider.interactionFinished(request, response, { login: { accountId: 'user-7' } })
    }
  })
  return { origin, user, prompts }
}

const providerFor = (
  issuer: string,
  redirectUri: string,
  user: ProviderClaims,
  reportsAuthTime: boolean,
): Provider =>
  new Provider(issuer, {
    clients: [
      {
        client_id: 'tilth',
        client_secret: 'a secret of the client',
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ ...user, sub: accountId }) }),
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    cookies: { keys: ['a key of the cookies'] },
    features: { devInteractions: { enabled: false }, claimsParameter: { enabled: reportsAuthTime } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
