import type { Properties } from '#events/event'
import { decodeJsonBody, isProperties, unreadableBody, type UnreadableBody } from '../decode-body'
import type { Dialect, WireRequest, WireResponse, WireServices } from '../dialect'
import { isVisitorUserAgent } from '../internal/read-identity'
import { droppedHeader, imageResponse, jsonResponse } from '../internal/responses'
import { textField } from '../read-fields'
import {
  findProjectForPage,
  hostOf,
  noteUnknownProject,
  retryLaterResponse,
  trackerEnvelope,
} from '../internal/tracker-events'
import { hostIn, simpleAnalyticsEvent, type SendingPage } from './events'

const name = 'simple-analytics'

/** Simple Analytics’ script, which asks for pictures, and its addresses for servers. */
export const simpleAnalytics: Dialect = {
  name,
  routes: [
    {
      methods: ['GET'],
      path: '/simple.gif',
      // a site may have a picture of this name
      matchesQuery: (query) => query.has('hostname'),
      respond: (request, services) => receive(fieldsOf(request), request, services),
      takesEvents: true,
    },
    {
      methods: ['GET'],
      path: '/noscript.gif',
      respond: (request, services) => receive(fieldsOf(request), request, services),
      takesEvents: true,
    },
    { methods: ['POST'], path: '/append', respond: receiveBody, takesEvents: true },
    { methods: ['POST'], path: '/events', respond: receiveBody, takesEvents: true },
  ],
}

const fieldsOf = ({ query }: WireRequest): Properties => Object.fromEntries(query)

async function receiveBody(request: WireRequest, services: WireServices): Promise<WireResponse> {
  const body = decodeJsonBody(request)
  if (!body.read) return refuse(body, services)
  if (!isProperties(body.what)) return refuse(unreadableBody(example), services)
  const fields = body.what
  const isComplete = ['type', 'hostname'].every((field) => textField(fields, field) !== undefined)
  return isComplete ? receive(fields, request, services) : refuse(unreadableBody(example), services)
}

const example = 'Send {"type": "event", "hostname": "example.com", "event": "signup", "ua": "…"}.'

async function receive(
  fields: Properties,
  request: WireRequest,
  services: WireServices,
): Promise<WireResponse> {
  const page = sendingPage(request, fields)
  const hostname = textField(fields, 'hostname')
  const host = hostIn(fields, page)
  const project = findProjectForPage(services, [hostname], host)
  if (!project) {
    noteUnknownProject(services, name, hostname ?? host)
    return jsonResponse(400, { error: unknownHostname })
  }
  const event = simpleAnalyticsEvent(fields, page)
  const fromServer = !isVisitorUserAgent(request.headers['user-agent'] ?? '')
  const receipt = await services.accept(
    event === undefined ? [] : [event],
    trackerEnvelope(request, project, { dialect: name, fromServer }),
  )
  if (!receipt.taken) return retryLaterResponse(receipt)
  const answer = request.method === 'GET' ? imageResponse : jsonResponse(201, {})
  return { ...answer, headers: { ...answer.headers, ...droppedHeader(receipt) } }
}

const unknownHostname =
  'Unknown hostname. Use the project’s write key as data-hostname, or add the hostname to the project’s aliases.'

/**
 * Browsers name the whole page only to its own origin; elsewhere the path is unknown, and is not taken to be `/`. A picture
 * with the reading time is asked for after the page changed its address.
 */
function sendingPage({ headers, method }: WireRequest, fields: Properties): SendingPage {
  const referer = headers.referer ?? headers.origin
  const page = URL.parse(referer ?? '')
  if (!page || !/^https?:$/.test(page.protocol)) return { host: undefined, url: undefined }
  const isWhole = headers['sec-fetch-site'] === 'same-origin' || page.pathname !== '/'
  const isPrevious = method === 'GET' && textField(fields, 'type') === 'append'
  return { host: hostOf(page.href), url: isWhole && !isPrevious ? page.href : undefined }
}

function refuse({ why, detail }: UnreadableBody, services: WireServices): WireResponse {
  services.noteRefusal({ dialect: name, reason: why === 'too-large' ? 'too-large' : 'unreadable' })
  return jsonResponse(why === 'too-large' ? 413 : 400, { error: detail })
}
