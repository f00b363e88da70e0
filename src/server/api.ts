import { EngineError } from '../engine/engine'
import { type Origin, Refused, type RefusalReason, type Viewer } from '../projects/access'
import type { Undone } from '../projects/problems'
import { annotationEndpoints } from './api/annotations'
import { alertEndpoints } from './api/alerts'
import { auditEndpoints } from './api/audit'
import { dashboardEndpoints } from './api/dashboards'
import { type Call, done, type Endpoint } from './api/endpoint'
import { eventEndpoints } from './api/events'
import { flagGuardEndpoints } from './api/flag-guards'
import { flagEndpoints } from './api/flags'
import { insightEndpoints } from './api/insights'
import { keyEndpoints } from './api/keys'
import { memberEndpoints } from './api/members'
import { describe } from './api/openapi'
import { personEndpoints } from './api/persons'
import { postEndpoints } from './api/posts'
import { projectEndpoints } from './api/projects'
import { queryEndpoints } from './api/query'
import { shareEndpoints } from './api/shares'
import { tryingLinkEndpoints } from './api/trying-links'
import { webEndpoints } from './api/web'
import type { Product } from './product'

/** The whole management API. What is not in this list is not there. */
export const endpoints: readonly Endpoint[] = [
  ...projectEndpoints,
  ...memberEndpoints,
  ...keyEndpoints,
  ...eventEndpoints,
  ...queryEndpoints,
  ...insightEndpoints,
  ...dashboardEndpoints,
  ...shareEndpoints,
  ...annotationEndpoints,
  ...webEndpoints,
  ...personEndpoints,
  ...alertEndpoints,
  ...flagEndpoints,
  ...flagGuardEndpoints,
  ...tryingLinkEndpoints,
  ...postEndpoints,
  ...auditEndpoints,
]

export interface ApiRequest {
  method: string
  /** Below /api/v1. */
  path: string
  query: URLSearchParams
  authorization: string | undefined
  /** Read only once it is known who asks. */
  body: () => Promise<Uint8Array>
  origin: Origin
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal
}

export interface ApiAnswer {
  status: number
  headers?: Record<string, string>
  body: unknown
}

const description = describe(endpoints)

export async function answerApi(request: ApiRequest, product: Product): Promise<ApiAnswer> {
  if (request.path === '/openapi.json') return { status: 200, body: description }
  const viewer = await keyHolder(request, product)
  if (!viewer) return unauthorized
  const matching = endpoints.filter((endpoint) => partsIn(request.path, endpoint.path))
  const endpoint = matching.find(({ method }) => method === request.method)
  if (endpoint) return await answer(endpoint, request, viewer, product)
  return matching.length > 0
    ? wrongMethod(request, matching)
    : failure(404, 'not-found', `There is nothing at ${request.path}.`)
}

async function keyHolder(
  { authorization, origin }: ApiRequest,
  product: Product,
): Promise<Viewer | undefined> {
  const [, text] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  return text ? await product.keys.viewer(text, origin) : undefined
}

const unauthorized: ApiAnswer = {
  ...failure(
    401,
    'unauthorized',
    'Send a secret key of the project as "Authorization: Bearer tilth_…". Create one in Settings → Keys.',
  ),
  headers: { 'www-authenticate': 'Bearer' },
}

async function answer(
  endpoint: Endpoint,
  request: ApiRequest,
  viewer: Viewer,
  product: Product,
): Promise<ApiAnswer> {
  const input = endpoint.input ? asJson(await request.body()) : done(undefined)
  if (!input.done) return failure(400, 'bad-request', 'The body is not JSON.')
  try {
    const outcome = await endpoint.answer(callOf(endpoint, request, input.body, viewer, product))
    return outcome.done ? { status: endpoint.status ?? 200, body: outcome.body } : unprocessable(outcome)
  } catch (problem) {
    if (problem instanceof Refused) return failure(statuses[problem.reason], problem.reason, problem.message)
    if (problem instanceof EngineError && problem.failure !== 'rejected') return busy(problem)
    throw problem
  }
}

/** Passing trouble, all of it: the question was fine. One the engine rejects is a mistake of ours, and goes on up. */
const busy = ({ failure: code, message }: EngineError): ApiAnswer => ({
  ...failure(code === 'deadline' ? 504 : 503, code, message),
  headers: { 'retry-after': '2' },
})

/** A key never has to confirm a password, so the last one cannot happen here; the compiler wants it said. */
const statuses: Record<RefusalReason, number> = {
  'not-found': 404,
  'not-allowed': 403,
  'confirm-password': 403,
}

function callOf(
  endpoint: Endpoint,
  request: ApiRequest,
  input: unknown,
  viewer: Viewer,
  product: Product,
): Call {
  const parts = partsIn(request.path, endpoint.path) ?? {}
  const part = (name: string): string => parts[name] ?? ''
  return {
    product,
    viewer,
    input,
    query: request.query,
    signal: request.signal,
    part,
    project: () => product.projects.find(part('project'), viewer),
  }
}

function asJson(body: Uint8Array): { done: true; body: unknown } | { done: false } {
  try {
    return done(body.length === 0 ? {} : JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)))
  } catch {
    return { done: false }
  }
}

/** /projects/acme against /projects/{project} gives { project: 'acme' }; undefined where they do not fit. */
function partsIn(path: string, pattern: string): Record<string, string> | undefined {
  const given = path.split('/')
  const wanted = pattern.split('/')
  if (given.length !== wanted.length) return undefined
  const parts: Record<string, string> = {}
  for (const [index, want] of wanted.entries()) {
    const have = given[index] ?? ''
    if (!want.startsWith('{') && want !== have) return undefined
    if (want.startsWith('{')) parts[want.slice(1, -1)] = decodeURIComponent(have)
  }
  return parts
}

function wrongMethod({ method, path }: ApiRequest, matching: readonly Endpoint[]): ApiAnswer {
  const allow = matching.map((endpoint) => endpoint.method).join(', ')
  return {
    ...failure(405, 'method-not-allowed', `${method} is not answered at ${path}; ${allow} is.`),
    headers: { allow },
  }
}

const unprocessable = ({ problems }: Undone): ApiAnswer => ({
  status: 422,
  body: {
    error: { code: 'unprocessable', message: problems.map(({ message }) => message).join(' '), problems },
  },
})

export function failure(status: number, code: string, message: string): ApiAnswer {
  return { status, body: { error: { code, message } } }
}
