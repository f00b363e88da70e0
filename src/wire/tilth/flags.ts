import type { Json, Properties } from '#events/event'
import type { Decisions } from '#flags/flag-decider'
import { mainEnvironment } from '#flags/flag'
import { jsonResponse, jsonTextResponse } from '../internal/responses'
import type { FlagRequest, WireServices, ResolvedProject, WireResponse, WireRequest } from '../dialect'
import { memoizePerDecision } from '../internal/memoize-per-decision'
import { trackerEnvelope } from '../internal/tracker-events'
import { decideWithForcedFlags } from '../forced-flags'
import { isProperties, parseJson, decodeJsonBody, type Decoded } from '../decode-body'
import {
  groupPropertiesOf,
  groupsOf,
  requestingHost,
  idOf,
  isVisitorUserAgent,
  propertiesOf,
  textsOf,
} from '../internal/read-identity'
import { sameOriginVisitor } from './internal/visitor-cookie'
import { refuseUnknownProject } from './refusals'

/**
 * Responds with flag values, their payloads, and the keys that could not be decided, for a script of a few lines. All
 * parameters are optional: the page's host identifies the project, and the visitor may have no id.
 */
export function respondWithFlags(
  request: WireRequest,
  services: WireServices,
): WireResponse | Promise<WireResponse> {
  const body = parseRequest(request)
  if (!body.read || !isProperties(body.what)) return unreadableResponse(body)
  const fields = body.what
  const key = idOf(fields['key']) || undefined
  const host = requestingHost(request)
  const project = key === undefined ? services.findProjectByHost(host) : services.findProject(key)
  if (!project) return refuseUnknownProject(services, key, host || undefined)
  const decisions = decideWithForcedFlags(readFlagRequest(fields, request, project), request, services)
  const respond = (ready: Decisions): WireResponse =>
    flagsResponse(ready, project, fields['versions'] === true)
  return decisions instanceof Promise ? decisions.then(respond) : respond(decisions)
}

/** A GET request has the parameters in the address, a POST request in the body. */
function parseRequest(request: WireRequest): Decoded<Json> {
  if (request.method === 'POST') return decodeJsonBody(request)
  const { query } = request
  const properties = parseJson(query.get('properties') ?? '{}')
  if (!properties.read) return properties
  const flags = query.get('flags')?.split(',') ?? null
  const parameter = (name: string): string | null => query.get(name)
  return {
    read: true,
    what: {
      key: parameter('key'),
      distinctId: parameter('distinct_id'),
      deviceId: parameter('device_id'),
      anonymousId: parameter('anonymous_id'),
      properties: properties.what,
      flags,
    },
  }
}

const unreadableResponse = (body: Decoded<Json>): WireResponse =>
  jsonResponse(400, { error: body.read ? 'Send an object with "key" and "distinctId".' : body.detail })

function readFlagRequest(fields: Properties, request: WireRequest, project: ResolvedProject): FlagRequest {
  const sentId = idOf(fields['distinctId']) || idOf(fields['distinct_id'])
  // the id that the page's events get
  const visitor = sentId === '' ? sameOriginVisitor(request) : undefined
  return {
    environment: project.environment ?? mainEnvironment,
    distinctId: sentId || visitor,
    deviceId: idOf(fields['deviceId']) || visitor,
    anonymousId: idOf(fields['anonymousId']) || undefined,
    groups: groupsOf(fields['groups']),
    person: propertiesOf(fields['properties']),
    groupProperties: groupPropertiesOf(fields['groupProperties']),
    keys: textsOf(fields['flags']),
    contexts: textsOf(fields['contexts']),
    host: requestingHost(request),
    mayLocate: true,
    envelope: trackerEnvelope(request, project, {
      dialect: 'tilth',
      fromServer: !isVisitorUserAgent(request.headers['user-agent'] ?? ''),
    }),
  }
}

const serializeDecision = memoizePerDecision(({ flag, value, payload, reason }) => {
  const name = JSON.stringify(flag.key)
  return {
    name,
    value: reason.code === 'undecided' ? undefined : `${name}:${JSON.stringify(value)}`,
    // the payload is JSON already
    payload: value === false || payload === undefined ? undefined : `${name}:${payload}`,
  }
})

function flagsResponse(
  { decisions }: Decisions,
  { environment = mainEnvironment }: ResolvedProject,
  withVersions: boolean,
): WireResponse {
  const versions = withVersions ? `,"versions":{${serializeVersions(decisions)}}` : ''
  return jsonTextResponse(200, `{${serializeDecisions(decisions, environment)}${versions}}`)
}

/** The versions of the flags whose decisions may be kept, and reported as exposures. Previews may not. */
const serializeVersions = (decisions: Decisions['decisions']): string =>
  decisions
    .filter(({ flag, reason }) => !flag.isSecret && reason.code !== 'undecided' && reason.code !== 'forced')
    .map(({ flag }) => `${JSON.stringify(flag.key)}:${flag.version}`)
    .join()

/**
 * Writes the members `flags`, `payloads` and `undecided` of a JSON object. Omits secret flags, which only servers with a
 * secret key may request, at other endpoints.
 */
export function serializeDecisions(decisions: Decisions['decisions'], environment: string): string {
  const serialized = decisions
    .filter(({ flag }) => !flag.isSecret)
    .map((decision) => serializeDecision(decision, environment))
  const values = serialized.flatMap(({ value }) => value ?? [])
  const payloads = serialized.flatMap(({ payload }) => payload ?? [])
  const undecided = serialized.flatMap(({ name, value }) => (value === undefined ? [name] : []))
  return `"flags":{${values.join()}},"payloads":{${payloads.join()}},"undecided":[${undecided.join()}]`
}
