import type { Properties } from '#events/event'
import type { Project } from '#projects/project'
import type { WireRequest } from '../dialect'
import { parseJson, isProperties } from '../decode-body'
import { numberField, textField } from '../read-fields'
import { uuidFrom } from '#ingest/uuid'

/** Umami's visits end after half an hour without events. */
const longestSilenceMs = 30 * 60_000

interface SessionCacheEntry {
  sessionId: string
  visitId: string
  at: number
}

/**
 * The token that the tracker receives and returns with its next request (`x-umami-cache`). Umami finds the session by
 * it. Here it only keeps the ids that a client can see constant while a page is open, so it needs no signature.
 */
export function sessionCacheFor(request: WireRequest, project: Project): Properties {
  const now = request.receivedAt.getTime()
  const previous = parseSessionCache(request.headers['x-umami-cache'])
  const sessionId = previous?.sessionId ?? uuidFrom(`session ${project.id} ${visitorTrace(request)}`)
  const continuesVisit = previous !== undefined && now - previous.at < longestSilenceMs
  const visitId = continuesVisit ? previous.visitId : uuidFrom(`visit ${project.id} ${visitorTrace(request)}`)
  const cache = Buffer.from(JSON.stringify({ sessionId, visitId, at: now })).toString('base64url')
  return { cache, sessionId, visitId }
}

/** Contains the current time, so that the id does not identify a returning visitor. */
const visitorTrace = ({ address, receivedAt, headers }: WireRequest): string =>
  `${receivedAt.getTime()} ${address} ${headers['user-agent']}`

const maxHeaderLength = 500

function parseSessionCache(header: string | string[] | undefined): SessionCacheEntry | undefined {
  if (typeof header !== 'string' || header === '' || header.length > maxHeaderLength) return undefined
  const parsed = parseJson(Buffer.from(header, 'base64url').toString())
  if (!parsed.read || !isProperties(parsed.what)) return undefined
  const [sessionId, visitId] = [textField(parsed.what, 'sessionId'), textField(parsed.what, 'visitId')]
  const at = numberField(parsed.what, 'at')
  return sessionId && visitId && at !== undefined ? { sessionId, visitId, at } : undefined
}
