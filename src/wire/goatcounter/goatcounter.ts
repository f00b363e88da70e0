import { bearerToken } from '../internal/bearer-token'
import { decodeJsonBody, isProperties, unreadableBody } from '../decode-body'
import type { Dialect, ResolvedProject, WireRequest, WireResponse, WireRoute, WireServices } from '../dialect'
import { corsHeaders, droppedHeader, imageResponse, jsonResponse } from '../internal/responses'
import {
  acceptBatch,
  refuseUnlessKnown,
  refuseUnreadableBatch,
  type BatchResponses,
} from '../internal/accept-batch'
import {
  findProjectForPage,
  noteUnknownProject,
  retryLaterResponse,
  trackerEnvelope,
} from '../internal/tracker-events'
import { countedEvent, hitEvent } from './events'

const name = 'goatcounter'

const countRoute = (path: WireRoute['path']): WireRoute => ({
  methods: ['GET', 'POST'],
  path,
  // a site may have a page of this name
  matchesQuery: (query) => query.has('p'),
  respond: count,
  takesEvents: true,
})

/** GoatCounter’s script, with the project’s key in the address or found by the page’s host, and its API for servers. */
export const goatcounter: Dialect = {
  name,
  routes: [
    countRoute('/count'),
    countRoute('/count/{key}'),
    {
      methods: ['POST'],
      path: '/api/v0/count',
      respond: countHits,
      takesEvents: true,
      refuseEarly: (request, services) => refuseUnlessKnown(bearerToken(request), services, responses),
    },
  ],
}

async function count(request: WireRequest, services: WireServices): Promise<WireResponse> {
  const { key } = request.parts
  const page = pageOrigin(request)
  const project = projectOf(key, page, services)
  if (!project) {
    noteUnknownProject(services, name, key ?? page)
    return textResponse(400, 'unknown site: use the address /count/<write key>')
  }
  const fields = Object.fromEntries(request.query)
  const receipt = await services.accept(
    [countedEvent(fields, page)],
    trackerEnvelope(request, project, { dialect: name }),
  )
  if (!receipt.taken) return retryLaterResponse(receipt)
  const answer = request.method === 'GET' ? imageResponse : textResponse(200, '')
  return { ...answer, headers: { ...answer.headers, ...droppedHeader(receipt) } }
}

const projectOf = (
  key: string | undefined,
  page: string | undefined,
  services: WireServices,
): ResolvedProject | undefined =>
  key === undefined ? findProjectForPage(services, [], page) : services.findProject(key)

/** The script sends only a path; the browser names the site. */
const pageOrigin = ({ headers }: WireRequest): string | undefined => {
  const page = URL.parse(headers.referer ?? headers.origin ?? '')
  return page && /^https?:$/.test(page.protocol) ? page.origin : undefined
}

const responses: BatchResponses = {
  dialect: name,
  accepted: () => jsonResponse(202, {}),
  refused: (status, error) => jsonResponse(status, { error }),
}

/** Views that a server sends. The key is the project’s, as a bearer token. */
async function countHits(request: WireRequest, services: WireServices): Promise<WireResponse> {
  const body = decodeJsonBody(request)
  if (!body.read) return refuseUnreadableBatch(body, services, responses)
  const hits = isProperties(body.what) ? body.what['hits'] : undefined
  if (!Array.isArray(hits))
    return refuseUnreadableBatch(unreadableBody('Send {"hits": [{"path": "/"}]}.'), services, responses)
  return acceptBatch(
    { key: bearerToken(request), events: hits.map(hitEvent), envelope: { fromServer: true } },
    request,
    services,
    responses,
  )
}

const textResponse = (status: number, body: string): WireResponse => ({
  status,
  headers: { ...corsHeaders, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body,
})
