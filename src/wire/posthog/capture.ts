import type { DropReason, IncomingEvent } from '../../events/event'
import { droppedHeader, json } from '../answers'
import type { Desk, NamedProject, NotTaken, Taken, WireAnswer, WireRequest } from '../dialect'
import { bodyOf } from './body'
import { type Delivery, deliveryOf, keysOf } from './delivery'
import { incomingEvent } from './events'
import { bearerOf } from '../keys'
import { refusal, refuseKey, refuseMixedKeys, refuseUnreadable } from './refusals'
import { envelopeOf } from './sender'

/** What a request to capture turned out to be. */
export type Captured =
  | { understood: true; project: NamedProject; delivery: Delivery }
  | { understood: false; answer: WireAnswer }

/** Events by any of the addresses that take them. Answered 200 when every kept one is on disk, and never before. */
export async function capture(request: WireRequest, desk: Desk): Promise<WireAnswer> {
  const captured = understand(request, desk)
  if (!captured.understood) return captured.answer
  const { project, delivery } = captured
  const receipt = await desk.take(
    delivery.events.map((event) => named(incomingEvent(event), request.path)),
    envelopeOf(request, delivery, project),
  )
  return receipt.taken ? answerTaken(receipt, delivery) : answerBusy(receipt)
}

/** Recordings of sessions are counted, one for each piece, and forgotten. */
export async function captureReplay(request: WireRequest, desk: Desk): Promise<WireAnswer> {
  const captured = understand(request, desk)
  if (!captured.understood) return captured.answer
  const { project, delivery } = captured
  const receipt = await desk.take(
    delivery.events.map(() => snapshot),
    envelopeOf(request, delivery, project),
  )
  return receipt.taken ? json(200, { status: 'Ok' }, droppedHeader(receipt)) : answerBusy(receipt)
}

const snapshot: IncomingEvent = { ...incomingEvent({ event: '$snapshot' }), hasPerson: false }

/** Reads the body, and finds the project of the key: the one given, or else those that the body names. */
export function understand(request: WireRequest, desk: Desk, key?: string): Captured {
  const body = bodyOf(request)
  if (!body.read) return refused(refuseUnreadable(body, desk))
  const said = deliveryOf(body.what)
  const delivery = { ...said, key: key ?? said.key }
  if (delivery.events.length > 0) return forProject(delivery, request, desk)
  desk.noteRefusal({ dialect: 'posthog', reason: 'unreadable' })
  return refused(refusal('empty', 'The request holds no event.'))
}

/** A project may be known by several keys; the events of one request are of one project. */
function forProject(delivery: Delivery, request: WireRequest, desk: Desk): Captured {
  const keys = keysOf(delivery, [request.query.get('token'), request.query.get('api_key'), bearerOf(request)])
  const [key] = keys
  const project = key === undefined ? undefined : desk.projectNamed(key)
  if (!keys.every((other) => other === key || (project && desk.projectNamed(other)?.id === project.id)))
    return refused(refuseMixedKeys(keys, project, desk))
  return project ? { understood: true, project, delivery } : refused(refuseKey(key, desk))
}

const refused = (answer: WireAnswer): Captured => ({ understood: false, answer })

/** What is sent to `/engage` is about a person and often has no name: the oldest SDKs thought the address was enough. */
const named = (event: IncomingEvent, path: string): IncomingEvent =>
  event.name === '' && path === '/engage' ? { ...event, name: '$identify' } : event

/** What makes an event none at all; a request of nothing else is refused, so that whoever wrote it notices. */
const faults: ReadonlySet<DropReason> = new Set(['no-name', 'no-distinct-id', 'malformed', 'too-large'])

function answerTaken(receipt: Taken, { events }: Delivery): WireAnswer {
  const { dropped } = receipt
  if (dropped.some(({ reason }) => reason === 'over-quota')) return answerOverQuota(receipt)
  const [first] = dropped
  const isFaulty =
    first && dropped.length === events.length && dropped.every(({ reason }) => faults.has(reason))
  const headers = droppedHeader(receipt)
  if (!isFaulty) return json(200, { status: 'Ok' }, headers)
  const answer = dropped.every(({ reason }) => reason === 'too-large')
    ? refusal('too-large', 'An event is larger than 1 MB. Send less with it.')
    : refusal('no-event', 'Every event needs "event", its name, and "distinct_id", whose it is.')
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

/** SDKs that hear this are quiet for a minute, and throw away what they would have sent. */
const answerOverQuota = (receipt: Taken): WireAnswer =>
  json(200, { status: 1, quota_limited: ['events'] }, droppedHeader(receipt))

/** 503 and nothing else: SDKs throw events away at any 4xx, and take any other 2xx for "again". */
export const answerBusy = ({ retryAfterSeconds }: NotTaken): WireAnswer =>
  json(
    503,
    {
      type: 'server_error',
      code: 'busy',
      detail: 'Events cannot be written down just now. Send them again.',
      attr: null,
    },
    { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  )
