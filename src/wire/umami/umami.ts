import type { Json, Properties } from '../../events/event'
import type { Project } from '../../projects/project'
import { droppedHeader, json } from '../answers'
import type { Desk, Dialect, WireAnswer, WireRequest } from '../dialect'
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

/** What came of one of the things that were sent. */
type Outcome =
  | { sent: true; body: Properties; headers: Readonly<Record<string, string>> }
  | { sent: false; answer: WireAnswer }

async function receiveOne(request: WireRequest, desk: Desk): Promise<WireAnswer> {
  const body = unpacked(request)
  if (!body.read) return refuseUnreadable(desk, body)
  const outcome = await receive(body.what, request, desk)
  return outcome.sent ? json(200, outcome.body, outcome.headers) : outcome.answer
}

/** Larger than any that Umami's own importers send. */
const mostInBatch = 1000

/** One after the other, as if each had been sent alone, except that an error of one is no reason to stop. */
async function receiveBatch(request: WireRequest, desk: Desk): Promise<WireAnswer> {
  const body = unpacked(request)
  if (!body.read) return refuseUnreadable(desk, body)
  if (!Array.isArray(body.what)) return badRequest('Send a list of what /api/send takes.')
  if (body.what.length > mostInBatch) return badRequest(`Send ${mostInBatch} at most in one request.`, 413)

  const details: Json[] = []
  let cache: Json = null
  for (const [index, one] of body.what.entries()) {
    const outcome = await receive(one, request, desk)
    if (outcome.sent) cache = outcome.body['cache'] ?? cache
    // passing trouble is told of all of them: what was taken is known again by nobody, but nothing is lost
    else if (outcome.answer.status === 503) return outcome.answer
    else details.push({ index, response: JSON.parse(String(outcome.answer.body)) as Json })
  }
  const size = body.what.length
  return json(200, { size, processed: size - details.length, errors: details.length, details, cache })
}

async function receive(one: Json, request: WireRequest, desk: Desk): Promise<Outcome> {
  const payload = payloadOf(one)
  if (!payload || !isProperties(one)) return refused(malformed(desk))
  if (!isKnownType(one)) return refused(malformed(desk))
  const project = projectOf(payload, desk)
  if (!project) return refused(refuseUnknown(payload, desk))

  const envelope = envelopeOf(request, project, {
    dialect: name,
    fromServer: isSentByServer(payload, request),
    isHistorical: isHistorical(payload),
  })
  const receipt = await desk.take([eventOf(one, payload)], envelope)
  if (!receipt.taken) return refused(laterAnswer(receipt))
  return told(receipt.dropped[0]?.reason, ticketFor(request, project), droppedHeader(receipt))
}

/** What the tracker hears: to go on, that a robot is not counted, to stop, or that it is not wanted. */
function told(
  reason: string | undefined,
  ticket: Properties,
  headers: Readonly<Record<string, string>>,
): Outcome {
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
