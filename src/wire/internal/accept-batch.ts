import type { Envelope, IncomingEvent } from '#events/event'
import type { AcceptedReceipt, ResolvedProject, WireRequest, WireResponse, WireServices } from '../dialect'
import type { UnreadableBody } from '../decode-body'
import { defaultBounds, tooManyEventsError } from './json-slices'
import { invalidEventReasons } from '../posthog/internal/capture'
import { isWithoutKey, textsUnder } from './shown-keys'
import { isVisitorUserAgent } from './read-identity'
import { droppedHeader } from './responses'
import { noteUnknownProject, retryLaterResponse, trackerEnvelope } from './tracker-events'

/** The events of one request, all of one project. */
export interface EventBatch {
  key: string | undefined
  /** The project, if another name than the key tells it. */
  project?: ResolvedProject | undefined
  events: readonly IncomingEvent[]
  /** The body's own claims about how the events arrived. */
  envelope?: Partial<Envelope>
}

/** The responses of one vendor's server. */
export interface BatchResponses {
  dialect: string
  accepted: (receipt: AcceptedReceipt) => WireResponse
  refused: (status: 400 | 401 | 413, message: string) => WireResponse
}

/** Stores a batch, or refuses it in the words of its vendor. */
export async function acceptBatch(
  { key, events, envelope, ...batch }: EventBatch,
  request: WireRequest,
  services: WireServices,
  responses: BatchResponses,
): Promise<WireResponse> {
  const { dialect } = responses
  const project = batch.project ?? (key === undefined ? undefined : services.findProject(key))
  if (!project) return refuseUnknownProject(key, services, responses)
  if (events.length > defaultBounds.events)
    return refuseUnreadableBatch(tooManyEventsError(defaultBounds.events), services, responses)
  const fromServer = !isVisitorUserAgent(request.headers['user-agent'] ?? '')
  const receipt = await services.accept(
    events,
    trackerEnvelope(request, project, { dialect, fromServer, ...envelope }),
  )
  if (!receipt.taken) return retryLaterResponse(receipt)
  const response = isWhollyInvalid(receipt, events.length)
    ? responses.refused(400, invalidMessages(receipt))
    : responses.accepted(receipt)
  return { ...response, headers: { ...response.headers, ...droppedHeader(receipt) } }
}

/** Refuses a request whose key no project has. */
function refuseUnknownProject(
  key: string | undefined,
  services: WireServices,
  { dialect, refused }: Pick<BatchResponses, 'dialect' | 'refused'>,
): WireResponse {
  noteUnknownProject(services, dialect, key)
  return refused(401, unknownKeyMessage(key))
}

/** Refuses before the body is uncompressed; undefined for a key that a project has. */
export const refuseUnlessKnown = (
  key: string | undefined,
  services: WireServices,
  responses: Pick<BatchResponses, 'dialect' | 'refused'>,
): WireResponse | undefined =>
  key !== undefined && services.findProject(key) ? undefined : refuseUnknownProject(key, services, responses)

/** Refuses a large body that shows no key of a project, before it is parsed. */
export function refuseWithoutKey(
  content: Uint8Array,
  names: readonly string[],
  services: WireServices,
  responses: Pick<BatchResponses, 'dialect' | 'refused'>,
): WireResponse | undefined {
  const isKnown = (key: string): boolean => services.findProject(key) !== undefined
  return isWithoutKey(content, names, isKnown)
    ? refuseUnknownProject(textsUnder(names, content).next().value ?? undefined, services, responses)
    : undefined
}

/** Refuses a body that cannot be read. */
export function refuseUnreadableBatch(
  { why, detail }: UnreadableBody,
  services: WireServices,
  { dialect, refused }: BatchResponses,
): WireResponse {
  services.noteRefusal({ dialect, reason: why === 'too-large' ? 'too-large' : 'unreadable' })
  return refused(why === 'too-large' ? 413 : 400, detail)
}

const unknownKeyMessage = (key: string | undefined): string =>
  key === undefined
    ? 'No project key was sent. Copy it from Settings → Project.'
    : `Unknown project key "${key.slice(0, 12)}". Copy it from Settings → Project.`

/** A request with nothing but invalid events is refused, so that its developer notices. */
const isWhollyInvalid = ({ dropped }: AcceptedReceipt, count: number): boolean =>
  count > 0 && dropped.length === count && dropped.every(({ reason }) => invalidEventReasons.has(reason))

function invalidMessages({ dropped }: AcceptedReceipt): string {
  return dropped.every(({ reason }) => reason === 'too-large')
    ? 'An event is larger than 1 MB. Send less with it.'
    : 'No event is valid: each needs a name, and the id of a user or a device.'
}
