import { hash } from 'node:crypto'
import type { Decision } from '#flags/decision'
import type { Decisions } from '#flags/flag-decider'
import { matchesEtag, jsonResponse, jsonTextResponse, notModifiedResponse } from '../internal/responses'
import type { WireServices, Dialect, WireResponse, WireRequest } from '../dialect'
import { flagPayload } from '../internal/flag-payload'
import { decideWithForcedFlags } from '../forced-flags'
import { parseContext } from './internal/context'
import { admit, type OfrepAccess } from './internal/access'
import { failureResponse } from './internal/failures'
import { resultOf, serializedResult } from './internal/results'

/** The protocol of OpenFeature's remote providers: https://openfeature.dev/specification, OFREP 0.3. */
export const ofrep: Dialect = {
  name: 'ofrep',
  routes: [
    { methods: ['POST'], path: '/ofrep/v1/evaluate/flags', respond: requireAccess(evaluateAll) },
    { methods: ['POST'], path: '/ofrep/v1/evaluate/flags/{key}', respond: requireAccess(evaluateOne) },
  ],
}

type OfrepHandler = (
  request: WireRequest,
  entry: OfrepAccess,
  services: WireServices,
) => WireResponse | Promise<WireResponse>

function requireAccess(handler: OfrepHandler) {
  return (request: WireRequest, services: WireServices): WireResponse | Promise<WireResponse> => {
    const admission = admit(request, services)
    if (admission instanceof Promise)
      return admission.then((late) =>
        late.isAdmitted ? handler(request, late.access, services) : late.response,
      )
    return admission.isAdmitted ? handler(request, admission.access, services) : admission.response
  }
}

function evaluateOne(
  request: WireRequest,
  access: OfrepAccess,
  services: WireServices,
): WireResponse | Promise<WireResponse> {
  const key = request.parts['key'] ?? ''
  const parsed = parseContext(request, access, [key])
  if (!parsed.read) return failureResponse(400, { key, ...parsed.failure })
  const respond = (decisions: Decisions): WireResponse => {
    const [decision] = permittedDecisions(decisions, access, services)
    return decision?.flag.key === key ? respondWithOne(decision, access) : notFound(key)
  }
  const decisions = decideWithForcedFlags(parsed.asking, request, services)
  return decisions instanceof Promise ? decisions.then(respond) : respond(decisions)
}

function respondWithOne(decision: Decision, { environment }: OfrepAccess): WireResponse {
  const result = resultOf(decision, environment)
  return jsonResponse(result.errorCode === undefined ? 200 : 500, result)
}

const notFound = (key: string): WireResponse =>
  failureResponse(404, {
    key,
    errorCode: 'FLAG_NOT_FOUND',
    errorDetails: `This key gives access to no flag "${key}".`,
  })

function evaluateAll(
  request: WireRequest,
  access: OfrepAccess,
  services: WireServices,
): WireResponse | Promise<WireResponse> {
  const parsed = parseContext(request, access)
  if (!parsed.read) return failureResponse(400, parsed.failure)
  const respond = (decisions: Decisions): WireResponse =>
    respondWithAll(permittedDecisions(decisions, access, services), request, access)
  const decisions = decideWithForcedFlags(parsed.asking, request, services)
  return decisions instanceof Promise ? decisions.then(respond) : respond(decisions)
}

/**
 * The entity tag covers the results, because the same definitions give different results for different visitors. A
 * client that responds to a change message always gets the full body: another process may not have loaded the change
 * yet, and would wrongly answer 304.
 */
function respondWithAll(
  decisions: readonly Decision[],
  request: WireRequest,
  access: OfrepAccess,
): WireResponse {
  const results = decisions.map((decision) => serializedResult(decision, access.environment)).join(',')
  const text = `{"flags":[${results}],"eventStreams":[${eventStreamOf(request, access)}]}`
  const etag = `"${hash('sha1', text, 'base64url')}"`
  const headers = { etag, 'cache-control': 'private, no-cache' }
  const asksAfterChange = request.query.has('flagConfigEtag')
  return !asksAfterChange && matchesEtag(request.headers['if-none-match'], etag)
    ? notModifiedResponse(headers)
    : jsonTextResponse(200, text, headers)
}

/** The URL of the change stream, below the path prefix of this request. */
const eventStreamOf = ({ prefix }: WireRequest, { project }: OfrepAccess): string =>
  JSON.stringify({
    type: 'sse',
    endpoint: { requestUri: `${prefix}/_tilth/flags/stream?key=${encodeURIComponent(keyOf(project))}` },
    inactivityDelaySec: 120,
  })

const keyOf = ({ environmentKey, writeKey }: OfrepAccess['project']): string => environmentKey ?? writeKey

/** Removes secret flags unless the request has a secret key, which opens their payloads. */
function permittedDecisions(
  { decisions }: Decisions,
  access: OfrepAccess,
  services: WireServices,
): readonly Decision[] {
  if (!decisions.some(({ flag }) => flag.isSecret)) return decisions
  if (!access.hasSecret) return decisions.filter(({ flag }) => !flag.isSecret)
  return decisions.map((decision) =>
    decision.flag.isSecret ? withOpenPayload(decision, access, services) : decision,
  )
}

/** A payload that cannot be opened is an error, not a missing value. */
function withOpenPayload(decision: Decision, { environment }: OfrepAccess, services: WireServices): Decision {
  const storedPayload = flagPayload(decision.flag, environment, decision.value)
  if (storedPayload === undefined) return decision
  const payload = services.openPayload(decision.flag, storedPayload)
  const reason =
    payload === undefined ? ({ code: 'undecided', condition: undefined } as const) : decision.reason
  return { ...decision, payload, reason }
}
