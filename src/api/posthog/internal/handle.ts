import { AccessRefusedError, type KeyViewer, type RequestOrigin } from '#projects/access'
import { decodedPart, type PathParts, PathRouter } from '#http/router'
import type { Product } from '#server/product'
import type { ApiResponse } from '../../endpoints'
import { otherProductHint } from '../../internal/other-products'
import { passingTrouble, refusalStatuses } from '../../internal/failure-answers'
import { absentAt } from './absent'
import { endpoints } from './endpoints'
import type { PosthogCall, PosthogEndpoint, PosthogOutcome } from './endpoint'

interface PosthogApiRequest {
  method: string
  address: URL
  authorization: string | undefined
  /** Read only after the caller is authenticated. */
  body: () => Promise<Uint8Array>
  origin: RequestOrigin
  signal?: AbortSignal
  receivedAt: Date
}

const router = new PathRouter(endpoints)

/** Answers what PostHog's API is asked for with a secret key of a project; whatever is unknown gets JSON too. */
export async function handlePosthogRequest(
  request: PosthogApiRequest,
  product: Product,
): Promise<ApiResponse> {
  const matching = router.all(pathIn(request.address))
  if (matching.length === 0) return unknownAddress(request.address.pathname)
  const found = matching.find(({ entry }) => entry.method === request.method)
  if (!found)
    return methodNotAllowed(
      request.method,
      matching.map(({ entry }) => entry),
    )
  const viewer = await authenticate(request, product)
  if (!viewer) return unauthenticated(request.authorization)
  try {
    return await answer(found.entry, found.parts, request, viewer, product)
  } catch (problem) {
    return answerOf(problem)
  }
}

/** An environment of PostHog's is a project here. */
const pathIn = ({ pathname }: URL): string =>
  pathname
    .replace(/^\/api/, '')
    .replace(/\/+$/, '')
    .replace(/^\/environments(?=\/|$)/, '/projects')

async function answer(
  endpoint: PosthogEndpoint,
  parts: PathParts,
  request: PosthogApiRequest,
  viewer: KeyViewer,
  product: Product,
): Promise<ApiResponse> {
  const { searchParams: query } = request.address
  const unknown = [...query.keys()].find(
    (name) =>
      !commonParameters.has(name) &&
      !endpoint.query?.includes(name) &&
      !endpoint.ignoredQuery?.includes(name),
  )
  if (unknown !== undefined) return invalid(`Tilth does not know the parameter "${unknown}" here.`, unknown)
  const input = request.method === 'GET' ? {} : parsedInput(await request.body())
  if (!input) return invalid('The body is not a JSON object.', null, 'invalid_json')
  if (!isShallow(input))
    return invalid(`The body is nested more than ${mostLevels} times.`, null, 'invalid_json')
  const named = parts['project'] === undefined ? '@current' : decodedPart(parts['project'])
  const call: PosthogCall = {
    product,
    viewer,
    project: product.projects.find(named === '@current' ? String(viewer.projectId) : named, viewer),
    input,
    query,
    address: request.address,
    signal: request.signal,
    now: request.receivedAt,
    part: (name) => decodedPart(parts[name] ?? ''),
  }
  return responseOf(await endpoint.handle(call), endpoint)
}

const mostLevels = 100

/** Stops at a maximum depth: filters and queries are read level by level. */
function isShallow(value: unknown, levels = mostLevels): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1))
}

const commonParameters: ReadonlySet<string> = new Set(['format', 'personal_api_key', 'token', 'basic'])

function responseOf(outcome: PosthogOutcome, { status = 200 }: PosthogEndpoint): ApiResponse {
  if (outcome.done) return { status, body: outcome.body }
  if ('missing' in outcome) return notFound
  const [first] = outcome.problems
  const detail = outcome.problems.map(({ message }) => message).join(' ')
  return invalid(detail, first?.field ?? null)
}

/** Keys are sent as Bearer, or in the address, as PostHog's oldest scripts do. */
async function authenticate(
  { authorization, address, origin }: PosthogApiRequest,
  product: Product,
): Promise<KeyViewer | undefined> {
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  const text = bearer ?? address.searchParams.get('personal_api_key')
  return text ? await product.projects.keys.viewer(text, origin) : undefined
}

function parsedInput(body: Uint8Array): Record<string, unknown> | undefined {
  if (body.length === 0) return {}
  try {
    const parsed: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    return isObject ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}

/** Formats a failure as PostHog does (posthog/exceptions.py). */
const failed = (status: number, type: string, code: string, detail: string, attr: string | null = null) => ({
  status,
  body: { type, code, detail, attr },
})

const invalid = (detail: string, attr: string | null, code = 'invalid_input'): ApiResponse =>
  failed(400, 'validation_error', code, detail, attr)

const notFound = failed(404, 'invalid_request', 'not_found', 'Not found.')

const unknownAddress = (path: string): ApiResponse => {
  const absent = absentAt(path)
  const hint = absent === undefined ? otherProductHint(path) : undefined
  const why = absent === undefined ? `Tilth has nothing at ${path}.` : `Tilth has no ${absent}`
  return failed(
    404,
    'invalid_request',
    'not_found',
    hint ?? `${why} docs/posthog.md lists what it has of PostHog's API.`,
  )
}

function methodNotAllowed(method: string, matching: readonly PosthogEndpoint[]): ApiResponse {
  const { changedBy } = matching[0] ?? {}
  const where =
    changedBy === undefined
      ? 'docs/posthog.md lists what Tilth has of PostHog’s API.'
      : `Tilth’s own API changes this: /api/v1/projects/{project}/${changedBy}.`
  return {
    ...failed(405, 'invalid_request', 'method_not_allowed', `Method "${method}" not allowed. ${where}`),
    headers: { allow: matching.map((one) => one.method).join(', ') },
  }
}

const unauthenticated = (authorization: string | undefined): ApiResponse => ({
  ...(authorization === undefined
    ? failed(
        401,
        'authentication_error',
        'not_authenticated',
        'Authentication credentials were not provided. Send a secret key of the project as "Authorization: Bearer tilth_…".',
      )
    : failed(
        401,
        'authentication_error',
        'authentication_failed',
        'Personal API key found in request Authorization header is invalid. Use a secret key of the project.',
      )),
  headers: { 'www-authenticate': 'Bearer' },
})

function answerOf(problem: unknown): ApiResponse {
  if (problem instanceof AccessRefusedError)
    return problem.reason === 'not-found'
      ? notFound
      : failed(refusalStatuses[problem.reason], 'authentication_error', 'permission_denied', problem.message)
  const trouble = passingTrouble(problem, (status, { message }) =>
    failed(status, 'server_error', 'error', message),
  )
  if (trouble) return trouble
  throw problem
}
