import { mainEnvironment } from '#flags/flag'
import { matchesEtag, jsonResponse, jsonTextResponse, notModifiedResponse } from '../../internal/responses'
import type { WireServices, WireResponse, WireRequest } from '../../dialect'
import { flagPayload } from '../../internal/flag-payload'
import { bearerToken } from '../../internal/bearer-token'
import { refusalResponse } from '../refusals'

/** Definitions contain rules about people, so a public write key may not read them. */
export async function respondWithDefinitions(
  request: WireRequest,
  services: WireServices,
): Promise<WireResponse> {
  const access = await checkAccess(request, services)
  if (!access.isAdmitted) return access.response
  const { text, etag } = services.flagDefinitions(access.projectId, access.environment)
  // weak, because a proxy may compress the response
  const headers = { etag: `W/"${etag}"`, 'cache-control': 'private, must-revalidate' }
  return matchesEtag(request.headers['if-none-match'], headers.etag)
    ? notModifiedResponse(headers)
    : jsonTextResponse(200, text, headers)
}

/**
 * Responds with a remote configuration, which is the same for all visitors, secret ones included. Empty if the flag
 * has none.
 */
export async function respondWithPayload(
  request: WireRequest,
  services: WireServices,
): Promise<WireResponse> {
  const access = await checkAccess(request, services)
  if (!access.isAdmitted) return access.response
  const key = request.parts['key'] ?? ''
  const flag = services.flagsOf(access.projectId).find((one) => one.key === key)
  if (!flag) return notFoundResponse(`There is no flag "${key}".`)
  const storedPayload = flagPayload(flag, access.environment, true)
  const payload = storedPayload === undefined ? undefined : services.openPayload(flag, storedPayload)
  return storedPayload !== undefined && payload === undefined
    ? unreadableSecretResponse(key)
    : payloadResponse(payload)
}

/** SDKs decode the response as JSON, and then the payload in it once more. */
const payloadResponse = (payload: string | undefined): WireResponse =>
  payload === undefined ? jsonTextResponse(200, '') : jsonResponse(200, payload)

const notFoundResponse = (detail: string): WireResponse =>
  jsonResponse(404, { type: 'invalid_request', code: 'not_found', detail, attr: null })

const unreadableSecretResponse = (key: string): WireResponse =>
  jsonResponse(500, {
    type: 'server_error',
    code: 'unreadable_secret',
    detail:
      `The secret of "${key}" was sealed with a key that is not in this data folder. ` +
      'Restore flags.key from the data folder in which it was created, or enter the value again.',
    attr: null,
  })

type DefinitionsAccess =
  | { isAdmitted: true; projectId: number; environment: string }
  | { isAdmitted: false; response: WireResponse }

/**
 * Finds the project of the secret key. The address may also name a write key of the same project; then its environment
 * counts.
 */
async function checkAccess(request: WireRequest, services: WireServices): Promise<DefinitionsAccess> {
  const secret = bearerToken(request)
  const project = secret === undefined ? undefined : await services.findProjectBySecret(secret)
  if (!project) return { isAdmitted: false, response: missingSecretResponse }
  const key = request.query.get('token')
  const keyProject = key ? services.findProject(key) : project
  if (keyProject?.id !== project.id) return { isAdmitted: false, response: mismatchedKeysResponse }
  return { isAdmitted: true, projectId: project.id, environment: keyProject.environment ?? mainEnvironment }
}

const missingSecretResponse = refusalResponse(
  'unknown-key',
  'Send a secret key of this project: Authorization: Bearer … (Settings → Keys).',
)

const mismatchedKeysResponse = refusalResponse(
  'foreign-key',
  'The secret key and the project key are of two projects. Take both from the same one.',
)
