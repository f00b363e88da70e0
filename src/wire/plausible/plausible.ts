import { basename } from 'node:path'
import type { Project } from '../../projects/project'
import { json, openToAll } from '../answers'
import type { Desk, Dialect, Taken, WireAnswer, WireRequest } from '../dialect'
import { envelopeOf, laterAnswer, noteUnknown, projectFor } from '../trackers/arrivals'
import { textIn } from '../trackers/said'
import { scriptAnswer, type Scripts } from '../trackers/scripts'
import { isProperties, unpacked } from '../unpack'
import { eventOf, objectionTo } from './events'
import { isScriptName, scriptNamed } from './variants'

const name = 'plausible'

/** Plausible's trackers, of every age. */
export const plausible = (scripts: Scripts): Dialect => ({
  name,
  routes: [
    // named by itself too, because without its folder it is called like Umami's
    { methods: ['GET'], path: '/js/script.js', answer: (request) => answerScript(request, scripts) },
    {
      methods: ['GET'],
      path: '/js/:script',
      knows: ({ script = '' }) => isScriptName(script),
      answer: (request) => answerScript(request, scripts),
    },
    { methods: ['POST'], path: '/api/event', answer: receive },
  ],
})

const answerScript = (request: WireRequest, scripts: Scripts): WireAnswer =>
  scriptAnswer(scriptNamed(basename(request.path), scripts.text('plausible')), request)

async function receive(request: WireRequest, desk: Desk): Promise<WireAnswer> {
  const body = unpacked(request)
  if (!body.read || !isProperties(body.what)) {
    desk.noteRefusal({ dialect: name, reason: 'unreadable' })
    return json(400, { errors: { body: [body.read ? 'is not an object' : body.detail] } })
  }
  const said = body.what
  const objection = objectionTo(said)
  if (objection) {
    desk.noteRefusal({ dialect: name, reason: 'unreadable' })
    return json(400, { errors: objection })
  }
  const projects = projectsFor(desk, textIn(said, 'd', 'domain'), textIn(said, 'u', 'url'))
  const joint = await desk.takeTogether(
    projects.map((project) => ({
      events: [eventOf(said)],
      envelope: envelopeOf(request, project, { dialect: name }),
    })),
  )
  return joint.taken ? answerFor(joint.receipts) : laterAnswer(joint)
}

/** More sites than anybody counts one page in. */
const mostDomains = 20

/** A page may be counted in several sites at once: their domains are a list with commas. */
function projectsFor(desk: Desk, domains = '', page: string | undefined): Project[] {
  const found = new Map<number, Project>()
  for (const domain of domains.split(',', mostDomains).map((one) => one.trim())) {
    const project =
      domain === ''
        ? projectFor(desk, [], page)
        : (projectFor(desk, [domain], domain) ?? projectFor(desk, [], page))
    if (project) found.set(project.id, project)
    else noteUnknown(desk, name, domain || page)
  }
  return [...found.values()]
}

/**
 * Plausible accepts whatever it is sent, and tells only in a header that it did not keep it. A receipt is for one event,
 * and where several projects got it, one that kept it is enough.
 */
function answerFor(receipts: readonly Taken[]): WireAnswer {
  const reasons = receipts.flatMap(({ dropped }) => dropped.map(({ reason }) => reason))
  const isKept = receipts.some(({ kept }) => kept > 0)
  return {
    status: 202,
    headers: {
      ...openToAll,
      'access-control-expose-headers': 'x-plausible-dropped, x-tilth-dropped',
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      ...(!isKept && { 'x-plausible-dropped': '1', 'x-tilth-dropped': reasons[0] ?? 'unknown-site' }),
    },
    body: 'ok',
  }
}
