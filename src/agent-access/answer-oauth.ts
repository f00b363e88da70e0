import type { RequestBody } from '#http/body'
import { answerJson } from '#http/json-response'
import type { Exchange } from '#http/trusted-request'
import { requestOrigin } from '#projects/origin'
import type { AgentAccess } from './agent-access'
import { issuerAt, mcpPath, oauthPaths } from './addresses'
import type { OAuthRefusal } from './internal/clients'

/** Documents that describe this server; a page of any site may read them, as any program may. */
const described = { 'access-control-allow-origin': '*' }

/** Says where a client signs in (RFC 9728). */
export function answerResourceMetadata(
  { response, trustedRequest }: Exchange,
  addresses: readonly URL[],
): void {
  const issuer = issuerAt(trustedRequest.host, addresses)
  const metadata = {
    resource: issuer + mcpPath,
    resource_name: 'Tilth',
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
  }
  answerJson(response, 200, metadata, described)
}

/** Says how a client signs in (RFC 8414). */
export function answerServerMetadata(
  { response, trustedRequest }: Exchange,
  addresses: readonly URL[],
): void {
  const issuer = issuerAt(trustedRequest.host, addresses)
  const metadata = {
    issuer,
    authorization_endpoint: issuer + oauthPaths.authorize,
    token_endpoint: issuer + oauthPaths.token,
    registration_endpoint: issuer + oauthPaths.register,
    revocation_endpoint: issuer + oauthPaths.revoke,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  }
  answerJson(response, 200, metadata, described)
}

interface OAuthServices {
  agentAccess: AgentAccess
}

/** Registers a client (RFC 7591). All clients are public: a secret would be in every copy of the program. */
export async function answerRegistration(
  { response }: Exchange,
  body: RequestBody,
  { agentAccess }: OAuthServices,
): Promise<void> {
  const registered = await agentAccess.clients.register(jsonIn(await body.read()))
  if (!registered.granted) return refuse(response, 400, registered)
  const { client, createdAt } = registered
  answerJson(response, 201, {
    client_id: client.id,
    client_id_issued_at: Math.floor(createdAt.getTime() / 1000),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  })
}

/** Exchanges a code or a refresh token for an access token. */
export async function answerToken(
  exchange: Exchange,
  body: RequestBody,
  { agentAccess }: OAuthServices,
): Promise<void> {
  const { response } = exchange
  const granted = await agentAccess.tokens.exchange(formIn(await body.read()), originOf(exchange))
  if (!granted.granted) return refuse(response, 400, granted)
  const { accessToken, refreshToken, expiresInSeconds, level } = granted
  answerJson(response, 200, {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: expiresInSeconds,
    refresh_token: refreshToken,
    scope: level,
  })
}

/** Ends what a token allows (RFC 7009). */
export async function answerRevocation(
  exchange: Exchange,
  body: RequestBody,
  { agentAccess }: OAuthServices,
): Promise<void> {
  await agentAccess.tokens.revoke(formIn(await body.read()), originOf(exchange))
  answerJson(exchange.response, 200, {})
}

const originOf = ({ request, trustedRequest: { client: address, requestId } }: Exchange) =>
  requestOrigin({ address, userAgent: request.headers['user-agent'] ?? '', requestId })

function refuse(response: Exchange['response'], status: number, { error, why }: OAuthRefusal): void {
  answerJson(response, status, { error, error_description: why })
}

/** A parameter that comes twice counts as absent (RFC 6749, section 3.2). */
function formIn(bytes: Buffer): Record<string, string> {
  const form = new URLSearchParams(bytes.toString('utf8'))
  return Object.fromEntries([...form].filter(([name]) => form.getAll(name).length === 1))
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
