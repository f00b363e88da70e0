import type { IncomingEvent, Json } from '#events/event'
import { droppedHeader, jsonResponse } from '../../internal/responses'
import type { WireServices, WireResponse, WireRequest } from '../../dialect'
import { defaultBounds } from '../../internal/json-slices'
import { isProperties, decodeJsonBody } from '../../decode-body'
import { busyResponse } from './capture'
import { incomingEvent } from '../events'
import { projectKeyOf, refuseKey } from '../refusals'
import { envelopeOf } from './envelope'

/** A kind of OpenTelemetry data: the names of its nested lists, from the outermost in, and the event for each entry. */
export interface Telemetry {
  lists: readonly [string, string, string]
  eventName: '$otel_log' | '$otel_metric' | '$otel_span'
}

export const logs: Telemetry = {
  lists: ['resourceLogs', 'scopeLogs', 'logRecords'],
  eventName: '$otel_log',
}
export const metrics: Telemetry = {
  lists: ['resourceMetrics', 'scopeMetrics', 'metrics'],
  eventName: '$otel_metric',
}
export const traces: Telemetry = {
  lists: ['resourceSpans', 'scopeSpans', 'spans'],
  eventName: '$otel_span',
}

/** Accepts logs, metrics and traces, so that clients do not retry, and discards them: each is counted as dropped. */
export const respondToTelemetry =
  (telemetry: Telemetry) =>
  async (request: WireRequest, services: WireServices): Promise<WireResponse> => {
    const key = projectKeyOf(request)
    const project = key === undefined ? undefined : services.findProject(key)
    if (!project) return refuseKey(key, services)
    const entries = entriesIn(request, telemetry)
    const batch = { events: [], key, sentAt: undefined, isHistorical: false }
    const receipt = await services.accept(entries, envelopeOf(request, batch, project))
    return receipt.taken ? jsonResponse(200, {}, droppedHeader(receipt)) : busyResponse(receipt)
  }

/** A body that is not JSON counts as one entry: decoding OpenTelemetry's own format is not worthwhile for a count. */
function entriesIn(request: WireRequest, { lists, eventName }: Telemetry): IncomingEvent[] {
  const body = decodeJsonBody(request)
  const counted = body.read ? Math.max(1, countIn(body.what, lists)) : 1
  const amount = Math.min(counted, defaultBounds.events)
  return Array.from({ length: amount }, () => ({ ...incomingEvent({ event: eventName }), hasPerson: false }))
}

function countIn(value: Json, [list, ...within]: readonly string[]): number {
  if (list === undefined) return 1
  const entries = isProperties(value) ? value[list] : undefined
  return Array.isArray(entries) ? entries.reduce<number>((sum, entry) => sum + countIn(entry, within), 0) : 0
}
