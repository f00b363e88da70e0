import type { Envelope, IncomingEvent, Properties } from '#events/event'
import { droppedHeader, corsHeaders } from '../internal/responses'
import type { WireServices, Dialect, WireRoute, WireResponse, WireRequest } from '../dialect'
import {
  trackerEnvelope,
  retryLaterResponse,
  noteUnknownProject,
  findProjectForPage,
} from '../internal/tracker-events'
import { textField } from '../read-fields'
import { scriptResponse, type TrackerScriptName, type TrackerScripts } from '../tracker-scripts'
import { isProperties, decodeJsonBody } from '../decode-body'
import { insightsEvent, serverSender } from './internal/insights'
import { pageOfVitals, vitalsOf } from './internal/vitals'

const name = 'vercel'

/**
 * Vercel's Web Analytics and Speed Insights. Their packages load these scripts from the host: below `/_vercel`, which
 * is a prefix like any other, or below a configured base path.
 */
export const vercel = (scripts: TrackerScripts): Dialect => {
  const script = (path: WireRoute['path'], which: TrackerScriptName): WireRoute => ({
    methods: ['GET'],
    path,
    respond: (request) => scriptResponse(scripts.text(which), request),
  })
  return {
    name,
    routes: [
      script('/insights/script.js', 'vercel-insights'),
      { methods: ['POST'], path: '/insights/view', respond: receiveInsight, takesEvents: true },
      { methods: ['POST'], path: '/insights/event', respond: receiveInsight, takesEvents: true },
      // Vercel sets a cookie here; Tilth sets none
      { methods: ['GET'], path: '/_vercel/insights/session', respond: () => textResponse(200, 'OK') },
      script('/speed-insights/script.js', 'vercel-speed'),
      { methods: ['POST'], path: '/speed-insights/vitals', respond: receiveVitals, takesEvents: true },
    ],
  }
}

const receiveInsight = (request: WireRequest, services: WireServices): Promise<WireResponse> =>
  receiveEvents(request, services, {
    page: (properties) => textField(properties, 'o'),
    events: (properties) => [insightsEvent(properties)],
    sender: serverSender(request),
  })

const receiveVitals = (request: WireRequest, services: WireServices): Promise<WireResponse> =>
  receiveEvents(request, services, { page: pageOfVitals, events: vitalsOf, sender: {} })

/** The differences between the two products. */
interface ProductReader {
  page: (properties: Properties) => string | undefined
  events: (properties: Properties) => IncomingEvent[]
  sender: Partial<Envelope> & { properties?: Properties }
}

async function receiveEvents(
  request: WireRequest,
  services: WireServices,
  reader: ProductReader,
): Promise<WireResponse> {
  const body = decodeJsonBody(request)
  if (!body.read || !isProperties(body.what)) {
    services.noteRefusal({ dialect: name, reason: 'unreadable' })
    return textResponse(400, body.read ? 'The body is not an object.' : body.detail)
  }
  const [page, dsn] = [reader.page(body.what), textField(body.what, 'dsn')]
  const project = findProjectForPage(services, [dsn], page)
  if (!project) {
    noteUnknownProject(services, name, dsn ?? page)
    return textResponse(404, 'This page belongs to no project. Add its host in Settings → Project.')
  }

  const { properties, ...sender } = reader.sender
  const events = reader.events(body.what).map((event) => withProperties(event, properties))
  const receipt = await services.accept(
    events,
    trackerEnvelope(request, project, { dialect: name, ...sender }),
  )
  return receipt.taken ? textResponse(200, 'OK', droppedHeader(receipt)) : retryLaterResponse(receipt)
}

const withProperties = (event: IncomingEvent, more: Properties = {}): IncomingEvent => ({
  ...event,
  properties: { ...event.properties, ...more },
})

const textResponse = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): WireResponse => ({
  status,
  headers: {
    ...corsHeaders,
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    ...headers,
  },
  body,
})
