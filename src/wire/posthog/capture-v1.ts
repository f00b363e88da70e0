import type { DropReason, IncomingEvent, Json, Properties } from '../../events/event'
import { droppedHeader, json } from '../answers'
import type { Desk, Taken, WireAnswer, WireRequest } from '../dialect'
import { isProperties } from '../unpack'
import { answerBusy, understand } from './capture'
import type { Delivery } from './delivery'
import { incomingEvent } from './events'
import { bearerOf } from '../keys'
import { envelopeOf } from './sender'
import { timeOf } from './time'

/** The protocol that answers for each event by itself. What the SDK is and when it sent stands in headers. */
export async function captureV1(request: WireRequest, desk: Desk): Promise<WireAnswer> {
  const captured = understand(request, desk, bearerOf(request))
  if (!captured.understood) return captured.answer
  const { headers } = request
  const delivery: Delivery = {
    ...captured.delivery,
    events: captured.delivery.events.map((event) => inOldWords(event, headerOf(headers['posthog-sdk-info']))),
    sentAt: timeOf(headerOf(headers['posthog-request-timestamp'])) ?? captured.delivery.sentAt,
  }
  const events = delivery.events.map(incomingEvent)
  const receipt = await desk.take(events, envelopeOf(request, delivery, captured.project))
  if (!receipt.taken) return answerBusy(receipt)
  return json(200, { results: resultsOf(events, receipt) }, droppedHeader(receipt))
}

const headerOf = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value

/** What the new protocol says beside the properties, the old one says among them. */
const optionNames: Readonly<Record<string, string>> = {
  process_person_profile: '$process_person_profile',
  cookieless_mode: '$cookieless_mode',
  disable_skew_correction: '$ignore_sent_at',
  product_tour_id: '$product_tour_id',
}

function inOldWords(event: Json, library: string | undefined): Json {
  if (!isProperties(event)) return event
  const { properties, options, session_id: session, window_id: window } = event
  const among: Properties = {
    ...libraryOf(library),
    ...(session !== undefined && { $session_id: session }),
    ...(window !== undefined && { $window_id: window }),
    ...(isProperties(properties) ? properties : {}),
  }
  for (const [option, name] of Object.entries(optionNames)) {
    const value = isProperties(options) ? options[option] : undefined
    if (value !== undefined) among[name] = value
  }
  return { ...event, properties: among }
}

/** `posthog-node/5.70.0` */
function libraryOf(said: string | undefined): Properties {
  const [, name, version] = /^([\w.-]{1,100})\/([\w.+-]{1,100})$/.exec(said ?? '') ?? []
  return name && version ? { $lib: name, $lib_version: version } : {}
}

interface Result {
  result: 'ok' | 'drop' | 'limited'
  details: string | null
}

function resultsOf(events: readonly IncomingEvent[], { dropped }: Taken): Record<string, Result> {
  const reasons = new Map(dropped.map(({ index, reason }) => [index, reason]))
  const results = events.map(({ uuid = '' }, index) => [uuid, resultOf(reasons.get(index))] as const)
  return Object.fromEntries(results.filter(([uuid]) => uuid !== ''))
}

function resultOf(reason: DropReason | undefined): Result {
  if (!reason) return { result: 'ok', details: null }
  return { result: reason === 'over-quota' ? 'limited' : 'drop', details: reason }
}
