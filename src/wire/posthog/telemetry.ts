import type { IncomingEvent, Json } from '../../events/event'
import { droppedHeader, json } from '../answers'
import type { Desk, WireAnswer, WireRequest } from '../dialect'
import { isProperties, unpacked } from '../unpack'
import { answerBusy } from './capture'
import { incomingEvent } from './events'
import { keyOf, refuseKey } from './refusals'
import { envelopeOf } from './sender'

/** One kind of what OpenTelemetry sends: the names of its lists, from the outermost in, and what one entry is to us. */
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

/** Logs, metrics and traces are taken, so that nobody sends them again, and not kept: each is counted as dropped. */
export const answerTelemetry =
  (telemetry: Telemetry) =>
  async (request: WireRequest, desk: Desk): Promise<WireAnswer> => {
    const key = keyOf(request)
    const project = key === undefined ? undefined : desk.projectNamed(key)
    if (!project) return refuseKey(key, desk)
    const entries = entriesIn(request, telemetry)
    const delivery = { events: [], key, sentAt: undefined, isHistorical: false }
    const receipt = await desk.take(entries, envelopeOf(request, delivery, project))
    return receipt.taken ? json(200, {}, droppedHeader(receipt)) : answerBusy(receipt)
  }

/** What is not JSON is one entry: OpenTelemetry's own packing is not worth undoing to count it. */
function entriesIn(request: WireRequest, { lists, eventName }: Telemetry): IncomingEvent[] {
  const body = unpacked(request)
  const amount = body.read ? Math.max(1, countIn(body.what, lists)) : 1
  return Array.from({ length: amount }, () => ({ ...incomingEvent({ event: eventName }), hasPerson: false }))
}

function countIn(said: Json, [list, ...within]: readonly string[]): number {
  if (list === undefined) return 1
  const entries = isProperties(said) ? said[list] : undefined
  return Array.isArray(entries) ? entries.reduce<number>((sum, entry) => sum + countIn(entry, within), 0) : 0
}
