import { PathRouter } from '#http/router'
import { AccessRefusedError, type KeyViewer, type RequestOrigin } from '#projects/access'
import type { Outcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Product } from '#server/product'
import type { ApiResponse } from '../../endpoints'
import { passingTrouble } from '../../internal/failure-answers'
import type { StatsEndpoint } from './endpoint'
import { firstApiEndpoints } from './first-api'
import { queryEndpoint } from './query'

interface PlausibleApiRequest {
  method: string
  address: URL
  authorization: string | undefined
  /** Read only after the caller is authenticated. */
  body: () => Promise<Uint8Array>
  origin: RequestOrigin
  signal?: AbortSignal
  receivedAt: Date
}

const router = new PathRouter([...firstApiEndpoints, queryEndpoint])

/** Answers Plausible's Stats API with a secret key of a project. */
export async function handlePlausibleRequest(
  request: PlausibleApiRequest,
  product: Product,
): Promise<ApiResponse> {
  const { pathname } = request.address
  const matching = router.all(pathname.replace(/^\/api/, '').replace(/\/+$/, ''))
  if (matching.length === 0)
    return failed(
      404,
      `Tilth has nothing at ${pathname}. docs/sdk-plausible.md lists what it has of Plausible's API.`,
    )
  const found = matching.find(({ entry }) => entry.method === request.method)
  if (!found)
    return methodNotAllowed(
      request,
      matching.map(({ entry }) => entry),
    )
  const viewer = await authenticate(request, product)
  if (!viewer) return unauthenticated(request)
  try {
    return await answer(found.entry, request, viewer, product)
  } catch (problem) {
    return answerOf(problem)
  }
}

async function answer(
  endpoint: StatsEndpoint,
  request: PlausibleApiRequest,
  viewer: KeyViewer,
  product: Product,
): Promise<ApiResponse> {
  const input = endpoint.method === 'GET' ? parametersIn(request.address) : bodyOf(await request.body())
  if (!input) return failed(400, 'The body is not a JSON object, or it is nested too deep.')
  const site = input['site_id']
  if (typeof site !== 'string' || site === '')
    return failed(400, 'Missing site ID. Please provide the required site_id parameter with your request.')
  const project = projectNamed(site, viewer, product)
  if (!project) return unknownSite
  const [scope, goals] = await Promise.all([
    product.insights.scope(project.id, viewer),
    product.insights.goals.list(project.id, viewer),
  ])
  const call = { product, viewer, project, scope, goals, signal: request.signal }
  return responseOf(await endpoint.handle({ call, site, input, now: request.receivedAt }))
}

/** A parameter that comes twice is the last of them, as in Plausible. */
const parametersIn = ({ searchParams }: URL): Record<string, unknown> => Object.fromEntries(searchParams)

/** A site is the project of the key: by its write key or another name, its host, or the slug of its address. */
function projectNamed(site: string, { projectId }: KeyViewer, { projects }: Product): Project | undefined {
  const own = projects.numbered(projectId)
  if (!own || own.archivedAt) return undefined
  if (site === own.slug || site === String(own.id)) return own
  return (projects.named(site) ?? projects.at(site))?.id === own.id ? own : undefined
}

const mostLevels = 100

function bodyOf(body: Uint8Array): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    return isObject && isShallow(parsed) ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}

/** Stops at a maximum depth: filters are read level by level. */
function isShallow(value: unknown, levels = mostLevels): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1))
}

function responseOf(outcome: Outcome<{ body: unknown }>): ApiResponse {
  if (outcome.done) return { status: 200, body: outcome.body }
  return failed(400, outcome.problems.map(({ message }) => message).join(' '))
}

async function authenticate(
  { authorization, origin }: PlausibleApiRequest,
  product: Product,
): Promise<KeyViewer | undefined> {
  const [, text] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  return text ? await product.projects.keys.viewer(text, origin) : undefined
}

const failed = (status: number, error: string): ApiResponse => ({ status, body: { error } })

const unauthorized = (error: string): ApiResponse => ({
  ...failed(401, error),
  headers: { 'www-authenticate': 'Bearer' },
})

/** Plausible does not tell a wrong key from a site of others. */
const unknownSite = unauthorized(
  'Invalid API key or site ID. Use a secret key of the project, and its domain, write key or another of its names as site_id.',
)

const unauthenticated = ({ authorization, address }: PlausibleApiRequest): ApiResponse => {
  if (authorization !== undefined) return unknownSite
  return address.searchParams.has('auth')
    ? unauthorized('Tilth has no `auth` of shared links. Send a secret key of the project as a Bearer Token.')
    : unauthorized('Missing API key. Send a secret key of the project as a Bearer Token.')
}

function methodNotAllowed({ method }: PlausibleApiRequest, matching: readonly StatsEndpoint[]): ApiResponse {
  const allow = matching.map((one) => one.method).join(', ')
  return { ...failed(405, `${method} is not answered here; ${allow} is.`), headers: { allow } }
}

function answerOf(problem: unknown): ApiResponse {
  if (problem instanceof AccessRefusedError) return unauthorized(problem.message)
  const trouble = passingTrouble(problem, (status, { message }) => failed(status, message))
  if (trouble) return trouble
  throw problem
}
