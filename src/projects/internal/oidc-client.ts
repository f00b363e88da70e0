import type { Configuration, CustomFetch, IDToken, UserInfoResponse } from 'openid-client'
import { isThisMachine, type OidcSettings } from '../oidc-settings'

/** The state of one sign-in while the browser is at the provider. */
interface OidcChallenge {
  state: string
  nonce: string
  verifier: string
}

/** The user as the provider identifies them. */
export interface OidcUser {
  issuer: string
  subject: string
  /** Undefined unless the provider has verified it. */
  email: string | undefined
  name: string | undefined
  groups: readonly string[]
  /**
   * The time between the provider's authentication of the user and its ID token, by the provider's clock. Undefined if
   * the provider does not report when it authenticated the user.
   */
  authenticatedAgoMs: number | undefined
  /** Whether the provider used more than one factor (RFC 8176). */
  hasSecondFactor: boolean
}

/** The signature that openid-client requires: https://github.com/panva/openid-client, `customFetch`. */
type OidcFetch = (
  url: string,
  options: { method: string; headers: Record<string, string>; body?: string | undefined },
) => Promise<Response>

interface OidcClientDependencies {
  settings: OidcSettings
  /** The exact redirect URI for the provider. */
  redirectUri: string
  fetch: OidcFetch
}

/** https://openid.net/specs/openid-connect-core-1_0.html#ClaimsParameter */
const requestedClaims = JSON.stringify({ id_token: { auth_time: { essential: true } } })

/** Loaded with the first sign-in through the provider. */
const openidClient = () => import('openid-client')

/** The authorization code flow with PKCE, state and nonce. The provider's metadata is read on first use. */
export class OidcClient {
  private reading: Promise<Configuration> | undefined

  constructor(private readonly dependencies: OidcClientDependencies) {}

  /**
   * Returns the address for the browser, and the state to keep until it returns. `asksAgain` makes the provider ask for
   * credentials even if its own session is active, and report when it did (OpenID Connect Core 1.0, section 3.1.2.1).
   * The user can change the address, so only that report counts.
   */
  async begin({ asksAgain = false } = {}): Promise<{ address: URL; challenge: OidcChallenge }> {
    const {
      buildAuthorizationUrl,
      calculatePKCECodeChallenge,
      randomNonce,
      randomPKCECodeVerifier,
      randomState,
    } = await openidClient()
    const configuration = await this.configuration()
    const challenge = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
    const address = buildAuthorizationUrl(configuration, {
      redirect_uri: this.dependencies.redirectUri,
      scope: 'openid email profile',
      state: challenge.state,
      nonce: challenge.nonce,
      code_challenge: await calculatePKCECodeChallenge(challenge.verifier),
      code_challenge_method: 'S256',
      ...(configuration.serverMetadata().claims_parameter_supported && { claims: requestedClaims }),
      ...(asksAgain && { prompt: 'login', max_age: '0' }),
    })
    return { address, challenge }
  }

  /** Throws if anything is invalid: state, nonce, issuer, audience, times, signature or code. */
  async finish(search: string, { state, nonce, verifier }: OidcChallenge): Promise<OidcUser> {
    const { authorizationCodeGrant, fetchUserInfo } = await openidClient()
    const configuration = await this.configuration()
    const address = new URL(this.dependencies.redirectUri)
    address.search = search
    const tokens = await authorizationCodeGrant(configuration, address, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new Error('The provider sent no ID token.')
    const known = configuration.serverMetadata().userinfo_endpoint
      ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : undefined
    return userIn(claims, known, this.dependencies.settings.groupsClaim)
  }

  private configuration(): Promise<Configuration> {
    this.reading ??= this.discover().catch((problem: unknown) => {
      // the next sign-in fetches again
      this.reading = undefined
      throw problem
    })
    return this.reading
  }

  private async discover(): Promise<Configuration> {
    const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks } = await openidClient()
    const { settings, fetch } = this.dependencies
    const issuer = new URL(settings.issuer)
    const isPlain = issuer.protocol === 'http:' && isThisMachine(issuer)
    const send: CustomFetch = (address, { method, headers, body }) =>
      fetch(address, { method, headers, body: textOf(body) })
    const configuration = await discovery(issuer, settings.clientId, settings.clientSecret, undefined, {
      execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
      [customFetch]: send,
      timeout: 10,
    })
    return configuration
  }
}

function userIn(claims: IDToken, known: UserInfoResponse | undefined, groupsClaim: string): OidcUser {
  const all: Record<string, unknown> = { ...known, ...claims }
  const { email, email_verified: isVerified, name, amr } = all
  // the ID token alone is signed for this sign-in
  const { auth_time: authTime } = claims
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: typeof email === 'string' && isVerified === true ? email.toLowerCase() : undefined,
    name: typeof name === 'string' ? name : undefined,
    groups: textsIn(all[groupsClaim]),
    authenticatedAgoMs: typeof authTime === 'number' ? (claims.iat - authTime) * 1000 : undefined,
    hasSecondFactor: textsIn(amr).includes('mfa'),
  }
}

const textsIn = (value: unknown): string[] =>
  [value].flat().filter((one): one is string => typeof one === 'string')

/** The client sends forms only. */
function textOf(body: unknown): string | undefined {
  if (body instanceof URLSearchParams) return body.toString()
  return typeof body === 'string' ? body : undefined
}
