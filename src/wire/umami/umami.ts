import type { Json, Properties } from '../../events/event'
import type { Project } from '../../projects/project'
import { droppedHeader, json } from '../answers'
import type { Delivered, Desk, Dialect, Taken, WireAnswer, WireRequest } from '../dialect'
import { envelopeOf, hostOf, laterAnswer, noteUnknown, projectFor } from '../trackers/arrivals'
import { textIn } from '../trackers/said'
import { scriptAnswer, type Scripts } from '../trackers/scripts'
import { isProperties, unpacked, type Unreadable } from '../unpack'
import { eventOf, isHistorical, isKnownType, isSentByServer, payloadOf } from './events'
import { ticketFor } from './ticket'

const name = 'umami'

/** Umami's tracker, and its package for servers. */
export const umami = (scripts: Scripts): Dialect => ({
  name,
  routes: [
    {
      methods: ['GET'],
      path: '/script.js',
      answer: (request) => scriptAnswer(scripts.text('umami'), request),
    },
    { methods: ['POST'], path: '/api/send', answer: receiveOne },
    { methods: ['POST'], path: '/api/batch', answer: receiveBatch },
  ],
})

/** One of the things that were sent: ready to be handed in, or turned away before that. */
type Reading = { read: true; project: Project; delivered: Delivered } | { read: false; answer: WireAnswer }

/** What came of it. */
type Outcome =
  | { sent: true; body: Properties; headers: Readonly<Record<string, string>> }
  | { sent: false; answer: WireAnswer }

async function receiveOne(request: WireRequest, desk: Desk): Promise<WireAnswer> {
  const body = unpacked(request)
  if (!body.read) return refuseUnreadable(desk, body)
  const reading = readOne(body.what, request, desk)
  if (!reading.read) return reading.answer
  const { events, envelope } = reading.delivered
  const receipt = await desk.take(events, envelope)
  if (!receipt.taken) return laterAnswer(receipt)
  const outcome = outcomeOf(receipt, ticketFor(request, reading.project))
  return outcome.sent ? json(200, outcome.body, outcome.headers) : outcome.answer
}

/** Larger than any that Umami's own importers send. */
const mostInBatch = 1000

/**
 * As if each had been sent alone, and the error of one is no reason to stop. But they are written down together: were
 * some of them kept and others not, a sender who tries again would send those that were kept a second time.
 */
async function receiveBatch(request: WireRequest, desk: Desk): Promise<WireAnswer> {
  const body = unpacked(request)
  if (!body.read) return refuseUnreadable(desk, body)
  if (!Array.isArray(body.what)) return badRequest('Send a list of what /api/send takes.')
  if (body.what.length > mostInBatch) return badRequest(`Send ${mostInBatch} at most in one request.`, 413)

  const readings = body.what.map((one) => readOne(one, request, desk))
  const joint = await desk.takeTogether(readings.flatMap((one) => (one.read ? [one.delivered] : [])))
  if (!joint.taken) return laterAnswer(joint)
  const receipts = joint.receipts.values()
  return json(200, toldOfAll(readings.map((reading) => outcomeIn(reading, receipts, request))))
}

/** The receipts are those of the readings that were handed in, in their order. */
function outcomeIn(reading: Reading, receipts: Iterator<Taken>, request: WireRequest): Outcome {
  if (!reading.read) return refused(reading.answer)
  const receipt = receipts.next()
  if (receipt.done) throw new Error('There are fewer receipts than deliveries.')
  return outcomeOf(receipt.value, ticketFor(request, reading.project))
}

function toldOfAll(outcomes: readonly Outcome[]): Json {
  const details = outcomes.flatMap((outcome, index): Json[] =>
    // our own answers are JSON
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

function readOne(one: Json, request: WireRequest, desk: Desk): Reading {
  const payload = payloadOf(one)
  if (!payload || !isProperties(one) || !isKnownType(one)) return { read: false, answer: malformed(desk) }
  const project = projectOf(payload, desk)
  if (!project) return { read: false, answer: refuseUnknown(payload, desk) }
  const envelope = envelopeOf(request, project, {
    dialect: name,
    fromServer: isSentByServer(payload, request),
    isHistorical: isHistorical(payload),
  })
  return { read: true, project, delivered: { events: [eventOf(one, payload)], envelope } }
}

/** What the tracker hears: to go on, that a robot is not counted, to stop, or that it is not wanted. */
function outcomeOf(receipt: Taken, ticket: Properties): Outcome {
  const [reason, headers] = [receipt.dropped[0]?.reason, droppedHeader(receipt)]
  if (reason === undefined) return { sent: true, body: ticket, headers }
  if (reason === 'bot') return { sent: true, body: { beep: 'boop' }, headers }
  if (reason === 'opted-out') return { sent: true, body: { disabled: true }, headers }
  return refused(json(403, umamiError(403, 'forbidden', `Not kept: ${reason}.`), headers))
}

const refused = (answer: WireAnswer): Outcome => ({ sent: false, answer })

/** By its website id; a page's own host also says whose it is. */
function projectOf(payload: Properties, desk: Desk): Project | undefined {
  const url = textIn(payload, 'url')
  const page = url?.includes('://') ? url : textIn(payload, 'hostname')
  return projectFor(desk, [textIn(payload, 'website')], page)
}

function refuseUnknown(payload: Properties, desk: Desk): WireAnswer {
  const website = textIn(payload, 'website') ?? hostOf(textIn(payload, 'url') ?? '')
  noteUnknown(desk, name, website)
  return badRequest(
    `Website not found: "${website?.slice(0, 36) ?? ''}". Use the project key as data-website-id.`,
  )
}

function malformed(desk: Desk): WireAnswer {
  desk.noteRefusal({ dialect: name, reason: 'unreadable' })
  return badRequest('Send {"type": "event", "payload": {"website": "…", "url": "…"}}.')
}

function refuseUnreadable(desk: Desk, { why, detail }: Unreadable): WireAnswer {
  desk.noteRefusal({ dialect: name, reason: why === 'too-large' ? 'too-large' : 'unreadable' })
  return badRequest(detail, why === 'too-large' ? 413 : 400)
}

const umamiError = (status: number, code: string, message: string) => ({ error: { message, code, status } })

const badRequest = (message: string, status: 400 | 413 = 400): WireAnswer =>
  json(status, umamiError(status, 'bad-request', message))
