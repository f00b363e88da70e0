import type { IncomingEvent, Json } from '#events/event'
import { basicAuthUser } from '../internal/basic-auth'
import { decodeTextBody, parseJson, unreadableBody, type Decoded } from '../decode-body'
import type { Dialect, UnopenedRequest, WireRequest, WireResponse, WireServices } from '../dialect'
import { parseBody } from '../posthog/internal/body'
import { defaultBounds, tooManyEventsError } from '../internal/json-slices'
import { corsHeaders, jsonResponse } from '../internal/responses'
import {
  acceptBatch,
  refuseUnlessKnown,
  refuseUnreadableBatch,
  refuseWithoutKey,
  type BatchResponses,
} from '../internal/accept-batch'
import { mixpanelEvent } from './events'
import { itemsIn, tokenNames, tokenOf } from './internal/items'
import { profileEvents } from './internal/profiles'

/** Mixpanel’s SDKs. PostHog’s old paths `/track` and `/engage` are Mixpanel’s as well. */
export const mixpanel: Dialect = {
  name: 'mixpanel',
  sendsAgain: true,
  routes: [
    {
      methods: ['POST'],
      path: '/groups',
      respond: receiveMixpanel,
      takesEvents: true,
      refuseEarly: refuseUnknownToken,
    },
    {
      methods: ['GET'],
      path: '/groups',
      matchesQuery: (query) => query.has('data'),
      respond: receiveMixpanel,
      takesEvents: true,
    },
    {
      methods: ['POST'],
      path: '/import',
      respond: receiveImport,
      takesEvents: true,
      refuseEarly: refuseUnknownImporter,
    },
  ],
}

/** Accepts events, and updates of persons and groups. */
export async function receiveMixpanel(request: WireRequest, services: WireServices): Promise<WireResponse> {
  const body = parseBody(request)
  if (!body.read) return refuseUnreadableBatch(body, services, responsesTo(request))
  const items = itemsIn(body.what)
  return acceptBatch(
    { key: tokenOf(items[0]), events: eventsOf(items, request) },
    request,
    services,
    responsesTo(request),
  )
}

/** Refuses a large body by the key of its first item, before it is uncompressed, or before it is parsed. */
export function refuseUnknownToken(
  { query, leading, content }: UnopenedRequest,
  services: WireServices,
): WireResponse | undefined {
  const responses = responsesTo({ query })
  const key = tokenOf(leading?.first)
  if (key !== undefined) return refuseUnlessKnown(key, services, responses)
  return content && refuseWithoutKey(content, tokenNames, services, responses)
}

function refuseUnknownImporter(
  { headers, leading, content }: UnopenedRequest,
  services: WireServices,
): WireResponse | undefined {
  const key = tokenOf(leading?.first) ?? (leading && basicAuthUser({ headers }))
  if (key !== undefined) return refuseUnlessKnown(key, services, importResponses())
  return content && refuseWithoutKey(content, tokenNames, services, importResponses())
}

/** Reads events. With `ip=0` the client asks not to be located. */
const eventsOf = (items: readonly Json[], { query }: WireRequest): IncomingEvent[] => {
  const events = items.flatMap((item) => profileEvents(item) ?? [mixpanelEvent(item)])
  return query.get('ip') === '0'
    ? events.map((event) => ({ ...event, properties: { ...event.properties, $geoip_disable: true } }))
    : events
}

/** Old events, as a list or one on each line. The key is in each event, or the user of Basic authorization. */
async function receiveImport(request: WireRequest, services: WireServices): Promise<WireResponse> {
  const body = await importedItems(request, services)
  if (!body.read) return refuseUnreadableBatch(body, services, importResponses())
  const user = basicAuthUser(request)
  return acceptBatch(
    {
      key: tokenOf(body.what[0]) ?? user,
      events: body.what.map(mixpanelEvent),
      envelope: { isHistorical: true },
    },
    request,
    services,
    importResponses(body.what.length),
  )
}

async function importedItems(
  request: WireRequest,
  { scheduler }: WireServices,
): Promise<Decoded<readonly Json[]>> {
  const body = parseBody(request)
  if (body.read) return { read: true, what: itemsIn(body.what) }
  const text = body.why === 'unreadable' ? decodeTextBody(request) : body
  return text.read ? await scheduler.run('lines of an import', itemsOnLines(text.what)) : text
}

/** About half a millisecond of work. */
const linesPerSlice = 64

function* itemsOnLines(text: string): Generator<void, Decoded<readonly Json[]>> {
  const items: Json[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (index % linesPerSlice === linesPerSlice - 1) yield
    if (line.trim() === '') continue
    if (items.length === defaultBounds.events) return tooManyEventsError(defaultBounds.events)
    const item = parseJson(line)
    if (!item.read) return unreadableBody(`Line ${index + 1} is not JSON.`)
    items.push(item.what)
  }
  return items.length > 0 ? { read: true, what: items } : unreadableBody('The body is empty.')
}

/** Returns the vendor's responses. With `verbose=1` in the address they are JSON, otherwise one digit. */
const responsesTo = ({ query }: Pick<WireRequest, 'query'>): BatchResponses => ({
  dialect: 'mixpanel',
  accepted: () =>
    query.get('verbose') === '1' ? jsonResponse(200, { status: 1, error: null }) : digitResponse(200, '1'),
  refused: (status, message) =>
    query.get('verbose') === '1'
      ? jsonResponse(status, { status: 0, error: message })
      : digitResponse(status, '0'),
})

const digitResponse = (status: number, body: '0' | '1'): WireResponse => ({
  status,
  headers: { ...corsHeaders, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body,
})

const importResponses = (count = 0): BatchResponses => ({
  dialect: 'mixpanel',
  accepted: ({ dropped }) =>
    jsonResponse(200, { code: 200, num_records_imported: count - dropped.length, status: 'OK' }),
  refused: (status, error) =>
    jsonResponse(status, { code: status, error, num_records_imported: 0, status: 'Bad Request' }),
})
