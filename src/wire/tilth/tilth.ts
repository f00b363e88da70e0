import { json, droppedHeader } from '../answers'
import type { Desk, Dialect, Route, WireAnswer, WireRequest } from '../dialect'
import { isProperties, unpacked } from '../unpack'
import { envelopeOf, laterAnswer, projectFor } from '../trackers/arrivals'
import { textIn } from '../trackers/said'
import { scriptAnswer, type Scripts, siteParts } from '../trackers/scripts'
import { eventsOf, optedOutIn, sentAtOf } from './events'
import { answerFlags } from './flags'
import { refuseUnknown } from './refusals'
import { answerStream } from './stream'
import { answerTrying } from './trying'
import { visitorOf } from './visitor'

const name = 'tilth'

/** Our own script for pages, what it sends, and flags for whoever writes a few lines. */
export const tilth = (scripts: Scripts): Dialect => ({
  name,
  routes: [
    scriptRoute('/_tilth/script.js', () => scripts.text('tilth')),
    scriptRoute('/_tilth/site.js', () => scripts.text('site')),
    scriptRoute('/_tilth/site-posthog.js', () => scripts.text('site-posthog')),
    ...siteParts.map((part) => scriptRoute(`/_tilth/${part}.js`, () => scripts.text(part))),
    { methods: ['POST'], path: '/_tilth/event', answer: receive },
    { methods: ['GET', 'POST'], path: '/_tilth/flags', answer: answerFlags },
    { methods: ['GET'], path: '/_tilth/flags/stream', answer: answerStream },
    { methods: ['GET'], path: '/_tilth/qa', answer: answerTrying },
  ],
})

/** Read when first asked for. */
const scriptRoute = (path: Route['path'], text: () => string): Route => ({
  methods: ['GET'],
  path,
  answer: (request) => scriptAnswer(text(), request),
})

async function receive(request: WireRequest, desk: Desk): Promise<WireAnswer> {
  const body = unpacked(request)
  if (!body.read || !isProperties(body.what)) return refuse(desk, body)
  const said = body.what
  const [key, url] = [textIn(said, 'key'), textIn(said, 'url')]
  // a key that is wrong is told rather than mended by the host: its owner would look for the events elsewhere
  const project = key === undefined ? projectFor(desk, [], url) : desk.projectNamed(key)
  if (!project) return refuseUnknown(desk, key, url)

  const events = eventsOf(said, visitorOf(request))
  const envelope = envelopeOf(request, project, { dialect: name, sentAt: sentAtOf(said) })
  const optedOut = envelope.optedOut || optedOutIn(said)
  const receipt = await desk.take(events, { ...envelope, optedOut })
  if (!receipt.taken) return laterAnswer(receipt)
  return json(200, { kept: receipt.kept, dropped: receipt.dropped }, droppedHeader(receipt))
}

function refuse(desk: Desk, body: ReturnType<typeof unpacked>): WireAnswer {
  const isTooLarge = !body.read && body.why === 'too-large'
  desk.noteRefusal({ dialect: name, reason: isTooLarge ? 'too-large' : 'unreadable' })
  return json(isTooLarge ? 413 : 400, {
    error: body.read ? 'Send an object with "url" and "events".' : body.detail,
  })
}
