import type { Json } from '#events/event'
import {
  decodeTextBody,
  isProperties,
  parseJson,
  unreadableBody,
  type Decoded,
  type UnreadableBody,
} from '../decode-body'
import type { Dialect, EventDelivery, WireRequest, WireResponse, WireServices } from '../dialect'
import { defaultBounds, tooManyEventsError } from '../internal/json-slices'
import { isVisitorUserAgent } from '../internal/read-identity'
import { corsHeaders, droppedHeader, imageResponse, jsonResponse } from '../internal/responses'
import {
  findProjectForPage,
  noteUnknownProject,
  retryLaterResponse,
  trackerEnvelope,
} from '../internal/tracker-events'
import { matomoEvent, withoutOverrides } from './events'

const name = 'matomo'

const trackerPaths = ['/matomo.php', '/piwik.php'] as const

/** Matomo’s tracker and its HTTP API, alone and in bulk. */
export const matomo: Dialect = {
  name,
  routes: trackerPaths.map((path) => ({
    methods: ['GET', 'POST'],
    path,
    respond: receive,
    takesEvents: true,
    hasEventsAsTexts: true,
  })),
}

async function receive(request: WireRequest, services: WireServices): Promise<WireResponse> {
  const sent = requestsIn(request)
  if (!sent.read) return refuse(sent, services)
  const { requests, token } = sent.what
  if (requests.length > defaultBounds.events)
    return refuse(tooManyEventsError(defaultBounds.events), services)
  const mayOverride = await holdsSecret(token, services)
  const deliveries = requests.map((query) => deliveryOf(query, mayOverride, request, services))
  const known = deliveries.filter((one) => one !== undefined)
  const receipt = await services.acceptTogether(known)
  if (!receipt.taken) return retryLaterResponse(receipt)
  const tracked = receipt.receipts.reduce((sum, { kept }) => sum + kept, 0)
  const dropped = receipt.receipts.flatMap((one) => one.dropped)
  const headers = droppedHeader({ taken: true, kept: tracked, dropped })
  const answer = answerTo(request, sent.what.isBulk, { tracked, invalid: deliveries.length - known.length })
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

/** Times and addresses of others may be sent only with a secret key of the project, as Matomo’s token. */
const holdsSecret = async (token: string | undefined, services: WireServices): Promise<number | undefined> =>
  token === undefined ? undefined : (await services.findProjectBySecret(token))?.id

interface SentRequests {
  requests: readonly URLSearchParams[]
  token: string | undefined
  isBulk: boolean
}

/** Reads the address, with a form in the body if there is one, or a list of addresses. */
function requestsIn(request: WireRequest): Decoded<SentRequests> {
  const { query } = request
  const text = decodeTextBody(request)
  if (!text.read) return text
  const content = text.what.trim()
  if (!content.startsWith('{')) {
    const fields = new URLSearchParams([...query, ...new URLSearchParams(content)])
    const token = fields.get('token_auth') ?? undefined
    return { read: true, what: { requests: [fields], token, isBulk: false } }
  }
  const body = parseJson(content)
  return body.read ? bulkIn(body.what) : body
}

function bulkIn(body: Json): Decoded<SentRequests> {
  const { requests, token_auth: token } = isProperties(body) ? body : {}
  if (!Array.isArray(requests)) return unreadableBody('Send {"requests": ["?idsite=…&rec=1&url=…"]}.')
  const queries = requests.map((one) => new URLSearchParams(typeof one === 'string' ? one : ''))
  return {
    read: true,
    what: { requests: queries, token: typeof token === 'string' ? token : undefined, isBulk: true },
  }
}

/** Returns undefined for an unknown site, and for what is no event. */
function deliveryOf(
  query: URLSearchParams,
  secretOf: number | undefined,
  request: WireRequest,
  services: WireServices,
): EventDelivery | undefined {
  const site = query.get('idsite') ?? undefined
  const project = findProjectForPage(services, [site], query.get('url') ?? undefined)
  if (!project) {
    noteUnknownProject(services, name, site)
    return undefined
  }
  const mayOverride = secretOf === project.id
  const fields = mayOverride ? query : withoutOverrides(query)
  return {
    events: matomoEvent(fields, request.receivedAt),
    envelope: trackerEnvelope(request, project, {
      dialect: name,
      isHistorical: fields.has('cdt'),
      hasSecretKey: mayOverride,
      fromServer: fields.has('cip') || !isVisitorUserAgent(request.headers['user-agent'] ?? ''),
    }),
  }
}

function answerTo(
  { method, query }: WireRequest,
  isBulk: boolean,
  counts: { tracked: number; invalid: number },
): WireResponse {
  if (isBulk) return jsonResponse(200, { status: 'success', ...counts })
  if (counts.invalid > 0) return jsonResponse(400, { status: 'error', message: unknownSite })
  const wantsImage = query.get('send_image') !== '0' && method === 'GET'
  return wantsImage
    ? imageResponse
    : { status: 204, headers: { ...corsHeaders, 'cache-control': 'no-store' } }
}

const unknownSite = 'Unknown idsite. Use the project’s write key, or add the number to the project’s aliases.'

function refuse({ why, detail }: UnreadableBody, services: WireServices): WireResponse {
  services.noteRefusal({ dialect: name, reason: why === 'too-large' ? 'too-large' : 'unreadable' })
  return jsonResponse(why === 'too-large' ? 413 : 400, { status: 'error', message: detail })
}
