import type { Json, Properties } from '#events/event'
import type { Project } from '#projects/project'
import { droppedHeader, jsonResponse } from '../internal/responses'
import type {
  EventDelivery,
  WireServices,
  Dialect,
  AcceptedReceipt,
  WireResponse,
  WireRequest,
} from '../dialect'
import {
  trackerEnvelope,
  hostOf,
  retryLaterResponse,
  noteUnknownProject,
  findProjectForPage,
} from '../internal/tracker-events'
import { textField } from '../read-fields'
import { scriptResponse, type TrackerScripts } from '../tracker-scripts'
import { isProperties, decodeJsonBody, type UnreadableBody } from '../decode-body'
import { umamiEvent, isHistorical, isKnownType, isSentByServer, payloadIn } from './events'
import { sessionCacheFor } from './session-cache'

const name = 'umami'

/** Umami's tracker, and its server package. */
export const umami = (scripts: TrackerScripts): Dialect => ({
  name,
  routes: [
    {
      methods: ['GET'],
      path: '/script.js',
      respond: (request) => scriptResponse(scripts.text('umami'), request),
    },
    { methods: ['POST'], path: '/api/send', respond: receiveOne, takesEvents: true },
    { methods: ['POST'], path: '/api/batch', respond: receiveBatch, takesEvents: true },
  ],
})

/** An item of a batch: ready to be stored, or refused before that. */
type ParsedItem =
  | { read: true; project: Project; delivery: EventDelivery }
  | { read: false; answer: WireResponse }

/** The outcome of one event. */
type UmamiOutcome =
  | { sent: true; body: Properties; headers: Readonly<Record<string, string>> }
  | { sent: false; answer: WireResponse }

async function receiveOne(request: WireRequest, services: WireServices): Promise<WireResponse> {
  const body = decodeJsonBody(request)
  if (!body.read) return refuseUnreadable(services, body)
  const item = parseItem(body.what, request, services)
  if (!item.read) return item.answer
  const { events, envelope } = item.delivery
  const receipt = await services.accept(events, envelope)
  if (!receipt.taken) return retryLaterResponse(receipt)
  const outcome = outcomeOf(receipt, sessionCacheFor(request, item.project))
  return outcome.sent ? jsonResponse(200, outcome.body, outcome.headers) : outcome.answer
}

/** The limit of a batch; Umami's own importers send fewer. */
const mostInBatch = 1000

/**
 * Processes each item as if it had been sent alone, so that an error in one does not stop the others. But they are
 * stored together: if only some were stored, a client that retries would send those a second time.
 */
async function receiveBatch(request: WireRequest, services: WireServices): Promise<WireResponse> {
  const body = decodeJsonBody(request)
  if (!body.read) return refuseUnreadable(services, body)
  if (!Array.isArray(body.what)) return badRequest('Send a list of what /api/send takes.')
  if (body.what.length > mostInBatch) return badRequest(`Send ${mostInBatch} at most in one request.`, 413)

  const items = body.what.map((one) => parseItem(one, request, services))
  const receipt = await services.acceptTogether(items.flatMap((one) => (one.read ? [one.delivery] : [])))
  if (!receipt.taken) return retryLaterResponse(receipt)
  const receipts = receipt.receipts.values()
  return jsonResponse(200, batchResponse(items.map((reading) => outcomeOfItem(reading, receipts, request))))
}

/** The receipts belong to the stored items, in the same order. */
function outcomeOfItem(
  item: ParsedItem,
  receipts: Iterator<AcceptedReceipt>,
  request: WireRequest,
): UmamiOutcome {
  if (!item.read) return refusedOutcome(item.answer)
  const receipt = receipts.next()
  if (receipt.done) throw new Error('There are fewer receipts than deliveries.')
  return outcomeOf(receipt.value, sessionCacheFor(request, item.project))
}

function batchResponse(outcomes: readonly UmamiOutcome[]): Json {
  const details = outcomes.flatMap((outcome, index): Json[] =>
    // our own responses are JSON
    outcome.sent ? [] : [{ index, response: JSON.parse(String(outcome.answer.body)) as Json }],
  )
  const tickets = outcomes.flatMap((outcome) => (outcome.sent ? (outcome.body['cache'] ?? []) : []))
  const size = outcomes.length
  return {
    size,
    processed: size - details.length,
    errors: details.length,
    details,
    cache: tickets.at(-1) ?? null,
  }
}

function parseItem(one: Json, request: WireRequest, services: WireServices): ParsedItem {
  const payload = payloadIn(one)
  if (!payload || !isProperties(one) || !isKnownType(one))
    return { read: false, answer: refuseMalformed(services) }
  const project = projectOf(payload, services)
  if (!project) return { read: false, answer: refuseUnknown(payload, services) }
  const envelope = trackerEnvelope(request, project, {
    dialect: name,
    fromServer: isSentByServer(payload, request),
    isHistorical: isHistorical(payload),
  })
  return { read: true, project, delivery: { events: [umamiEvent(one, payload)], envelope } }
}

/** The tracker's response: a session ticket, “beep boop” for a bot, an order to stop after an opt-out, or a refusal. */
function outcomeOf(receipt: AcceptedReceipt, ticket: Properties): UmamiOutcome {
  const [reason, headers] = [receipt.dropped[0]?.reason, droppedHeader(receipt)]
  if (reason === undefined) return { sent: true, body: ticket, headers }
  if (reason === 'bot') return { sent: true, body: { beep: 'boop' }, headers }
  if (reason === 'opted-out') return { sent: true, body: { disabled: true }, headers }
  return refusedOutcome(jsonResponse(403, umamiError(403, 'forbidden', `Not kept: ${reason}.`), headers))
}

const refusedOutcome = (answer: WireResponse): UmamiOutcome => ({ sent: false, answer })

/** Finds the project by the website id, or else by the page's host. */
function projectOf(payload: Properties, services: WireServices): Project | undefined {
  const url = textField(payload, 'url')
  const page = url?.includes('://') ? url : textField(payload, 'hostname')
  return findProjectForPage(services, [textField(payload, 'website')], page)
}

function refuseUnknown(payload: Properties, services: WireServices): WireResponse {
  const website = textField(payload, 'website') ?? hostOf(textField(payload, 'url') ?? '')
  noteUnknownProject(services, name, website)
  return badRequest(
    `Website not found: "${website?.slice(0, 36) ?? ''}". Use the project key as data-website-id.`,
  )
}

function refuseMalformed(services: WireServices): WireResponse {
  services.noteRefusal({ dialect: name, reason: 'unreadable' })
  return badRequest('Send {"type": "event", "payload": {"website": "…", "url": "…"}}.')
}

function refuseUnreadable(services: WireServices, { why, detail }: UnreadableBody): WireResponse {
  services.noteRefusal({ dialect: name, reason: why === 'too-large' ? 'too-large' : 'unreadable' })
  return badRequest(detail, why === 'too-large' ? 413 : 400)
}

const umamiError = (status: number, code: string, message: string) => ({ error: { message, code, status } })

const badRequest = (message: string, status: 400 | 413 = 400): WireResponse =>
  jsonResponse(status, umamiError(status, 'bad-request', message))
