import { banditEndpoints } from './internal/bandits'
import type { EngineError } from '#engine/engine'
import { failure } from '#http/api-failure'
import { decodedPart, type PathParts, PathRouter } from '#http/router'
import { annotationCollection } from '#insights/annotations/annotations'
import { savedMetricCollection } from '#experiments/metrics/saved-metrics'
import { definitionCollection } from '#insights/catalogue/definitions'
import { goalCollection } from '#insights/goals/goals'
import { personListCollection } from '#insights/people/person-lists'
import { segmentCollection } from '#insights/segments/segments'
import { type RequestOrigin, AccessRefusedError, type KeyViewer } from '#projects/access'
import type { FailedOutcome, Outcome } from '#projects/problems'
import type { Project } from '#projects/project'
import { alertEndpoints } from './internal/alerts'
import { auditEndpoints } from './internal/audit'
import { collectionEndpoints } from './internal/collection-endpoints'
import { dashboardEndpoints } from './internal/dashboards'
import { type EndpointCall, success, type Endpoint } from './internal/endpoint'
import { eventEndpoints } from './internal/events'
import { passingTrouble, refusalStatuses } from './internal/failure-answers'
import { experimentPlanningEndpoints } from './internal/experiment-planning'
import { experimentProgrammeEndpoints } from './internal/experiment-programme'
import { experimentEndpoints } from './internal/experiments'
import { exportEndpoints } from './internal/exports'
import { flagGuardEndpoints } from './internal/flag-guards'
import { flagEndpoints } from './internal/flags'
import { importEndpoints } from './internal/imports'
import { insightEndpoints } from './internal/insights'
import { keyEndpoints } from './internal/keys'
import { newsletterEndpoints } from './internal/letters'
import { memberEndpoints } from './internal/members'
import { describe } from './internal/openapi'
import { personEndpoints } from './internal/persons'
import { imageEndpoints } from './internal/images'
import { postEndpoints } from './internal/posts'
import { projectEndpoints } from './internal/projects'
import { queryEndpoints } from './internal/query'
import { searchEndpoints } from './internal/search'
import { surveyLinkEndpoints } from './internal/survey-links'
import { surveyResultEndpoints } from './internal/survey-results'
import { shareEndpoints } from './internal/shares'
import { otherProductHint } from './internal/other-products'
import { overrideLinkEndpoints } from './internal/override-links'
import { surveyEndpoints } from './internal/surveys'
import { surveyMailingEndpoints } from './internal/survey-mailings'
import { surveyWebhookEndpoints } from './internal/survey-webhooks'
import { unknownFields, unknownParameters } from './internal/unknown-fields'
import type { Product } from '#server/product'

/** The whole management API. What is not in this list is not there. */
export const endpoints: readonly Endpoint[] = [
  ...projectEndpoints,
  ...memberEndpoints,
  ...keyEndpoints,
  ...eventEndpoints,
  ...exportEndpoints,
  ...importEndpoints,
  ...queryEndpoints,
  ...searchEndpoints,
  ...insightEndpoints,
  ...dashboardEndpoints,
  ...shareEndpoints,
  ...surveyLinkEndpoints,
  ...surveyMailingEndpoints,
  ...surveyWebhookEndpoints,
  ...surveyResultEndpoints,
  ...collectionEndpoints(annotationCollection, ({ insights }) => insights.annotations),
  ...collectionEndpoints(goalCollection, ({ insights }) => insights.goals),
  ...collectionEndpoints(segmentCollection, ({ insights }) => insights.segments),
  ...collectionEndpoints({ ...personListCollection, pathName: 'person-list' }, ({ people }) => people.lists),
  ...collectionEndpoints(definitionCollection, ({ insights }) => insights.definitions),
  ...personEndpoints,
  ...alertEndpoints,
  ...flagEndpoints,
  ...flagGuardEndpoints,
  ...overrideLinkEndpoints,
  ...experimentEndpoints,
  ...banditEndpoints,
  ...collectionEndpoints(
    { ...savedMetricCollection, pathName: 'saved-metric' },
    ({ experiments }) => experiments.metrics,
  ),
  ...experimentPlanningEndpoints,
  ...experimentProgrammeEndpoints,
  ...surveyEndpoints,
  ...postEndpoints,
  ...imageEndpoints,
  ...newsletterEndpoints,
  ...auditEndpoints,
]

interface ApiRequest {
  method: string
  /** Below /api/v1. */
  path: string
  query: URLSearchParams
  authorization: string | undefined
  /** Read only after the caller is authenticated. */
  body: () => Promise<Uint8Array>
  origin: RequestOrigin
  /** Aborted when the client disconnects. */
  signal?: AbortSignal
}

export interface ApiResponse {
  status: number
  headers?: Record<string, string>
  body: unknown
  /** Why the engine did not answer, for the log: the answer itself names no file and no machine. */
  trouble?: EngineError
}

const router = new PathRouter(endpoints)

let description: unknown

/** Made at the first request for it: writing every schema down takes a start a fifth of a second. */
const apiDescription = (): unknown => (description ??= describe(endpoints))

export async function handleApiRequest(request: ApiRequest, product: Product): Promise<ApiResponse> {
  if (request.path === '/openapi.json') return { status: 200, body: apiDescription() }
  const matching = router.all(request.path)
  // before the key is asked for: a reader of another product has a key of that product
  const hint = matching.length === 0 ? otherProductHint(`/api/v1${request.path}`) : undefined
  if (hint !== undefined) return failure(404, 'not-found', hint)
  const viewer = await authenticateKey(request, product)
  if (!viewer) return unauthorized
  const found = matching.find(({ entry }) => entry.method === request.method)
  if (found) return await callEndpoint(found.entry, found.parts, request, viewer, product)
  return matching.length > 0
    ? methodNotAllowed(
        request,
        matching.map(({ entry }) => entry),
      )
    : failure(404, 'not-found', `There is nothing at ${request.path}.`)
}

async function authenticateKey(
  { authorization, origin }: ApiRequest,
  product: Product,
): Promise<KeyViewer | undefined> {
  const [, text] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  return text ? await product.projects.keys.viewer(text, origin) : undefined
}

const unauthorized: ApiResponse = {
  ...failure(
    401,
    'unauthorized',
    'Send a secret key of the project as "Authorization: Bearer tilth_…". Create one in Settings → Keys.',
  ),
  headers: { 'www-authenticate': 'Bearer' },
}

async function callEndpoint(
  endpoint: Endpoint,
  parts: PathParts,
  request: ApiRequest,
  viewer: KeyViewer,
  product: Product,
): Promise<ApiResponse> {
  try {
    const json = endpoint.input ? await request.body() : new Uint8Array()
    const call = callFor(parts, request, viewer, product)
    const early = request.query.size === 0 ? await endpoint.handleJson?.(call, json) : undefined
    if (early) return responseOf(endpoint, early)
    const input = endpoint.input ? parseJsonBody(json) : success(undefined)
    if (!input.done) return failure(400, 'bad-request', 'The body is not JSON.')
    const refused = refusalOf(endpoint, input.body, request.query)
    if (refused) return invalidInputResponse(refused)
    return responseOf(endpoint, await endpoint.handle({ ...call, input: input.body }))
  } catch (problem) {
    if (problem instanceof AccessRefusedError)
      return failure(refusalStatuses[problem.reason], problem.reason, problem.message)
    const trouble = passingTrouble(problem, (status, { failure: kind, message }) =>
      failure(status, kind, message),
    )
    if (trouble) return trouble
    throw problem
  }
}

const responseOf = ({ status = 200 }: Endpoint, outcome: Outcome<{ body: unknown }>): ApiResponse =>
  outcome.done ? { status, body: outcome.body } : failedResponse(outcome)

function refusalOf(endpoint: Endpoint, input: unknown, query: URLSearchParams): FailedOutcome | undefined {
  const refused = endpoint.refusalOf?.(input)
  if (refused) return refused
  const problems = [
    ...unknownParameters(endpoint.query, query),
    ...(endpoint.input ? unknownFields(endpoint.input, input) : []),
  ]
  return problems.length > 0 ? { done: false, problems } : undefined
}

function callFor(
  parts: PathParts,
  request: ApiRequest,
  viewer: KeyViewer,
  product: Product,
): Omit<EndpointCall, 'input'> {
  const part = (name: string): string => decodedPart(parts[name] ?? '')
  return {
    product,
    viewer,
    query: request.query,
    signal: request.signal,
    pathParameter: part,
    project: () => ownProject(part('project'), viewer, product),
  }
}

/** A key knows its own project by any scope; each method of the product checks the scope it needs. */
function ownProject(name: string, { projectId }: KeyViewer, { projects }: Product): Project {
  const own = projects.numbered(projectId)
  if (own && [own.slug, String(own.id)].includes(name)) return own
  throw new AccessRefusedError('not-found', 'There is no such project.')
}

function parseJsonBody(body: Uint8Array): { done: true; body: unknown } | { done: false } {
  try {
    return success(
      body.length === 0 ? {} : JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)),
    )
  } catch {
    return { done: false }
  }
}

function methodNotAllowed({ method, path }: ApiRequest, matching: readonly Endpoint[]): ApiResponse {
  const allow = matching.map((endpoint) => endpoint.method).join(', ')
  return {
    ...failure(405, 'method-not-allowed', `${method} is not answered at ${path}; ${allow} is.`),
    headers: { allow },
  }
}

const failedResponse = (outcome: FailedOutcome): ApiResponse =>
  outcome.isMissing ? failure(404, 'not-found', messageOf(outcome)) : invalidInputResponse(outcome)

const messageOf = ({ problems }: FailedOutcome): string => problems.map(({ message }) => message).join(' ')

const invalidInputResponse = (outcome: FailedOutcome): ApiResponse => ({
  status: 422,
  body: { error: { code: 'unprocessable', message: messageOf(outcome), problems: outcome.problems } },
})
