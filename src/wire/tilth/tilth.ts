import type { Envelope, IncomingEvent, Properties } from '#events/event'
import { jsonResponse, droppedHeader } from '../internal/responses'
import type { WireServices, Dialect, WireRoute, WireResponse, WireRequest } from '../dialect'
import { isProperties, decodeJsonBody } from '../decode-body'
import { trackerEnvelope, retryLaterResponse, findProjectForPage } from '../internal/tracker-events'
import { textField } from '../read-fields'
import { scriptResponse, type TrackerScripts, siteParts } from '../tracker-scripts'
import { parseEvents, optedOutIn, sentAtOf } from './events'
import { respondWithFlags } from './flags'
import { refuseUnknownProject } from './refusals'
import { diagramFrameRoutes } from './internal/diagram-frame'
import { respondWithStream } from './internal/stream'
import { respondWithForcedFlagsPage } from './internal/forced-flags-page'
import { receiveSurveyAnswers, respondWithSurveys } from './internal/surveys'
import { checkSendingServer, envelopeOfSender, senderOf } from './internal/sending-server'
import { respondWithVisit } from './internal/visit'
import { sameOriginVisitor } from './internal/visitor-cookie'

const name = 'tilth'

/** Tilth's own page script, the endpoint for its events, and flags for hand-written scripts. */
export const tilth = (scripts: TrackerScripts): Dialect => ({
  name,
  sendsAgain: true,
  routes: [
    scriptRoute('/_tilth/script.js', () => scripts.text('tilth')),
    scriptRoute('/_tilth/flags.js', () => scripts.text('flags')),
    scriptRoute('/_tilth/site.js', () => scripts.text('site')),
    scriptRoute('/_tilth/site-posthog.js', () => scripts.text('site-posthog')),
    scriptRoute('/_tilth/site-dev.js', () => scripts.text('site-dev')),
    scriptRoute('/_tilth/site-decide.js', () => scripts.text('site-decide')),
    scriptRoute('/_tilth/site-files.js', () => scripts.text('site-files')),
    ...siteParts.map((part) => scriptRoute(`/_tilth/${part}.js`, () => scripts.text(part))),
    ...diagramFrameRoutes(scripts),
    { methods: ['POST'], path: '/_tilth/event', respond: receiveEvents, takesEvents: true },
    { methods: ['GET', 'POST'], path: '/_tilth/flags', respond: respondWithFlags },
    { methods: ['POST'], path: '/_tilth/visit', respond: respondWithVisit },
    { methods: ['GET'], path: '/_tilth/flags/stream', respond: respondWithStream },
    { methods: ['GET'], path: '/_tilth/surveys', respond: respondWithSurveys },
    {
      methods: ['POST'],
      path: '/_tilth/surveys/{id}/answers',
      respond: receiveSurveyAnswers,
      takesEvents: true,
    },
    { methods: ['GET'], path: '/_tilth/qa', respond: respondWithForcedFlagsPage },
  ],
})

/** Reads the script on its first request. */
const scriptRoute = (path: WireRoute['path'], text: () => string): WireRoute => ({
  methods: ['GET'],
  path,
  respond: (request) => scriptResponse(text(), request),
})

async function receiveEvents(request: WireRequest, services: WireServices): Promise<WireResponse> {
  const body = decodeJsonBody(request)
  if (!body.read || !isProperties(body.what)) return refuseBody(services, body)
  const fields = body.what
  const [key, url] = [textField(fields, 'key'), textField(fields, 'url')]
  const sender = senderOf(fields)
  if (sender) return receiveFromServer(request, fields, sender, services)
  // a wrong key is an error even if the host identifies a project: the owner would look for the events elsewhere
  const project = key === undefined ? findProjectForPage(services, [], url) : services.findProject(key)
  if (!project) return refuseUnknownProject(services, key, url)

  const events = parseEvents(fields, sameOriginVisitor(request))
  const envelope = trackerEnvelope(request, project, { dialect: name, sentAt: sentAtOf(fields) })
  return acceptEvents(
    events,
    { ...envelope, optedOut: envelope.optedOut || optedOutIn(fields) },
    services,
    url,
  )
}

/** A site's server sends what happened on it with the visitor's address and user agent. */
async function receiveFromServer(
  request: WireRequest,
  fields: Properties,
  sender: Properties,
  services: WireServices,
): Promise<WireResponse> {
  const access = await checkSendingServer(request, textField(fields, 'key'), services)
  if (!access.isAdmitted) return access.response
  const envelope = envelopeOfSender(sender, request, access.project, {
    dialect: name,
    sentAt: sentAtOf(fields),
  })
  return acceptEvents(parseEvents(fields, undefined), envelope, services)
}

async function acceptEvents(
  events: readonly IncomingEvent[],
  envelope: Envelope,
  services: WireServices,
  url?: string,
): Promise<WireResponse> {
  const receipt = await services.accept(events, envelope)
  if (!receipt.taken) return retryLaterResponse(receipt)
  return jsonResponse(
    200,
    { kept: receipt.kept, dropped: receipt.dropped },
    { ...droppedHeader(receipt), ...surveysHeader(envelope.projectId, services, url) },
  )
}

/** Tells the script to ask for surveys; without any for its page it never does. */
const surveysHeader = (
  projectId: number,
  { surveyAnswers }: WireServices,
  url: string | undefined,
): Record<string, string> =>
  surveyAnswers.hasSurveysForPages(projectId, url) ? { 'x-tilth-part': './part-surveys.js' } : {}

function refuseBody(services: WireServices, body: ReturnType<typeof decodeJsonBody>): WireResponse {
  const isTooLarge = !body.read && body.why === 'too-large'
  services.noteRefusal({ dialect: name, reason: isTooLarge ? 'too-large' : 'unreadable' })
  return jsonResponse(isTooLarge ? 413 : 400, {
    error: body.read ? 'Send an object with "url" and "events".' : body.detail,
  })
}
