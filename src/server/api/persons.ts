import { z } from 'zod'
import type { Cohort } from '../../persons/cohort'
import { cohortChange, newCohort } from '../../persons/cohorts'
import type { Erasure } from '../../persons/erasures'
import { undone } from '../../projects/problems'
import { done, type Endpoint, instant, nothing, shownAs } from './endpoint'

const texts = z.record(z.string(), z.string())

const seenShape = z
  .object({
    id: z.string(),
    name: z.string(),
    distinctId: z.string(),
    isIdentified: z.boolean(),
    properties: texts,
    firstSeen: instant.optional(),
    lastSeen: instant.optional(),
    events: z.number(),
  })
  .meta({ id: 'PersonSeen' })

const personShape = z
  .object({
    id: z.string(),
    name: z.string(),
    isIdentified: z.boolean(),
    properties: texts,
    distinctIds: z.array(z.string()),
    firstSeen: instant.optional(),
    lastSeen: instant.optional(),
    events: z.number(),
    sessions: z.number(),
    lastPlace: texts,
    revenue: z.array(z.object({ currency: z.string(), sum: z.number() })),
    groups: z.array(z.object({ type: z.string(), key: z.string() })),
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

const cohortShape = z
  .object({
    id: z.string(),
    name: z.string(),
    about: z.string(),
    definition: z.looseObject({}).optional().meta({ description: 'Absent where its persons were picked' }),
    createdBy: z.string(),
    createdAt: instant,
    changedAt: instant,
  })
  .meta({ id: 'Cohort' })

const erasureShape = z
  .object({
    id: z.string(),
    person: z.string(),
    askedBy: z.string(),
    askedAt: instant,
    events: z.number().optional(),
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

const shown = ({ projectId: _, createdAt, changedAt, ...cohort }: Cohort) => ({
  ...cohort,
  createdAt: createdAt.toISOString(),
  changedAt: changedAt.toISOString(),
})

const shownErasure = ({ id, numbers, askedBy, askedAt, events, finishedAt }: Erasure) => ({
  id,
  person: numbers[0] ?? '',
  askedBy,
  askedAt: askedAt.toISOString(),
  events,
  finishedAt: finishedAt?.toISOString(),
})

/** What is not there in the address is not asked. */
const asked = (query: URLSearchParams) => Object.fromEntries([...query].filter(([, value]) => value !== ''))

async function joined(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

const noPerson = undone('There is no such person in this project.')
const noCohort = undone('There is no such cohort in this project.')

export const personEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/persons',
    summary: 'List persons of whom something happened in a period',
    right: 'events:read',
    query: z.object({
      period: z.string().optional().meta({ description: 'Such as 30d, the default' }),
      search: z.string().optional().meta({ description: 'In ids, names, e-mails and all properties' }),
      cohort: z.string().optional(),
      sort: z.enum(['last', 'first', 'events']).optional(),
      page,
    }),
    answers: z.object({ persons: z.array(seenShape), total: z.number() }),
    answer: async ({ product, viewer, query, project }) =>
      shownAs(await product.people.list(project().id, asked(query), viewer), ({ persons, total }) => ({
        persons,
        total,
      })),
  },
  {
    method: 'GET',
    path: '/projects/{project}/persons/{person}',
    summary: 'Everything that is known of one person',
    right: 'events:read',
    answers: z.object({ person: personShape }),
    answer: async ({ product, viewer, part, project }) => {
      const person = await product.people.find(project().id, part('person'), viewer)
      return person ? done({ person }) : noPerson
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
    answers: z.object({ events: z.array(eventShape), hasMore: z.boolean() }),
    answer: async ({ product, viewer, query, part, project }) => {
      const { before, beforeUuid, ...rest } = asked(query)
      const from = before === undefined ? {} : { before: { at: before, uuid: beforeUuid } }
      const found = await product.people.events(project().id, part('person'), { ...rest, ...from }, viewer)
      return shownAs(found, ({ events, hasMore }) => ({ events, hasMore }))
    },
  },
  {
    method: 'GET',
    path: '/projects/{project}/persons/{person}/export',
    summary: 'Everything there is of one person, to be handed over',
    right: 'persons:write',
    answers: z.object({ person: personShape, events: z.array(eventShape) }),
    answer: async ({ product, viewer, part, project }) => {
      const found = await product.people.export(project().id, part('person'), viewer)
      return found.done ? done(JSON.parse(await joined(found.json))) : found
    },
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/persons/{person}',
    summary: 'Erase one person: events, properties and ids',
    right: 'persons:write',
    answers: z.object({ erasure: erasureShape }),
    answer: async ({ product, viewer, part, project }) =>
      shownAs(await product.erasures.ask(project().id, part('person'), viewer), ({ erasure }) => ({
        erasure: shownErasure(erasure),
      })),
  },
  {
    method: 'GET',
    path: '/projects/{project}/erasures',
    summary: 'Who was asked to be erased, and whether it is done',
    right: 'persons:write',
    answers: z.object({ erasures: z.array(erasureShape) }),
    answer: async ({ product, viewer, project }) =>
      done({ erasures: (await product.erasures.list(project().id, viewer)).map(shownErasure) }),
  },
  {
    method: 'GET',
    path: '/projects/{project}/groups',
    summary: 'List groups of a type, those with most persons first',
    right: 'events:read',
    query: z.object({ type: z.string(), search: z.string().optional(), page }),
    answers: z.object({ groups: z.array(groupShape), total: z.number() }),
    answer: async ({ product, viewer, query, project }) =>
      shownAs(await product.people.groups(project().id, asked(query), viewer), ({ groups, total }) => ({
        groups,
        total,
      })),
  },
  {
    method: 'GET',
    path: '/projects/{project}/cohorts',
    summary: 'List cohorts',
    right: 'events:read',
    answers: z.object({ cohorts: z.array(cohortShape) }),
    answer: async ({ product, viewer, project }) =>
      done({ cohorts: (await product.cohorts.list(project().id, viewer)).map(shown) }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/cohorts',
    summary: 'Make a cohort, by a definition or of picked persons',
    right: 'insights:write',
    input: newCohort,
    answers: z.object({ cohort: cohortShape }),
    status: 201,
    answer: async ({ product, viewer, input, project }) =>
      shownAs(await product.cohorts.create(project().id, input, viewer), ({ cohort }) => ({
        cohort: shown(cohort),
      })),
  },
  {
    method: 'POST',
    path: '/projects/{project}/cohorts/from-lines',
    summary: 'Make a cohort of those whose distinct ids or e-mails stand in the lines of a CSV',
    right: 'insights:write',
    input: z.object({ name: z.string(), text: z.string() }),
    answers: z.object({ cohort: cohortShape, found: z.number(), missing: z.array(z.string()) }),
    status: 201,
    answer: async ({ product, viewer, input, project }) =>
      shownAs(
        await product.people.cohortFromLines(project().id, input, viewer),
        ({ cohort, found, missing }) => ({ cohort: shown(cohort), found, missing }),
      ),
  },
  {
    method: 'GET',
    path: '/projects/{project}/cohorts/{cohort}',
    summary: 'One cohort, and how many are in it now',
    right: 'events:read',
    answers: z.object({ cohort: cohortShape, size: z.number() }),
    answer: async ({ product, viewer, part, project }) => {
      const { id } = project()
      const cohort = await product.cohorts.find(id, part('cohort'), viewer)
      if (!cohort) return noCohort
      return done({ cohort: shown(cohort), size: await product.people.size(id, cohort.id, viewer) })
    },
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/cohorts/{cohort}',
    summary: 'Change a cohort',
    right: 'insights:write',
    input: cohortChange,
    answers: z.object({ cohort: cohortShape }),
    answer: async ({ product, viewer, input, part, project }) =>
      shownAs(await product.cohorts.change(project().id, part('cohort'), input, viewer), ({ cohort }) => ({
        cohort: shown(cohort),
      })),
  },
  {
    method: 'POST',
    path: '/projects/{project}/cohorts/{cohort}/persons',
    summary: 'Put persons into a cohort of picked ones',
    right: 'insights:write',
    input: z.object({ persons: z.array(z.string()) }),
    answers: nothing,
    answer: async ({ product, viewer, input, part, project }) =>
      shownAs(await product.cohorts.addPersons(project().id, part('cohort'), input, viewer), () => ({})),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/cohorts/{cohort}/persons/{person}',
    summary: 'Take a person out of a cohort of picked ones',
    right: 'insights:write',
    answers: nothing,
    answer: async ({ product, viewer, part, project }) =>
      shownAs(
        await product.cohorts.removePerson(project().id, part('cohort'), part('person'), viewer),
        () => ({}),
      ),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/cohorts/{cohort}',
    summary: 'Remove a cohort',
    right: 'insights:write',
    answers: nothing,
    answer: async ({ product, viewer, part, project }) =>
      shownAs(await product.cohorts.remove(project().id, part('cohort'), viewer), () => ({})),
  },
  {
    method: 'POST',
    path: '/projects/{project}/query/persons',
    summary: 'Who is behind one number of an answer, 100 on a page',
    right: 'events:read',
    input: z.object({
      question: z.looseObject({ kind: z.string() }),
      point: z.looseObject({}),
      page: z.number().int().optional(),
    }),
    answers: z.object({ persons: z.array(seenShape), total: z.number() }),
    answer: async ({ product, viewer, input, project }) => {
      // whatever was sent; the product reads it
      const { question, point, page: number } = (input ?? {}) as Record<string, unknown>
      const wanted = typeof number === 'number' ? number : 1
      return shownAs(
        await product.people.behind(project().id, question, point, viewer, wanted),
        ({ persons, total }) => ({ persons, total }),
      )
    },
  },
]
