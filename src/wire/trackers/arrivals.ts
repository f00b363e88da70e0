import type { Envelope, IncomingEvent } from '../../events/event'
import type { Desk, NamedProject, NotTaken, WireAnswer, WireRequest } from '../dialect'
import { json } from '../answers'

/** An event of a visitor without an id: all that most trackers of pages know. */
export const anEvent = (
  event: Pick<IncomingEvent, 'name' | 'properties'> & Partial<IncomingEvent>,
): IncomingEvent => ({
  uuid: undefined,
  distinctId: undefined,
  timestamp: undefined,
  ageMs: undefined,
  hasPerson: event.distinctId !== undefined,
  person: nothingNew,
  identity: undefined,
  groups: {},
  group: undefined,
  ...event,
})

export const nothingNew: IncomingEvent['person'] = { set: {}, setOnce: {}, unset: [], add: {} }

/** How a page's events came: from the visitor's own browser, and now. */
export function envelopeOf(
  { headers, address, receivedAt }: WireRequest,
  project: NamedProject,
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

/** The first of these names that a project is known by; else the project whose site the page is part of. */
export function projectFor(
  desk: Desk,
  names: readonly (string | undefined)[],
  page: string | undefined,
): NamedProject | undefined {
  for (const name of names) {
    const named = name === undefined ? undefined : desk.projectNamed(name)
    if (named) return named
  }
  const host = page === undefined ? undefined : hostOf(page)
  return host === undefined ? undefined : desk.projectAt(host)
}

/** The host of a page's address; a text without a path or a scheme is a host already. */
export function hostOf(page: string): string | undefined {
  const host = page.includes('://') ? URL.parse(page)?.host : page.split('/', 1)[0]
  return host === '' ? undefined : host
}

/** Said where a key or a site is not known: what was looked for, and where the right one is. */
export function noteUnknown(desk: Desk, dialect: string, named: string | undefined): void {
  desk.noteRefusal({
    dialect,
    reason: named === undefined ? 'no-key' : 'unknown-key',
    named: named?.slice(0, longestName),
  })
}

/** Longer than any key or host that is meant seriously. */
const longestName = 100

/** Passing trouble: to be tried again, which only a 5xx says to everybody. */
export function laterAnswer({ retryAfterSeconds }: NotTaken): WireAnswer {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds))
  return json(
    503,
    { error: `Events cannot be written down right now. Send this again in ${seconds} s.` },
    { 'retry-after': String(seconds) },
  )
}
