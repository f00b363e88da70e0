import type { Envelope, IncomingEvent } from '#events/event'
import type { WireServices, ResolvedProject, DeferredReceipt, WireResponse, WireRequest } from '../dialect'
import { jsonResponse } from './responses'

/** Creates an event of a visitor without an id; most trackers know no more. */
export const trackerEvent = (
  event: Pick<IncomingEvent, 'name' | 'properties'> & Partial<IncomingEvent>,
): IncomingEvent => ({
  uuid: undefined,
  distinctId: undefined,
  timestamp: undefined,
  ageMs: undefined,
  hasPerson: event.distinctId !== undefined,
  person: noPersonChanges,
  identity: undefined,
  groups: {},
  group: undefined,
  ...event,
})

export const noPersonChanges: IncomingEvent['person'] = { set: {}, setOnce: {}, unset: [], add: {} }

/** A page's events come from the visitor's own browser, at this moment. */
export function trackerEnvelope(
  { headers, address, receivedAt }: WireRequest,
  project: ResolvedProject,
  more: Pick<Envelope, 'dialect'> & Partial<Envelope>,
): Envelope {
  return {
    projectId: project.id,
    environment: project.environment,
    receivedAt,
    sentAt: undefined,
    address,
    userAgent: headers['user-agent'] ?? '',
    language: headers['accept-language'],
    fromServer: false,
    isHistorical: false,
    optedOut: headers['dnt'] === '1' || headers['sec-gpc'] === '1',
    ...more,
  }
}

/** Finds the project by the first known name, or else by the host of the page. */
export function findProjectForPage(
  services: WireServices,
  names: readonly (string | undefined)[],
  page: string | undefined,
): ResolvedProject | undefined {
  for (const name of names) {
    const named = name === undefined ? undefined : services.findProject(name)
    if (named) return named
  }
  const host = page === undefined ? undefined : hostOf(page)
  return host === undefined ? undefined : services.findProjectByHost(host)
}

/** The host of a page's address; a text without a path or a scheme is a host already. */
export function hostOf(page: string): string | undefined {
  const host = page.includes('://') ? URL.parse(page)?.host : page.split('/', 1)[0]
  return host === '' ? undefined : host
}

/** Records a request with an unknown key or site, so that the project's owner can find the right one. */
export function noteUnknownProject(services: WireServices, dialect: string, named: string | undefined): void {
  services.noteRefusal({
    dialect,
    reason: named === undefined ? 'no-key' : 'unknown-key',
    named: named?.slice(0, longestName),
  })
}

/** Longer texts are not valid keys or hosts. */
const longestName = 100

/** A temporary failure. Only a 5xx makes all clients retry. */
export function retryLaterResponse({ retryAfterSeconds }: DeferredReceipt): WireResponse {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds))
  return jsonResponse(
    503,
    { error: `Events cannot be written down right now. Send this again in ${seconds} s.` },
    { 'retry-after': String(seconds) },
  )
}
