import type { Json } from '#events/event'
import {
  decodeJsonBody,
  decodeTextBody,
  isProperties,
  unreadableBody,
  type UnreadableBody,
} from '../decode-body'
import type { Dialect, ResolvedProject, WireRequest, WireResponse, WireServices } from '../dialect'
import { defaultBounds, tooManyEventsError } from '../internal/json-slices'
import { corsHeaders, jsonResponse } from '../internal/responses'
import {
  acceptBatch,
  refuseUnlessKnown,
  refuseUnreadableBatch,
  type BatchResponses,
} from '../internal/accept-batch'
import { findProjectForPage } from '../internal/tracker-events'
import { protocolEvents } from './internal/measurement-protocol'
import { tagEvent, tagEvents, writeKeyParam } from './internal/tag'
import { validate, type ValidationMessage } from './internal/validation'

/** GA4: the tag in pages, servers by the Measurement Protocol, and its validation. */
export const ga4: Dialect = {
  name: 'ga4',
  routes: [
    {
      methods: ['POST'],
      path: '/mp/collect',
      respond: collect,
      takesEvents: true,
      refuseEarly: (request, services) => refuseUnlessKnown(knownKey(request, services), services, responses),
    },
    { methods: ['POST'], path: '/debug/mp/collect', respond: debug },
    {
      methods: ['GET', 'POST'],
      path: '/g/collect',
      matchesQuery: (query) => query.get('v') === '2',
      respond: collectTag,
      takesEvents: true,
    },
  ],
}

const noContent: WireResponse = { status: 204, headers: { ...corsHeaders, 'cache-control': 'no-store' } }

const responses: BatchResponses = {
  dialect: 'ga4',
  accepted: () => noContent,
  refused: (status, description) =>
    messagesResponse(status, [
      {
        fieldPath: status === 401 ? 'measurement_id' : '',
        description,
        validationCode: 'VALUE_INVALID',
      },
    ]),
}

const messagesResponse = (status: number, validationMessages: readonly ValidationMessage[]): WireResponse =>
  jsonResponse(status, { validationMessages })

/** The names that a sender of the Measurement Protocol has for its project. */
const keysIn = ({ query }: Pick<WireRequest, 'query'>): string[] =>
  ['measurement_id', 'firebase_app_id', 'api_secret'].flatMap((name) => query.get(name) ?? [])

const knownKey = (request: Pick<WireRequest, 'query'>, services: WireServices): string | undefined => {
  const keys = keysIn(request)
  return keys.find((key) => services.findProject(key)) ?? keys[0]
}

async function collect(request: WireRequest, services: WireServices): Promise<WireResponse> {
  const body = decodeJsonBody(request)
  const objection = body.read ? shapeObjection(body.what) : body
  if (objection) return refuseUnreadableBatch(objection, services, responses)
  const fields = body.read && isProperties(body.what) ? body.what : {}
  return acceptBatch(
    { key: knownKey(request, services), events: protocolEvents(fields) },
    request,
    services,
    responses,
  )
}

const shapeObjection = (body: Json): UnreadableBody | undefined =>
  isProperties(body) && Array.isArray(body['events'])
    ? undefined
    : unreadableBody('Send {"client_id": "…", "events": [{"name": "…", "params": {}}]}.')

/** Google’s limit of a body. */
const mostBytes = 130 * 1024

/** Stores nothing. */
function debug(request: WireRequest, services: WireServices): WireResponse {
  const body = decodeJsonBody(request)
  if (!body.read) return messagesResponse(200, [invalid('', body.detail)])
  const key = knownKey(request, services)
  const isKnown = key !== undefined && services.findProject(key) !== undefined
  return messagesResponse(200, [
    ...(isKnown ? [] : [invalid('measurement_id', unknownId)]),
    ...(request.body.length > mostBytes ? [invalid('', 'A request has at most 130 kB.')] : []),
    ...validate(body.what, request.receivedAt),
  ])
}

const invalid = (fieldPath: string, description: string): ValidationMessage => ({
  fieldPath,
  description,
  validationCode: 'VALUE_INVALID',
})

const unknownId =
  'Unknown project. Use its write key as measurement_id or api_secret, or add the measurement id to its aliases.'

async function collectTag(request: WireRequest, services: WireServices): Promise<WireResponse> {
  const body = decodeTextBody(request)
  if (!body.read) return refuseUnreadableBatch(body, services, responses)
  const queries = tagEvents(request.query, body.what)
  if (queries.length > defaultBounds.events)
    return refuseUnreadableBatch(tooManyEventsError(defaultBounds.events), services, responses)
  return acceptBatch(
    {
      key: request.query.get('tid') ?? undefined,
      project: projectOfTag(queries[0], services),
      events: queries.map(tagEvent),
    },
    request,
    services,
    responses,
  )
}

/** The tag names Google’s measurement id, which the project may have as an alias. */
function projectOfTag(
  query: URLSearchParams | undefined,
  services: WireServices,
): ResolvedProject | undefined {
  const names = [writeKeyParam, 'tid'].map((name) => query?.get(name) ?? undefined)
  return findProjectForPage(services, names, query?.get('dl') ?? undefined)
}
