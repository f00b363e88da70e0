import type { Properties } from '../../events/event'
import type { Project } from '../../projects/project'
import type { WireRequest } from '../dialect'
import { parsed, isProperties } from '../unpack'
import { numberIn, textIn } from '../trackers/said'
import { uuidFrom } from '../trackers/uuid'

/** Umami's visits end with half an hour of silence. */
const longestSilenceMs = 30 * 60_000

interface Ticket {
  sessionId: string
  visitId: string
  at: number
}

/**
 * What the tracker is given and sends back with its next request (`x-umami-cache`). Umami finds the session by it; here
 * nothing rests on it: it keeps the ids a client may look at the same while a page is open, and needs no signature.
 */
export function ticketFor(request: WireRequest, project: Project): Properties {
  const now = request.receivedAt.getTime()
  const before = ticketIn(request.headers['x-umami-cache'])
  const sessionId = before?.sessionId ?? uuidFrom(`session ${project.id} ${trace(request)}`)
  const goesOn = before !== undefined && now - before.at < longestSilenceMs
  const visitId = goesOn ? before.visitId : uuidFrom(`visit ${project.id} ${trace(request)}`)
  const cache = Buffer.from(JSON.stringify({ sessionId, visitId, at: now })).toString('base64url')
  return { cache, sessionId, visitId }
}

/** With the moment in it, so that nobody is known again by what comes of it. */
const trace = ({ address, receivedAt, headers }: WireRequest): string =>
  `${receivedAt.getTime()} ${address} ${headers['user-agent']}`

const longestTicket = 500

function ticketIn(header: string | string[] | undefined): Ticket | undefined {
  if (typeof header !== 'string' || header === '' || header.length > longestTicket) return undefined
  const said = parsed(Buffer.from(header, 'base64url').toString())
  if (!said.read || !isProperties(said.what)) return undefined
  const [sessionId, visitId] = [textIn(said.what, 'sessionId'), textIn(said.what, 'visitId')]
  const at = numberIn(said.what, 'at')
  return sessionId && visitId && at !== undefined ? { sessionId, visitId, at } : undefined
}
