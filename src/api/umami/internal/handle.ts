import { decodedPart, type PathParts, PathRouter } from '#http/router'
import { AccessRefusedError, type KeyViewer, type RequestOrigin } from '#projects/access'
import type { Product } from '#server/product'
import type { ApiResponse } from '../../endpoints'
import { passingTrouble, refusalStatuses } from '../../internal/failure-answers'
import { absentAt } from './absent'
import type { UmamiAddress } from './addresses'
import type { UmamiCall, UmamiEndpoint, UmamiOutcome } from './endpoint'
import { endpoints } from './endpoints'
import { isFilterName } from './filters'
import { userBody } from './websites'

interface UmamiApiRequest {
  method: string
  address: UmamiAddress
  query: URLSearchParams
  authorization: string | undefined
  /** The header x-umami-api-key, by which clients of Umami's cloud send a key. */
  apiKey: string | undefined
  /** Read only after the caller is authenticated, except for a sign-in. */
  body: () => Promise<Uint8Array>
  /** The announced length of the body; undefined where it is not announced. */
  bodyBytes: number | undefined
  origin: RequestOrigin
  signal?: AbortSignal
  receivedAt: Date
}

const router = new PathRouter(endpoints)

/** Answers what Umami's API is asked for with a secret key of a project; whatever is unknown gets JSON too. */
export async function handleUmamiRequest(request: UmamiApiRequest, product: Product): Promise<ApiResponse> {
  const { path } = request.address
  if (path === '/auth/login') return await signIn(request, product)
  if (path === '/heartbeat' && request.method === 'GET') return { status: 200, body: { ok: true } }
  // a website of this name would be a project with a key of six letters
  const matching = path === '/websites/charts' ? [] : router.all(path)
  const found = matching.find(({ entry }) => entry.method === request.method)
  if (!found) return matching.length > 0 ? methodNotAllowed(request.method, matching) : unknownAddress(path)
  const viewer = await viewerOf(keyIn(request), request, product)
  if (!viewer) return unauthenticated
  try {
    return await answer(found.entry, found.parts, request, viewer, product)
  } catch (problem) {
    return answerOf(problem)
  }
}

/** The parameters that change no number of any answer. */
const ignoredParameters: ReadonlySet<string> = new Set(['websiteId', '_', 'cache', 'cacheBuster', 'format'])

async function answer(
  endpoint: UmamiEndpoint,
  parts: PathParts,
  request: UmamiApiRequest,
  viewer: KeyViewer,
  product: Product,
): Promise<ApiResponse> {
  const { query } = request
  const project = product.projects.numbered(viewer.projectId)
  const isOwn = (website: string) =>
    project !== undefined && product.projects.named(website)?.id === project.id
  const website = parts['website']
  if (!project || (website !== undefined && !isOwn(decodedPart(website)))) return notFound
  const unknown = [...query.keys()].find((name) => !isKnown(name, endpoint))
  if (unknown !== undefined) return invalid(`Tilth does not know the parameter "${unknown}" here.`)
  const input = request.method === 'GET' ? {} : parsedInput(await request.body())
  if (!input) return invalid('The body is not a JSON object.')
  const named = input['websiteId']
  if (named !== undefined && (typeof named !== 'string' || !isOwn(named))) return notFound
  const call: UmamiCall = {
    product,
    viewer,
    project,
    version: request.address.version,
    input,
    query,
    signal: request.signal,
    now: request.receivedAt,
    part: (name) => decodedPart(parts[name] ?? ''),
  }
  return responseOf(await endpoint.handle(call))
}

const isKnown = (name: string, { query, takesFilters }: UmamiEndpoint): boolean =>
  ignoredParameters.has(name) ||
  (query?.includes(name) ?? false) ||
  (takesFilters === true && isFilterName(name))

/** More than a user name and a key: a sign-in is read from callers that are not known yet. */
const mostSignInBytes = 4096

/**
 * Umami signs in by name and password. Members of Tilth may have a second factor, which such a client cannot send, so
 * the password is a secret key of the project, and the token of the answer is that key.
 */
async function signIn(request: UmamiApiRequest, product: Product): Promise<ApiResponse> {
  if (request.method !== 'POST') return failed(405, 'method-not-allowed', 'Sign in by POST.')
  if (request.bodyBytes === undefined || request.bodyBytes > mostSignInBytes)
    return failed(413, 'payload-too-large', `Send a sign-in of at most ${mostSignInBytes} bytes.`)
  const { username, password } = parsedInput(await request.body()) ?? {}
  if (typeof username !== 'string' || typeof password !== 'string')
    return invalid('Send a username and, as the password, a secret key of the project.')
  const viewer = await viewerOf(password, request, product)
  const project = viewer && product.projects.numbered(viewer.projectId)
  if (!viewer || !project)
    return failed(
      401,
      'incorrect-username-password',
      'Send a secret key of the project as the password, with any user name. Create one in Settings → Keys.',
    )
  return { status: 200, body: { token: password, user: { ...userBody({ viewer, project }), teams: [] } } }
}

const viewerOf = async (
  key: string | undefined,
  { origin }: UmamiApiRequest,
  product: Product,
): Promise<KeyViewer | undefined> => (key ? await product.projects.keys.viewer(key, origin) : undefined)

const keyIn = ({ authorization, apiKey }: UmamiApiRequest): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? apiKey?.trim()

const mostLevels = 20

/** Stops at a maximum depth: filters and parameters are read level by level. */
function isShallow(value: unknown, levels = mostLevels): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1))
}

function parsedInput(body: Uint8Array): Record<string, unknown> | undefined {
  if (body.length === 0) return {}
  try {
    const parsed: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    return isObject && isShallow(parsed) ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}

function responseOf(outcome: UmamiOutcome): ApiResponse {
  if (outcome.done) return { status: 200, body: outcome.body }
  if ('missing' in outcome) return notFound
  return invalid(outcome.problems.map(({ message }) => message).join(' '))
}

/** Formats a failure as Umami does (src/lib/response.ts, c0ea3ae). */
const failed = (status: number, code: string, message: string): ApiResponse => ({
  status,
  body: { error: { message, code, status } },
})

const invalid = (message: string): ApiResponse => failed(400, 'bad-request', message)

const notFound = failed(
  404,
  'not-found',
  'Not found. A website is named by the write key of the project that the secret key belongs to, or by one of its other names.',
)

const unknownAddress = (path: string): ApiResponse => {
  const absent = absentAt(path)
  const why = absent === undefined ? `Tilth has nothing at ${path}.` : `Tilth has no ${absent}`
  return failed(404, 'not-found', `${why} docs/sdk-umami.md lists what it has of Umami’s API.`)
}

const methodNotAllowed = (method: string, matching: readonly { entry: UmamiEndpoint }[]): ApiResponse => ({
  ...failed(
    405,
    'method-not-allowed',
    `Umami’s API only reads here, so that "${method}" is not allowed: projects, keys and members are changed in the studio. docs/sdk-umami.md lists what Tilth has of it.`,
  ),
  headers: { allow: matching.map(({ entry }) => entry.method).join(', ') },
})

const unauthenticated: ApiResponse = {
  ...failed(
    401,
    'unauthorized',
    'Send a secret key of the project as "Authorization: Bearer tilth_…" or as "x-umami-api-key".',
  ),
  headers: { 'www-authenticate': 'Bearer' },
}

function answerOf(problem: unknown): ApiResponse {
  if (problem instanceof AccessRefusedError)
    return problem.reason === 'not-found'
      ? notFound
      : failed(refusalStatuses[problem.reason], 'forbidden', problem.message)
  const trouble = passingTrouble(problem, (status, { message }) => failed(status, 'server-error', message))
  if (trouble) return trouble
  throw problem
}
