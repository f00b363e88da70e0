import type { Json, Properties } from '#events/event'
import { basicAuthUser } from '../internal/basic-auth'
import { decodeJsonBody, isProperties, unreadableBody, type Decoded } from '../decode-body'
import type { Dialect, UnopenedRequest, WireRequest, WireResponse, WireRoute, WireServices } from '../dialect'
import { parseTime } from '../posthog/time'
import { jsonResponse } from '../internal/responses'
import {
  acceptBatch,
  refuseUnlessKnown,
  refuseUnreadableBatch,
  refuseWithoutKey,
  type BatchResponses,
} from '../internal/accept-batch'
import { textField } from '../read-fields'
import { noteUnknownProject } from '../internal/tracker-events'
import { messageTypes, segmentEvent } from './events'

const responses: BatchResponses = {
  dialect: 'segment',
  accepted: () => jsonResponse(200, { success: true }),
  refused: (status, message) =>
    jsonResponse(status, {
      success: false,
      code: status === 401 ? 'unauthorized' : 'invalid_request',
      message,
    }),
}

/** Browsers call each type by its first letter, servers by its name. */
const messagePaths = messageTypes.flatMap((type): [WireRoute['path'], string][] => [
  [`/v1/${type}`, type],
  [`/v1/${type.charAt(0)}`, type],
])

const routeOf = (path: WireRoute['path'], respond: WireRoute['respond']): WireRoute => ({
  methods: ['POST'],
  path,
  respond,
  takesEvents: true,
  refuseEarly: refuseUnknownKey,
})

/** Segment's libraries for browsers, servers and apps, and those that are compatible with them, such as RudderStack. */
export const segment: Dialect = {
  name: 'segment',
  sendsAgain: true,
  routes: [
    ...messagePaths.map(([path, type]) =>
      routeOf(path, (request, services) => receive(request, services, { type })),
    ),
    routeOf('/v1/b', receive),
    routeOf('/v1/batch', receive),
    routeOf('/v1/import', (request, services) => receive(request, services, { isHistorical: true })),
    { methods: ['GET'], path: '/v1/projects/{key}/settings', respond: respondWithSettings },
  ],
}

interface Address {
  /** The type of a message that does not name its own. */
  type?: string
  isHistorical?: boolean
}

async function receive(
  request: WireRequest,
  services: WireServices,
  { type, isHistorical = false }: Address = {},
): Promise<WireResponse> {
  const body = decodeJsonBody(request)
  const delivery = body.read ? deliveryIn(body.what, type) : body
  if (!delivery.read) return refuseUnreadableBatch(delivery, services, responses)
  const { fields, messages } = delivery.what
  return acceptBatch(
    {
      key: basicKey(request, services) ?? textField(fields, 'writeKey') ?? keyOfFirst(messages),
      events: messages.map((message) => segmentEvent(message, type)),
      envelope: { sentAt: parseTime(fields['sentAt']), isHistorical },
    },
    request,
    services,
    responses,
  )
}

/**
 * Refuses a large body by the key in the headers or before its events. Libraries that send one in the headers write it
 * first in the body, or not at all.
 */
function refuseUnknownKey(
  { headers, leading, content }: UnopenedRequest,
  services: WireServices,
): WireResponse | undefined {
  const user = basicAuthUser({ headers })
  if (!leading || (user !== undefined && services.findProject(user))) return undefined
  const shown = leading.texts.get('writeKey') ?? user
  if (shown !== undefined) return refuseUnlessKnown(shown, services, responses)
  return content && refuseWithoutKey(content, ['writeKey'], services, responses)
}

/** A page may send its key in both places; a proxy may use the header for itself. */
function basicKey(request: WireRequest, services: WireServices): string | undefined {
  const user = basicAuthUser(request)
  return user !== undefined && services.findProject(user) ? user : undefined
}

const keyOfFirst = ([message]: readonly Json[]): string | undefined =>
  isProperties(message) ? textField(message, 'writeKey') : undefined

interface Delivery {
  fields: Properties
  messages: readonly Json[]
}

/** Reads a body. Any address accepts both a batch and a single message. */
function deliveryIn(body: Json, type: string | undefined): Decoded<Delivery> {
  if (!isProperties(body)) return unreadableBody('Send a JSON object.')
  const { batch } = body
  if (Array.isArray(batch)) return { read: true, what: { fields: body, messages: batch } }
  return (type ?? body['type']) === undefined
    ? unreadableBody('Send {"batch": [{"type": "track", "event": "…", "userId": "…"}]}.')
    : { read: true, what: { fields: body, messages: [body] } }
}

/** The browser library sends nothing before it has these settings, and sends with the key they name. */
function respondWithSettings({ parts }: WireRequest, services: WireServices): WireResponse {
  const { key = '' } = parts
  if (!services.findProject(key)) {
    noteUnknownProject(services, responses.dialect, key)
    return jsonResponse(404, { success: false, message: 'Unknown project key.' })
  }
  return jsonResponse(200, {
    integrations: { 'Segment.io': { apiKey: key, unbundledIntegrations: [], addBundledMetadata: true } },
    plan: { track: { __default: { enabled: true, integrations: {} } } },
    edgeFunction: {},
    middlewareSettings: {},
    enabledMiddleware: {},
    metrics: { sampleRate: 0 },
    remotePlugins: [],
  })
}
