import { basename } from 'node:path'
import type { Project } from '#projects/project'
import { jsonResponse, corsHeaders } from '../internal/responses'
import type { WireServices, Dialect, AcceptedReceipt, WireResponse, WireRequest } from '../dialect'
import {
  trackerEnvelope,
  retryLaterResponse,
  noteUnknownProject,
  findProjectForPage,
} from '../internal/tracker-events'
import { textField } from '../read-fields'
import { scriptResponse, type TrackerScripts } from '../tracker-scripts'
import { isProperties, decodeJsonBody } from '../decode-body'
import { plausibleEvent, missingFields } from './events'
import { isScriptName, scriptVariant } from './script-variants'

const name = 'plausible'

/** Plausible's trackers of all versions. */
export const plausible = (scripts: TrackerScripts): Dialect => ({
  name,
  routes: [
    // listed separately, because without its folder it has the same name as Umami's
    { methods: ['GET'], path: '/js/script.js', respond: (request) => respondWithScript(request, scripts) },
    {
      methods: ['GET'],
      path: '/js/{script}',
      acceptsParts: ({ script = '' }) => isScriptName(script),
      respond: (request) => respondWithScript(request, scripts),
    },
    { methods: ['POST'], path: '/api/event', respond: receiveEvent, takesEvents: true },
  ],
})

const respondWithScript = (request: WireRequest, scripts: TrackerScripts): WireResponse =>
  scriptResponse(scriptVariant(basename(request.path), scripts.text('plausible')), request)

async function receiveEvent(request: WireRequest, services: WireServices): Promise<WireResponse> {
  const body = decodeJsonBody(request)
  if (!body.read || !isProperties(body.what)) {
    services.noteRefusal({ dialect: name, reason: 'unreadable' })
    return jsonResponse(400, { errors: { body: [body.read ? 'is not an object' : body.detail] } })
  }
  const fields = body.what
  const missing = missingFields(fields)
  if (missing) {
    services.noteRefusal({ dialect: name, reason: 'unreadable' })
    return jsonResponse(400, { errors: missing })
  }
  const projects = projectsFor(services, textField(fields, 'd', 'domain'), textField(fields, 'u', 'url'))
  const receipt = await services.acceptTogether(
    projects.map((project) => ({
      events: [plausibleEvent(fields)],
      envelope: trackerEnvelope(request, project, { dialect: name }),
    })),
  )
  return receipt.taken ? acceptedResponse(receipt.receipts) : retryLaterResponse(receipt)
}

/** The limit of sites for one page. */
const mostDomains = 20

/** A page may belong to several sites: their domains are separated by commas. */
function projectsFor(services: WireServices, domains = '', page: string | undefined): Project[] {
  const found = new Map<number, Project>()
  for (const domain of domains.split(',', mostDomains).map((one) => one.trim())) {
    const project =
      domain === ''
        ? findProjectForPage(services, [], page)
        : (findProjectForPage(services, [domain], domain) ?? findProjectForPage(services, [], page))
    if (project) found.set(project.id, project)
    else noteUnknownProject(services, name, domain || page)
  }
  return [...found.values()]
}

/**
 * Responds as Plausible does: always 202, with a header if the event was dropped. There is one receipt for each
 * project, and the event counts as kept if one project kept it.
 */
function acceptedResponse(receipts: readonly AcceptedReceipt[]): WireResponse {
  const reasons = receipts.flatMap(({ dropped }) => dropped.map(({ reason }) => reason))
  const isKept = receipts.some(({ kept }) => kept > 0)
  return {
    status: 202,
    headers: {
      ...corsHeaders,
      'access-control-expose-headers': 'x-plausible-dropped, x-tilth-dropped',
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      ...(!isKept && { 'x-plausible-dropped': '1', 'x-tilth-dropped': reasons[0] ?? 'unknown-site' }),
    },
    body: 'ok',
  }
}
