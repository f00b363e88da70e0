import type { DropReason, IncomingEvent, Json, Properties } from '#events/event'
import { droppedHeader, jsonResponse } from '../../internal/responses'
import type { WireServices, AcceptedReceipt, WireResponse, WireRequest } from '../../dialect'
import { isProperties } from '../../decode-body'
import { busyResponse, parseCaptureRequest } from './capture'
import type { CaptureBatch } from './capture-batch'
import { incomingEvent } from '../events'
import { bearerToken } from '../../internal/bearer-token'
import { envelopeOf } from './envelope'
import { parseTime } from '../time'

/** The protocol with a result for each event. Headers contain the SDK's name and the time of sending. */
export async function captureV1(request: WireRequest, services: WireServices): Promise<WireResponse> {
  const capture = parseCaptureRequest(request, services, bearerToken(request))
  if (!capture.isValid) return capture.response
  const { headers } = request
  const batch: CaptureBatch = {
    ...capture.batch,
    events: capture.batch.events.map((event) => toCaptureV0(event, headerOf(headers['posthog-sdk-info']))),
    sentAt: parseTime(headerOf(headers['posthog-request-timestamp'])) ?? capture.batch.sentAt,
  }
  const events = batch.events.map(incomingEvent)
  const receipt = await services.accept(events, envelopeOf(request, batch, capture.project))
  if (!receipt.taken) return busyResponse(receipt)
  return jsonResponse(200, { results: resultsOf(events, receipt) }, droppedHeader(receipt))
}

const headerOf = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value

/** Options that the new protocol sends separately, and the old one among the properties. */
const optionNames: Readonly<Record<string, string>> = {
  process_person_profile: '$process_person_profile',
  cookieless_mode: '$cookieless_mode',
  disable_skew_correction: '$ignore_sent_at',
  product_tour_id: '$product_tour_id',
}

function toCaptureV0(event: Json, library: string | undefined): Json {
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

/** Parses `posthog-node/5.70.0`. */
function libraryOf(header: string | undefined): Properties {
  const [, name, version] = /^([\w.-]{1,100})\/([\w.+-]{1,100})$/.exec(header ?? '') ?? []
  return name && version ? { $lib: name, $lib_version: version } : {}
}

interface CaptureResult {
  result: 'ok' | 'drop' | 'limited'
  details: string | null
}

function resultsOf(
  events: readonly IncomingEvent[],
  { dropped }: AcceptedReceipt,
): Record<string, CaptureResult> {
  const reasons = new Map(dropped.map(({ index, reason }) => [index, reason]))
  const results = events.map(({ uuid = '' }, index) => [uuid, resultOf(reasons.get(index))] as const)
  return Object.fromEntries(results.filter(([uuid]) => uuid !== ''))
}

function resultOf(reason: DropReason | undefined): CaptureResult {
  if (!reason) return { result: 'ok', details: null }
  return { result: reason === 'over-quota' ? 'limited' : 'drop', details: reason }
}
