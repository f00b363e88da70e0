import { basename } from 'node:path'
import type { Project } from '../../projects/project'
import { json, openToAll } from '../answers'
import type { Desk, Dialect, Receipt, WireAnswer, WireRequest } from '../dialect'
import { envelopeOf, laterAnswer, noteUnknown, projectFor } from '../trackers/arrivals'
import { textIn } from '../trackers/said'
import { scriptAnswer, type Scripts } from '../trackers/scripts'
import { isProperties, unpacked } from '../unpack'
import { eventOf, objectionTo } from './events'
import { scriptNamed } from './variants'

const name = 'plausible'

/** Plausible's trackers, of every age. */
export const plausible = (scripts: Scripts): Dialect => ({
  name,
  routes: [
    // named by itself too, because without its folder it is called like Umami's
    { methods: ['GET'], path: '/js/script.js', answer: (request) => answerScript(request, scripts) },
    { methods: ['GET'], path: '/js/:script', answer: (request) => answerScript(request, scripts) },
    { methods: ['POST'], path: '/api/event', answer: receive },
  ],
})

function answerScript(request: WireRequest, scripts: Scripts): WireAnswer {
  const text = scriptNamed(basename(request.path), scripts.text('plausible'))
  return text === undefined
    ? {
        status: 404,
        headers: { ...openToAll, 'content-type': 'text/plain' },
        body: 'There is no such script.',
      }
    : scriptAnswer(text, request)
}

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
  const receipts = await Promise.all(
    projects.map((project) => desk.take([eventOf(said)], envelopeOf(request, project, { dialect: name }))),
  )
  return answerFor(receipts)
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
function answerFor(receipts: readonly Receipt[]): WireAnswer {
  const later = receipts.find((receipt) => !receipt.taken)
  if (later) return laterAnswer(later)
  const reasons = receipts.flatMap((receipt) =>
    receipt.taken ? receipt.dropped.map(({ reason }) => reason) : [],
  )
  const isKept = receipts.some((receipt) => receipt.taken && receipt.kept > 0)
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
