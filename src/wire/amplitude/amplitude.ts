import type { Json, Properties } from '#events/event'
import {
  decodeJsonBody,
  decodeTextBody,
  isProperties,
  parseJson,
  unreadableBody,
  type Decoded,
} from '../decode-body'
import type { Dialect, WireRequest, WireResponse, WireServices } from '../dialect'
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
import { amplitudeEvent } from './events'

/** Amplitude’s SDKs, and requests of its HTTP API. Its address `/batch` is PostHog’s as well. */
export const amplitude: Dialect = {
  name: 'amplitude',
  sendsAgain: true,
  routes: [
    {
      methods: ['POST'],
      path: '/2/httpapi',
      respond: receiveAmplitude,
      takesEvents: true,
      refuseEarly: ({ leading, content }, services) => {
        const key = leading?.next === 'events' ? leading.texts.get('api_key')?.trim() : undefined
        const refused = key ? refuseUnlessKnown(key, services, refusals) : undefined
        return refused ?? (content && refuseWithoutKey(content, ['api_key'], services, refusals))
      },
    },
    { methods: ['POST'], path: '/identify', respond: receiveForm('$identify'), takesEvents: true },
    { methods: ['POST'], path: '/groupidentify', respond: receiveForm('$groupidentify'), takesEvents: true },
  ],
}

/** Whether a body for `/batch` has the form of Amplitude’s. */
export const isAmplitudeBody = (body: Json): boolean =>
  isProperties(body) && Array.isArray(body['events']) && !Object.hasOwn(body, 'batch')

export async function receiveAmplitude(request: WireRequest, services: WireServices): Promise<WireResponse> {
  const body = decodeJsonBody(request)
  if (!body.read) return refuseUnreadableBatch(body, services, responsesTo(request))
  if (!isProperties(body.what) || !isAmplitudeBody(body.what)) {
    const malformed = unreadableBody(
      'Send {"api_key": "…", "events": [{"event_type": "…", "user_id": "…"}]}.',
    )
    return refuseUnreadableBatch(malformed, services, responsesTo(request))
  }
  return accept(body.what, listOf(body.what['events']), request, services)
}

/** The oldest addresses take a form with JSON in it. */
function receiveForm(type: '$identify' | '$groupidentify') {
  return async (request: WireRequest, services: WireServices): Promise<WireResponse> => {
    const text = decodeTextBody(request)
    const form = text.read ? formOf(text.what) : text
    if (!form.read) return refuseUnreadableBatch(form, services, responsesTo(request))
    const { identification = [] } = form.what
    const items = (Array.isArray(identification) ? identification : [identification]).map((item) =>
      isProperties(item) ? { ...item, event_type: type } : item,
    )
    return accept(form.what, items, request, services)
  }
}

function formOf(text: string): Decoded<Properties> {
  const form = new URLSearchParams(text)
  const items = parseJson(form.get('identification') ?? '')
  if (!items.read) return unreadableBody('Send a form with "api_key", and "identification" as JSON.')
  return { read: true, what: { api_key: form.get('api_key'), identification: items.what } }
}

function accept(
  fields: Properties,
  items: readonly Json[],
  request: WireRequest,
  services: WireServices,
): Promise<WireResponse> {
  return acceptBatch(
    {
      key: textField(fields, 'api_key'),
      events: items.map(amplitudeEvent),
      envelope: { sentAt: parseTime(fields['client_upload_time']) },
    },
    request,
    services,
    responsesTo(request, items.length),
  )
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/**
 * Amplitude’s SDKs send everything again after a 400, unless it names a missing field or an invalid key; then they
 * discard it.
 */
const refusals: Pick<BatchResponses, 'dialect' | 'refused'> = {
  dialect: 'amplitude',
  refused: (status, message) => {
    if (status === 413) return jsonResponse(413, { code: 413, error: message })
    if (status === 401) return jsonResponse(400, { code: 400, error: `Invalid API key. ${message}` })
    return jsonResponse(400, { code: 400, error: message, missing_field: 'event_type' })
  },
}

const responsesTo = ({ body, receivedAt }: WireRequest, count = 0): BatchResponses => ({
  accepted: () =>
    jsonResponse(200, {
      code: 200,
      events_ingested: count,
      payload_size_bytes: body.length,
      server_upload_time: receivedAt.getTime(),
    }),
  ...refusals,
})
