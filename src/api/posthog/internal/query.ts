import { z } from 'zod'
import type { AnsweredQuery } from '#insights/answered-query'
import type { AskOptions } from '#insights/ask'
import type { Json } from '#events/event'
import type { Outcome } from '#projects/problems'
import {
  findById,
  mostOnPage,
  type PosthogCall,
  type PosthogEndpoint,
  type PosthogOutcome,
  refused,
  success,
} from './endpoint'
import { eventBody, instantOf, personsIn } from './events'
import { sqlQueryFrom } from '../hogql'
import { actionGoals } from './actions'
import { propertiesOf } from './experiment-metric-form'
import { answerExposures, answerMetric } from './experiment-queries'
import { groupTypesOf } from './projects'
import { answerOverview } from './web-overview'
import { filterFrom } from '../property-filters'
import { queryFrom } from '../insight-queries'
import { resultsOf } from './query-results'

const requestBody = z.looseObject({ query: z.looseObject({ kind: z.string() }) })

const bodyFields: ReadonlySet<string> = new Set([
  'query',
  'refresh',
  'name',
  'client_query_id',
  'filters_override',
  'variables_override',
  'async',
])

type Query = z.infer<typeof requestBody>['query']

/** Answers one of PostHog's queries; an insight's own query is wrapped in what PostHog draws it with. */
async function answerQuery(call: PosthogCall): Promise<PosthogOutcome> {
  const read = requestBody.safeParse(call.input)
  if (!read.success) return refused('Send {"query": {"kind": "HogQLQuery", …}}.', 'query')
  const unknown = Object.keys(call.input).find((field) => !bodyFields.has(field))
  if (unknown !== undefined) return refused(`Tilth does not take the field "${unknown}" here.`, unknown)
  for (const field of ['filters_override', 'variables_override'])
    if (call.input[field] !== undefined && call.input[field] !== null)
      return refused('Write what is overridden into the query.', field)
  const query = unwrapped(read.data.query)
  const answer = Object.hasOwn(answers, query.kind) ? answers[query.kind] : undefined
  return answer ? await answer(query, call) : await answerInsight(query, call)
}

const wrappers: ReadonlySet<string> = new Set(['InsightVizNode', 'DataVisualizationNode', 'DataTableNode'])

function unwrapped(query: Query): Query {
  const { source } = query
  const inner = requestBody.shape.query.safeParse(source)
  return wrappers.has(query.kind) && inner.success ? inner.data : query
}

const answers: Readonly<
  Record<string, ((query: Query, call: PosthogCall) => Promise<PosthogOutcome>) | undefined>
> = {
  HogQLQuery: answerHogql,
  EventsQuery: answerEvents,
  WebOverviewQuery: answerOverview,
  ExperimentExposureQuery: answerExposures,
  ExperimentQuery: answerMetric,
  TilthQuestion: answerOwn,
}

const optionsOf = ({ input, signal }: PosthogCall): AskOptions => ({
  isFresh: typeof input['refresh'] === 'string' && input['refresh'].startsWith('force'),
  ...(signal && { signal }),
})

const answered = ({ at, tookMs }: AnsweredQuery) => ({
  is_cached: false,
  last_refresh: at.toISOString(),
  query_duration_ms: Math.round(tookMs),
})

async function answerHogql(query: Query, call: PosthogCall): Promise<PosthogOutcome> {
  const read = sqlQueryFrom(query, call)
  if (!read.done) return read
  const { product, project, viewer } = call
  const sqlQuery = { ...read.question, kind: 'sql' as const }
  const outcome = await product.insights.ask(project.id, sqlQuery, viewer, optionsOf(call))
  if (!outcome.done) return outcome
  const { answer } = outcome
  return success({
    query: query['query'],
    hogql: read.question['text'],
    columns: answer.columns.map(({ name }) => name),
    types: answer.columns.map(({ name, type }) => [name, type]),
    results: answer.rows,
    hasMore: answer.isCut,
    limit: 10_000,
    offset: 0,
    error: null,
    ...answered(outcome),
  })
}

const eventsQuery = z.looseObject({
  kind: z.literal('EventsQuery'),
  select: z.array(z.string()).min(1).default(['*', 'event', 'person', 'timestamp']),
  event: z.string().nullish(),
  properties: z.unknown().optional(),
  fixedProperties: z.unknown().optional(),
  after: z.string().nullish(),
  before: z.string().nullish(),
  personId: z.string().nullish(),
  actionId: z.number().nullish(),
  limit: z.number().int().min(1).max(mostOnPage).default(100),
  offset: z.number().int().min(0).default(0),
  orderBy: z.array(z.string()).nullish(),
})

type EventBody = ReturnType<typeof eventBody>

/** The columns that can be selected of events. */
const eventColumns: Readonly<Record<string, ((event: EventBody) => unknown) | undefined>> = {
  '*': (event) => event,
  uuid: ({ uuid }) => uuid,
  event: ({ event }) => event,
  timestamp: ({ timestamp }) => timestamp,
  distinct_id: (event) => event.distinct_id,
  person_id: ({ person }) => person.id,
  person: ({ person }) => person,
  properties: ({ properties }) => properties,
  elements_chain: (event) => event.elements_chain,
}

/** The values of a column; undefined if it is none. */
function columnReader(column: string): ((event: EventBody) => unknown) | undefined {
  const [name = '', comment] = column.split(/\s*--/)
  const plain = comment === undefined ? column.trim() : name.trim()
  const [, person, key] = /^(person\.)?properties\.[`"]?([^`"]+)[`"]?$/.exec(plain) ?? []
  if (key === undefined) return Object.hasOwn(eventColumns, plain) ? eventColumns[plain] : undefined
  const valueIn = (values: Readonly<Record<string, Json | undefined>>) =>
    Object.hasOwn(values, key) ? values[key] : null
  return person === undefined
    ? (event) => valueIn(event.properties)
    : (event) => valueIn(event.person.properties)
}

async function answerEvents(query: Query, call: PosthogCall): Promise<PosthogOutcome> {
  const read = eventsQuery.safeParse(query)
  if (!read.success) return refused(`The query is not readable: ${z.prettifyError(read.error)}`, 'query')
  const ofAction = await eventsOfAction(read.data, call)
  if (!ofAction.done) return ofAction
  const outcome = await eventsAsked(ofAction.asked, call)
  if (!outcome.done) return outcome
  const { select, limit, offset } = read.data
  const readers = select.map((column) => ({ column, valueOf: columnReader(column) }))
  const unknown = readers.find(({ valueOf }) => !valueOf)
  if (unknown)
    return refused(
      `Tilth does not select "${unknown.column}" here. Ask for it by a HogQLQuery.`,
      'query.select',
    )
  const { product, project, viewer } = call
  const found = await product.people.sentEvents(
    project.id,
    { ...outcome.question, limit: limit + 1, offset },
    viewer,
  )
  if (!found.done) return found
  const events = found.events.slice(0, limit)
  const persons = await personsIn(events, call)
  const bodies = events.map((event) => eventBody(event, persons))
  return success({
    columns: select,
    types: select.map(() => 'String'),
    results: bodies.map((body) => readers.map(({ valueOf }) => valueOf?.(body) ?? null)),
    hasMore: found.events.length > limit,
    limit,
    offset,
    is_cached: false,
  })
}

const orders: Readonly<Record<string, { oldestFirst: boolean } | undefined>> = {
  'timestamp desc': { oldestFirst: false },
  'timestamp asc': { oldestFirst: true },
  timestamp: { oldestFirst: true },
}

type EventsAsked = z.infer<typeof eventsQuery>

/** An action is a goal here: its events are those of the goal. */
async function eventsOfAction(
  { actionId, ...asked }: EventsAsked,
  call: PosthogCall,
): Promise<Outcome<{ asked: EventsAsked }>> {
  if (actionId === undefined || actionId === null) return { done: true, asked }
  const found = findById(await actionGoals(call), String(actionId))
  if (!found || found.goal.type !== 'event')
    return refused(`There is no goal of an event with the number ${actionId}.`, 'query.actionId')
  const { event, filter } = found.goal
  const own = filter ? propertiesOf(filter) : []
  const given = [asked.fixedProperties].flat().filter((one) => one !== undefined && one !== null)
  return { done: true, asked: { ...asked, event, fixedProperties: [...given, ...own] } }
}

async function eventsAsked(
  { event, properties, fixedProperties, after, before, personId, orderBy, ...rest }: EventsAsked,
  call: PosthogCall,
): Promise<Outcome<{ question: Record<string, unknown> }>> {
  const unknown = Object.keys(rest).find(
    (field) =>
      !['kind', 'select', 'limit', 'offset', 'version', 'tags', 'modifiers', 'response'].includes(field),
  )
  if (unknown !== undefined)
    return refused(`Tilth does not know "${unknown}" in an EventsQuery.`, `query.${unknown}`)
  const [by = 'timestamp desc', ...more] = orderBy ?? []
  const order = orders[by.toLowerCase()]
  if (!order || more.length > 0)
    return refused('Events are ordered by "timestamp DESC" or "timestamp ASC".', 'query.orderBy')
  const given = [properties, fixedProperties].filter((one) => one !== undefined && one !== null)
  const filtered = filterFrom(given, await groupTypesOf(call), 'query.properties')
  if (!filtered.done) return filtered
  const { now } = call
  const [from, until] = [after === 'all' ? '1980-01-01' : after, before].map((text) =>
    text ? (instantOf(text, now) ?? 'none') : undefined,
  )
  if (from === 'none' || until === 'none')
    return refused('Give times as -7d or 2026-01-31T10:00:00Z.', 'query.after')
  return {
    done: true,
    question: {
      event: event ?? undefined,
      person: personId ?? undefined,
      filter: filtered.filter,
      from,
      until,
      ...order,
    },
  }
}

async function answerInsight(query: Query, call: PosthogCall): Promise<PosthogOutcome> {
  const groupTypes = await groupTypesOf(call)
  const { product, project, viewer } = call
  const { timeZone } = project
  const translated = queryFrom({ query, groupTypes, timeZone, now: call.now })
  if (!translated.done) return translated
  const outcome = await product.insights.ask(project.id, translated.question, viewer, optionsOf(call))
  if (!outcome.done) return outcome
  return success({
    results: resultsOf(outcome),
    timezone: timeZone,
    hasMore: false,
    error: null,
    ...answered(outcome),
  })
}

/** A query in Tilth's form, as saved insights are given here. */
async function answerOwn({ question }: Query, call: PosthogCall): Promise<PosthogOutcome> {
  const { product, project, viewer } = call
  const outcome = await product.insights.ask(project.id, question, viewer, optionsOf(call))
  if (!outcome.done) return outcome
  const { columns, rows } = outcome.table
  return success({
    columns: columns.map(({ name }) => name),
    results: rows,
    answer: outcome.answer,
    error: null,
    ...answered(outcome),
  })
}

export const queryEndpoints: readonly PosthogEndpoint[] = [
  { method: 'POST', path: '/projects/{project}/query', handle: answerQuery },
]
