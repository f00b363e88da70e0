import type { SentEvent } from '#insights/people/sent-events'
import type { SentPerson } from '#insights/people/sent-persons'
import type { Outcome } from '#projects/problems'
import {
  linkTo,
  missing,
  pageParameters,
  pageRequestOf,
  type PosthogCall,
  type PosthogEndpoint,
  type PosthogOutcome,
  refused,
  success,
} from './endpoint'
import { groupTypesOf } from './projects'
import { filterFrom } from '../property-filters'

/** An event as PostHog's API gives it. */
export const eventBody = (event: SentEvent, persons: ReadonlyMap<string, SentPerson>) => {
  const person = persons.get(event.person)
  const groups = Object.keys(event.groups).length > 0 ? { $groups: event.groups } : {}
  return {
    id: event.uuid,
    uuid: event.uuid,
    event: event.event,
    timestamp: event.at,
    distinct_id: event.distinctId,
    properties: {
      ...event.properties,
      ...groups,
      distinct_id: event.distinctId,
      ...(event.session !== undefined && { $session_id: event.session }),
    },
    elements: [],
    elements_chain: event.properties['$elements_chain'] ?? '',
    person: {
      id: event.person,
      uuid: event.person,
      is_identified: person?.isIdentified ?? false,
      distinct_ids: person && person.distinctIds.length > 0 ? person.distinctIds : [event.distinctId],
      properties: person?.properties ?? {},
    },
  }
}

/** The stored persons of events, by id. */
export async function personsIn(
  events: readonly SentEvent[],
  { product, project, viewer }: PosthogCall,
): Promise<ReadonlyMap<string, SentPerson>> {
  const ids = [...new Set(events.map(({ person }) => person))]
  const persons = await product.people.sentPersons(project.id, ids, viewer)
  return new Map(persons.map((person) => [person.id, person]))
}

/** Converts a moment in any of PostHog's forms to an instant in ISO 8601; undefined where it is none. */
export function instantOf(text: string, now: Date): string | undefined {
  const [, amount = '', unit = ''] = /^-(\d{1,5})([hdwmy])$/.exec(text) ?? []
  if (unit !== '') {
    const hours = { h: 1, d: 24, w: 168, m: 730, y: 8760 }[unit] ?? 0
    return new Date(now.getTime() - Number(amount) * hours * 3_600_000).toISOString()
  }
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

async function filterOf(call: PosthogCall): Promise<Outcome<{ filter: object | undefined }>> {
  const text = call.query.get('properties')
  if (text === null) return { done: true, filter: undefined }
  try {
    const given: unknown = JSON.parse(text)
    return filterFrom(given, await groupTypesOf(call))
  } catch {
    return refused('The properties are not JSON.', 'properties')
  }
}

async function listEvents(call: PosthogCall): Promise<PosthogOutcome> {
  const { product, project, viewer, query, address, now } = call
  const read = pageRequestOf(query)
  if (!read.done) return read
  const { limit, offset } = read.page
  const until = instantOf(query.get('before') ?? now.toISOString(), now)
  const after = query.get('after')
  const from = after === null ? undefined : instantOf(after, now)
  if (until === undefined) return refused('Give the time as 2026-03-02T10:00:00Z, or as -7d.', 'before')
  if (after !== null && from === undefined)
    return refused('Give the time as 2026-03-02T10:00:00Z, or as -7d.', 'after')
  const filtered = await filterOf(call)
  if (!filtered.done) return filtered
  const asked = {
    event: query.get('event') ?? undefined,
    distinctId: query.get('distinct_id') ?? undefined,
    person: query.get('person_id') ?? undefined,
    filter: filtered.filter,
    from,
    // an event's time may be some seconds ahead of the server's clock
    until: query.has('before') ? until : undefined,
    limit: limit + 1,
    offset,
  }
  const found = await product.people.sentEvents(project.id, asked, viewer)
  if (!found.done) return found
  const events = found.events.slice(0, limit)
  const persons = await personsIn(events, call)
  const hasMore = found.events.length > limit
  return success({
    next: hasMore ? linkTo(address, { before: until, offset: offset + limit, limit }) : null,
    results: events.map((event) => eventBody(event, persons)),
  })
}

const parameters = [
  ...pageParameters,
  'event',
  'distinct_id',
  'person_id',
  'properties',
  'before',
  'after',
] as const

export const eventEndpoints: readonly PosthogEndpoint[] = [
  { method: 'GET', path: '/projects/{project}/events', query: parameters, handle: listEvents },
  {
    method: 'GET',
    path: '/projects/{project}/events/{event}',
    handle: async (call) => {
      const { product, project, viewer, part } = call
      const found = await product.people.sentEvents(project.id, { uuid: part('event'), limit: 1 }, viewer)
      if (!found.done || !found.events[0]) return missing
      return success(eventBody(found.events[0], await personsIn(found.events, call)))
    },
  },
]
