import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import { personLabel } from '#insights/people/person-label'
import { queryInput } from '#insights/query-input'
import type { Cohort } from '#persons/cohort'
import { cohortCollection } from '#persons/cohorts/cohorts'
import type { Erasure } from '#persons/erasures/erasures'
import { failedOutcome } from '#projects/problems'
import type { Product } from '#server/product'
import { changeEndpoint, createEndpoint, listEndpoint, removeEndpoint } from './collection-endpoints'
import { success, type Endpoint, nothing, mapOutcome } from './endpoint'

const texts = z.record(z.string(), z.string())

export const listedPersonShape = z
  .object({
    id: z.string(),
    name: z.string(),
    label: personLabel,
    distinctId: z.string(),
    isIdentified: z.boolean(),
    properties: texts,
    firstSeen: instant.optional(),
    lastSeen: instant.optional(),
    events: z.number(),
    story: z.string().optional().meta({ description: 'A line about what they did in the period' }),
    source: z
      .string()
      .optional()
      .meta({ description: 'Of their first visit in the period; empty if direct' }),
    lastPage: z.object({ path: z.string(), title: z.string() }).optional(),
  })
  .meta({ id: 'PersonSeen' })

const personShape = z
  .object({
    id: z.string(),
    name: z.string(),
    label: personLabel,
    story: z.string().optional(),
    isIdentified: z.boolean(),
    properties: texts,
    distinctIds: z.array(z.string()),
    firstSeen: instant.optional(),
    lastSeen: instant.optional(),
    events: z.number(),
    sessions: z.number(),
    lastPlace: texts,
    firstTouch: z.object({ channel: z.string(), source: z.string() }).optional(),
    revenue: z.array(z.object({ currency: z.string(), sum: z.number() })),
    groups: z.array(z.object({ type: z.string(), key: z.string(), name: z.string() })),
    flags: z.array(z.object({ flag: z.string(), variant: z.string(), lastSeen: instant })),
    cohorts: z.array(z.object({ id: z.string(), name: z.string() })),
  })
  .meta({ id: 'Person' })

const eventShape = z
  .object({
    uuid: z.string(),
    event: z.string(),
    at: instant,
    distinctId: z.string(),
    session: z.string().optional(),
    properties: texts,
    groups: texts,
  })
  .meta({ id: 'PersonEvent' })

const erasureShape = z
  .object({
    id: z.string(),
    person: z.string(),
    askedBy: z.string(),
    askedAt: instant,
    events: z.number().optional().meta({ description: 'How many events were deleted' }),
    rowsOnDisk: z.number().meta({
      description: 'Rows taken out of quarantine and out of damaged pieces of the journal so far',
    }),
    unsearchedBytes: z.number().optional().meta({
      description: 'Bytes of those files in which no row could be read',
    }),
    backups: z.literal('repeated on restore').meta({
      description: 'Snapshots made before still hold the person; restoring one repeats the erasure',
    }),
    finishedAt: instant.optional(),
  })
  .meta({ id: 'Erasure' })

const groupShape = z
  .object({
    type: z.string(),
    key: z.string(),
    name: z.string(),
    properties: texts,
    createdAt: instant,
    persons: z.number(),
    lastSeen: instant.optional(),
  })
  .meta({ id: 'Group' })

const page = z.string().optional().meta({ description: 'From 1; 50 on each' })

/** Cohorts are answered under their name, unlike other entries. */
const cohortAnswer = z.object({ cohort: cohortCollection.api.shape })
const underItsName = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  responseSchema: cohortAnswer,
  handle: async (call) => mapOutcome(await endpoint.handle(call), ({ body }) => ({ cohort: body })),
})
const cohortsOf = ({ people }: Product) => people.cohorts
const showCohort = (cohort: Cohort) => cohortCollection.api.show(cohort)

const erasureBody = ({ projectId: _, numbers, askedAt, finishedAt, ...report }: Erasure) => ({
  ...report,
  person: numbers[0] ?? '',
  askedAt: askedAt.toISOString(),
  backups: 'repeated on restore' as const,
  finishedAt: finishedAt?.toISOString(),
})

/** Leaves out parameters that the query string does not have. */
const optionalParameters = (query: URLSearchParams) =>
  Object.fromEntries([...query].filter(([, value]) => value !== ''))

async function joinText(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

const noPerson = failedOutcome('There is no such person in this project.')
const noCohort = failedOutcome('There is no such cohort in this project.')

export const personEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/persons',
    summary: 'List persons with events in a period',
    right: 'events:read',
    query: z.object({
      period: z.string().optional().meta({ description: 'Such as 30d, the default' }),
      search: z.string().optional().meta({ description: 'In ids, names, e-mails and all properties' }),
      cohort: z.string().optional(),
      sort: z.enum(['last', 'first', 'events']).optional(),
      page,
    }),
    responseSchema: z.object({ persons: z.array(listedPersonShape), total: z.number() }),
    handle: async ({ product, viewer, query, project }) =>
      mapOutcome(
        await product.people.list(project().id, optionalParameters(query), viewer),
        ({ persons, total }) => ({
          persons,
          total,
        }),
      ),
  },
  {
    method: 'GET',
    path: '/projects/{project}/persons/{person}',
    summary: 'Everything that is known of one person',
    right: 'events:read',
    responseSchema: z.object({ person: personShape }),
    handle: async ({ product, viewer, pathParameter, project }) => {
      const person = await product.people.find(project().id, pathParameter('person'), viewer)
      return person ? success({ person }) : noPerson
    },
  },
  {
    method: 'GET',
    path: '/projects/{project}/persons/{person}/events',
    summary: 'What one person did, the latest first',
    right: 'events:read',
    query: z.object({
      event: z.string().optional(),
      before: z.string().optional().meta({ description: 'The time of the last event that is known' }),
      beforeUuid: z.string().optional().meta({ description: 'And its uuid' }),
      limit: z.string().optional(),
    }),
    responseSchema: z.object({ events: z.array(eventShape), hasMore: z.boolean() }),
    handle: async ({ product, viewer, query, pathParameter, project }) => {
      const { before, beforeUuid, ...rest } = optionalParameters(query)
      const from = before === undefined ? {} : { before: { at: before, uuid: beforeUuid } }
      const found = await product.people.events(
        project().id,
        pathParameter('person'),
        { ...rest, ...from },
        viewer,
      )
      return mapOutcome(found, ({ events, hasMore }) => ({ events, hasMore }))
    },
  },
  {
    method: 'GET',
    path: '/projects/{project}/persons/{person}/export',
    summary: 'Everything there is of one person, to be handed over',
    right: 'persons:write',
    alsoRights: ['events:read'],
    responseSchema: z.object({ person: personShape, events: z.array(eventShape) }),
    handle: async ({ product, viewer, pathParameter, project }) => {
      const found = await product.people.export(project().id, pathParameter('person'), viewer)
      return found.done ? success(JSON.parse(await joinText(found.json))) : found
    },
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/persons/{person}',
    summary: 'Erase one person: events, properties and ids',
    right: 'persons:write',
    responseSchema: z.object({ erasure: erasureShape }),
    handle: async ({ product, viewer, pathParameter, project }) => {
      const person = pathParameter('person')
      if (!(await product.people.isKnown(project().id, person, viewer))) return noPerson
      return mapOutcome(await product.people.erasures.ask(project().id, person, viewer), ({ erasure }) => ({
        erasure: erasureBody(erasure),
      }))
    },
  },
  {
    method: 'POST',
    path: '/projects/{project}/persons/{person}/split',
    summary: 'Undo a merge: a distinct id becomes a person of its own again',
    right: 'persons:write',
    input: z.strictObject({ distinctId: z.string() }),
    responseSchema: z.object({ person: z.string().meta({ description: 'The id of its own person' }) }),
    handle: async ({ product, viewer, input, pathParameter, project }) =>
      mapOutcome(
        await product.people.splits.ask(project().id, pathParameter('person'), input, viewer),
        ({ split }) => ({ person: split.to }),
      ),
  },
  {
    method: 'GET',
    path: '/projects/{project}/erasures',
    summary: 'List requested erasures of persons and whether they are done',
    right: 'persons:write',
    responseSchema: z.object({ erasures: z.array(erasureShape) }),
    handle: async ({ product, viewer, project }) =>
      success({ erasures: (await product.people.erasures.list(project().id, viewer)).map(erasureBody) }),
  },
  {
    method: 'GET',
    path: '/projects/{project}/groups',
    summary: 'List groups of a type, those with most persons first',
    right: 'events:read',
    query: z.object({ type: z.string(), search: z.string().optional(), page }),
    responseSchema: z.object({ groups: z.array(groupShape), total: z.number() }),
    handle: async ({ product, viewer, query, project }) =>
      mapOutcome(
        await product.people.groups(project().id, optionalParameters(query), viewer),
        ({ groups, total }) => ({
          groups,
          total,
        }),
      ),
  },
  listEndpoint(cohortCollection, cohortsOf),
  underItsName(createEndpoint(cohortCollection, cohortsOf)),
  {
    method: 'POST',
    path: '/projects/{project}/cohorts/from-lines',
    summary: 'Make a cohort of those whose distinct ids or e-mails stand in the lines of a CSV',
    right: 'insights:write',
    input: z.object({ name: z.string(), text: z.string() }),
    responseSchema: z.object({
      cohort: cohortCollection.api.shape,
      found: z.number(),
      missing: z.array(z.string()),
    }),
    status: 201,
    handle: async ({ product, viewer, input, project }) =>
      mapOutcome(
        await product.people.cohortFromLines(project().id, input, viewer),
        ({ cohort, found, missing }) => ({ cohort: showCohort(cohort), found, missing }),
      ),
  },
  {
    method: 'GET',
    path: '/projects/{project}/cohorts/{cohort}',
    summary: 'One cohort, and how many are in it now',
    right: 'events:read',
    responseSchema: z.object({ cohort: cohortCollection.api.shape, size: z.number() }),
    handle: async ({ product, viewer, pathParameter, project }) => {
      const { id } = project()
      const cohort = await product.people.cohorts.find(id, pathParameter('cohort'), viewer)
      if (!cohort) return noCohort
      return success({ cohort: showCohort(cohort), size: await product.people.size(id, cohort.id, viewer) })
    },
  },
  underItsName(changeEndpoint(cohortCollection, cohortsOf)),
  {
    method: 'POST',
    path: '/projects/{project}/cohorts/{cohort}/persons',
    summary: 'Put persons into a cohort of picked ones',
    right: 'insights:write',
    input: z.object({ persons: z.array(z.string()) }),
    responseSchema: nothing,
    handle: async ({ product, viewer, input, pathParameter, project }) =>
      mapOutcome(
        await product.people.cohorts.addPersons(project().id, pathParameter('cohort'), input, viewer),
        () => ({}),
      ),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/cohorts/{cohort}/persons/{person}',
    summary: 'Take a person out of a cohort of picked ones',
    right: 'insights:write',
    responseSchema: nothing,
    handle: async ({ product, viewer, pathParameter, project }) =>
      mapOutcome(
        await product.people.cohorts.removePerson(
          project().id,
          pathParameter('cohort'),
          pathParameter('person'),
          viewer,
        ),
        () => ({}),
      ),
  },
  removeEndpoint(cohortCollection, cohortsOf),
  {
    method: 'POST',
    path: '/projects/{project}/query/persons',
    summary: 'Who is behind one number of an answer, 100 on a page',
    right: 'events:read',
    input: z.object({
      question: queryInput,
      // the kind of the query says which fields a point of its answer has
      point: z.looseObject({}),
      page: z.number().int().optional(),
    }),
    responseSchema: z.object({ persons: z.array(listedPersonShape), total: z.number() }),
    handle: async ({ product, viewer, input, project }) => {
      // any input that was sent; the product reads it
      const { question, point, page: number } = (input ?? {}) as Record<string, unknown>
      const wanted = typeof number === 'number' ? number : 1
      return mapOutcome(
        await product.people.personsBehind(project().id, question, point, viewer, wanted),
        ({ persons, total }) => ({ persons, total }),
      )
    },
  },
]
