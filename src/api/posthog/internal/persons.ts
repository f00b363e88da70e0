import type { SentPerson } from '#insights/people/sent-persons'
import {
  missing,
  pageBody,
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

interface KnownPerson {
  id: string
  name: string
  isIdentified: boolean
  distinctIds: readonly string[]
  properties: Readonly<Record<string, string>>
  firstSeen: string | undefined
  lastSeen: string | undefined
}

/** A person as PostHog's API gives it; what was set is given as it was sent. */
const personBody = (person: KnownPerson, sent: SentPerson | undefined) => ({
  id: person.id,
  uuid: person.id,
  type: 'person',
  name: person.name,
  distinct_ids: [...new Set([...(sent?.distinctIds ?? []), ...person.distinctIds])],
  properties: sent?.properties ?? person.properties,
  is_identified: person.isIdentified,
  created_at: sent?.createdAt.toISOString() ?? person.firstSeen ?? null,
  last_seen_at: person.lastSeen ?? null,
})

async function personWith(call: PosthogCall, id: string): Promise<object | undefined> {
  const { product, project, viewer } = call
  const [person, [sent]] = await Promise.all([
    product.people.find(project.id, id, viewer),
    product.people.sentPersons(project.id, [id], viewer),
  ])
  return person && personBody(person, sent)
}

/** Persons are named by their UUID or by one of their distinct ids. */
const idIn = async ({ product, project, viewer }: PosthogCall, named: string): Promise<string> =>
  (/^[0-9a-f-]{36}$/i.test(named) ? named : await product.people.idOf(project.id, named, viewer)) ?? named

async function listPersons(call: PosthogCall): Promise<PosthogOutcome> {
  const { query } = call
  const distinctId = query.get('distinct_id')
  if (distinctId !== null) return await personsOfDistinctId(call, distinctId)
  const read = pageRequestOf(query)
  if (!read.done) return read
  const { page } = read
  if (page.offset % page.limit !== 0)
    return refused('Give an offset that is a multiple of the limit.', 'offset')
  const filtered = await filterOf(call)
  if (!filtered.done) return filtered
  const { product, project, viewer } = call
  const found = await product.people.list(
    project.id,
    {
      period: 'all',
      search: query.get('search') ?? '',
      cohort: query.get('cohort') ?? undefined,
      filter: filtered.filter,
      perPage: page.limit,
      page: page.offset / page.limit + 1,
    },
    viewer,
  )
  if (!found.done) return found
  const ids = found.persons.map(({ id }) => id)
  const sent = new Map(
    (await product.people.sentPersons(project.id, ids, viewer)).map((person) => [person.id, person]),
  )
  const results = found.persons.map(({ distinctId: id, ...person }) =>
    personBody({ ...person, distinctIds: [id] }, sent.get(person.id)),
  )
  return success(pageBody(call, page, results, found.total))
}

async function personsOfDistinctId(call: PosthogCall, distinctId: string): Promise<PosthogOutcome> {
  const person = await personWith(call, await idIn(call, distinctId))
  const results = person ? [person] : []
  return success({ count: results.length, next: null, previous: null, results })
}

/** Returns the filter for persons with this e-mail address, or with these properties. */
async function filterOf(call: PosthogCall) {
  const email = call.query.get('email')
  const text = call.query.get('properties')
  const given = text === null ? [] : parsedList(text)
  if (!given) return refused('The properties are not a list in JSON.', 'properties')
  const own = email === null ? [] : [{ key: 'email', value: email, operator: 'exact' }]
  const ofPersons = [...own, ...given].map((one) => ({ type: 'person', ...one }))
  return filterFrom(ofPersons, await groupTypesOf(call))
}

function parsedList(text: string): object[] | undefined {
  try {
    const given: unknown = JSON.parse(text)
    return Array.isArray(given) ? given.filter((one): one is object => typeof one === 'object') : undefined
  } catch {
    return undefined
  }
}

const personPath = '/projects/{project}/persons/{person}'

export const personEndpoints: readonly PosthogEndpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/persons',
    query: [...pageParameters, 'search', 'distinct_id', 'email', 'cohort', 'properties'],
    handle: listPersons,
  },
  {
    method: 'GET',
    path: personPath,
    handle: async (call) => {
      const person = await personWith(call, await idIn(call, call.part('person')))
      return person ? success(person) : missing
    },
  },
  {
    method: 'DELETE',
    path: personPath,
    query: ['delete_events'],
    status: 202,
    handle: async (call) => {
      const { product, project, viewer, query } = call
      if (query.get('delete_events') !== 'true')
        return refused('Tilth erases a person with the events. Ask with delete_events=true.', 'delete_events')
      const person = await idIn(call, call.part('person'))
      if (!(await product.people.isKnown(project.id, person, viewer))) return missing
      const outcome = await product.people.erasures.ask(project.id, person, viewer)
      return outcome.done ? success({}) : missing
    },
  },
]
