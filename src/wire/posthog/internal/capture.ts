import type { DropReason, IncomingEvent } from '#events/event'
import { droppedHeader, jsonResponse } from '../../internal/responses'
import type {
  WireServices,
  ResolvedProject,
  DeferredReceipt,
  AcceptedReceipt,
  WireResponse,
  WireRequest,
} from '../../dialect'
import { tooManyEventsError, defaultBounds } from '../../internal/json-slices'
import { parseBody } from './body'
import { type CaptureBatch, parseCaptureBatch, keysIn } from './capture-batch'
import { incomingEvent } from '../events'
import { bearerToken } from '../../internal/bearer-token'
import { refusalResponse, refuseKey, refuseMixedKeys, refuseUnreadable } from '../refusals'
import { envelopeOf } from './envelope'

/** The result of parsing a capture request. */
type CaptureRequest =
  | { isValid: true; project: ResolvedProject; batch: CaptureBatch }
  | { isValid: false; response: WireResponse }

/** Accepts events at any of the capture addresses. It responds 200 only once every accepted event is on disk. */
export async function capture(request: WireRequest, services: WireServices): Promise<WireResponse> {
  const parsed = parseCaptureRequest(request, services)
  if (!parsed.isValid) return parsed.response
  const { project, batch } = parsed
  const envelope = envelopeOf(request, batch, project)
  if (batch.isHistorical) envelope.hasSecretKey = await hasSecretKey(request, project, services)
  const receipt = await services.accept(namedEvents(batch, request), envelope)
  return receipt.taken ? acceptedResponse(receipt, batch) : busyResponse(receipt)
}

/** Whether the headers show a secret key of the project, beside its write key in the body or the address. */
async function hasSecretKey(
  request: WireRequest,
  { id }: ResolvedProject,
  services: WireServices,
): Promise<boolean> {
  const secret = bearerToken(request)
  return secret !== undefined && (await services.findProjectBySecret(secret))?.id === id
}

/** Counts each piece of a session recording and discards it. */
export async function captureReplay(request: WireRequest, services: WireServices): Promise<WireResponse> {
  const parsed = parseCaptureRequest(request, services)
  if (!parsed.isValid) return parsed.response
  const { project, batch } = parsed
  const receipt = await services.accept(
    batch.events.map(() => snapshot),
    envelopeOf(request, batch, project),
  )
  return receipt.taken ? jsonResponse(200, { status: 'Ok' }, droppedHeader(receipt)) : busyResponse(receipt)
}

const snapshot: IncomingEvent = { ...incomingEvent({ event: '$snapshot' }), hasPerson: false }

/** Reads the body, and finds the project by the given key, or else by the keys in the body. */
export function parseCaptureRequest(
  request: WireRequest,
  services: WireServices,
  key?: string,
): CaptureRequest {
  const body = parseBody(request)
  if (!body.read) return refusedCapture(refuseUnreadable(body, services))
  const parsed = parseCaptureBatch(body.what)
  const batch = { ...parsed, key: key ?? parsed.key }
  if (batch.events.length > defaultBounds.events)
    return refusedCapture(refuseUnreadable(tooManyEventsError(defaultBounds.events), services))
  if (batch.events.length > 0) return captureForProject(batch, request, services)
  services.noteRefusal({ dialect: 'posthog', reason: 'unreadable' })
  return refusedCapture(refusalResponse('empty', 'The request holds no event.'))
}

/** A project may have several keys; the events of one request must be of one project. */
function captureForProject(
  batch: CaptureBatch,
  request: WireRequest,
  services: WireServices,
): CaptureRequest {
  const keys = keysIn(batch, [request.query.get('token'), request.query.get('api_key'), bearerToken(request)])
  const [key] = keys
  const project = key === undefined ? undefined : services.findProject(key)
  if (!keys.every((other) => other === key || (project && services.findProject(other)?.id === project.id)))
    return refusedCapture(refuseMixedKeys(keys, project, services))
  return project ? { isValid: true, project, batch } : refusedCapture(refuseKey(key, services))
}

const refusedCapture = (answer: WireResponse): CaptureRequest => ({ isValid: false, response: answer })

function* namedEvents({ events }: CaptureBatch, { path }: WireRequest): Generator<IncomingEvent> {
  for (const event of events) yield withDefaultName(incomingEvent(event), path)
}

/** Requests to `/engage` concern a person and often have no event name: the oldest SDKs relied on the address. */
const withDefaultName = (event: IncomingEvent, path: string): IncomingEvent =>
  event.name === '' && path === '/engage' ? { ...event, name: '$identify' } : event

/** Reasons that make an event invalid. A request with nothing else is refused, so that its developer notices. */
export const invalidEventReasons: ReadonlySet<DropReason> = new Set([
  'no-name',
  'no-distinct-id',
  'malformed',
  'too-large',
])

function acceptedResponse(receipt: AcceptedReceipt, { events }: CaptureBatch): WireResponse {
  const { dropped } = receipt
  if (dropped.some(({ reason }) => reason === 'over-quota')) return overQuotaResponse(receipt)
  const [first] = dropped
  const isFaulty =
    first &&
    dropped.length === events.length &&
    dropped.every(({ reason }) => invalidEventReasons.has(reason))
  const headers = droppedHeader(receipt)
  if (!isFaulty) return jsonResponse(200, { status: 'Ok' }, headers)
  const answer = dropped.every(({ reason }) => reason === 'too-large')
    ? refusalResponse('too-large', 'An event is larger than 1 MB. Send less with it.')
    : refusalResponse('no-event', 'Every event needs "event", its name, and "distinct_id", whose it is.')
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

/** SDKs pause for a minute after this response and discard the events they would have sent. */
const overQuotaResponse = (receipt: AcceptedReceipt): WireResponse =>
  jsonResponse(200, { status: 1, quota_limited: ['events'] }, droppedHeader(receipt))

/** Only 503 works: SDKs discard events after any 4xx, and take any other 2xx for success. */
export const busyResponse = ({ retryAfterSeconds }: DeferredReceipt): WireResponse =>
  jsonResponse(
    503,
    {
      type: 'server_error',
      code: 'busy',
      detail: 'Events cannot be written down just now. Send them again.',
      attr: null,
    },
    { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  )
