import type { SavedInsight } from '#insights/saved/saved-insights'
import {
  findById,
  listed,
  missing,
  numberOf,
  pageParameters,
  type PosthogCall,
  type PosthogEndpoint,
  type PosthogOutcome,
  refused,
  shownAs,
  success,
  unknownField,
} from './endpoint'
import { groupTypesOf } from './projects'
import { queryFrom } from '../insight-queries'
import { withRelativePeriod } from '../relative-periods'
import { sqlFromHogql } from '../hogql'
import type { Outcome } from '#projects/problems'

/** The query is given as Tilth's query, which POST …/query answers. */
const insightBody = (insight: SavedInsight) => ({
  id: numberOf(insight.id),
  short_id: insight.id,
  name: insight.name,
  description: insight.description,
  tags: insight.tags,
  query: { kind: 'TilthQuestion', question: insight.question },
  saved: true,
  deleted: insight.archivedAt !== undefined,
  created_at: insight.createdAt.toISOString(),
  created_by: { first_name: insight.createdBy, email: '' },
  last_modified_at: insight.changedAt.toISOString(),
  last_modified_by: { first_name: insight.changedBy, email: '' },
  dashboards: [],
})

const writtenFields: ReadonlySet<string> = new Set([
  'name',
  'description',
  'tags',
  'query',
  'deleted',
  'saved',
])

/** Translates one of PostHog's queries to Tilth's. */
async function queryOf(call: PosthogCall, given: unknown): Promise<Outcome<{ question: unknown }>> {
  if (typeof given !== 'object' || given === null) return refused('Give the query as an object.', 'query')
  const query: Record<string, unknown> = { ...given }
  const { source } = query
  if (typeof source === 'object' && source !== null) return await queryOf(call, source)
  if (query['kind'] === 'TilthQuestion') return { done: true, question: query['question'] }
  if (query['kind'] === 'HogQLQuery') {
    const sql = sqlFromHogql(String(query['query']))
    return sql.done ? { done: true, question: { kind: 'sql', text: sql.text } } : sql
  }
  const groupTypes = await groupTypesOf(call)
  const read = queryFrom({ query, groupTypes, timeZone: call.project.timeZone, now: call.now })
  return read.done ? { done: true, question: withRelativePeriod(read.question, query).question } : read
}

async function inputOf(call: PosthogCall): Promise<Outcome<{ fields: Record<string, unknown> }>> {
  const { input } = call
  const unknown = unknownField(input, writtenFields)
  if (unknown) return unknown
  const { query, deleted: _, saved: _saved, ...fields } = input
  if (query === undefined) return { done: true, fields }
  const read = await queryOf(call, query)
  return read.done ? { done: true, fields: { ...fields, question: read.question } } : read
}

async function insightOf({ product, project, viewer, part }: PosthogCall): Promise<SavedInsight | undefined> {
  const found = await product.insights.saved.list(project.id, {}, viewer)
  return found.done ? findById(found.insights, part('insight')) : undefined
}

async function listInsights(call: PosthogCall): Promise<PosthogOutcome> {
  const { product, project, viewer, query } = call
  const shortId = query.get('short_id')
  const found = await product.insights.saved.list(project.id, { search: query.get('search') ?? '' }, viewer)
  if (!found.done) return found
  return listed(call, found.insights.filter(({ id }) => shortId === null || id === shortId).map(insightBody))
}

async function createInsight(call: PosthogCall): Promise<PosthogOutcome> {
  const read = await inputOf(call)
  if (!read.done) return read
  const { product, project, viewer } = call
  const fields = { name: 'Untitled', ...read.fields }
  return shownAs(await product.insights.saved.create(project.id, fields, viewer), ({ insight }) =>
    insightBody(insight),
  )
}

async function changeInsight(call: PosthogCall): Promise<PosthogOutcome> {
  const insight = await insightOf(call)
  if (!insight) return missing
  const read = await inputOf(call)
  if (!read.done) return read
  const { product, project, viewer, input } = call
  const outcome =
    input['deleted'] === true
      ? await product.insights.saved.archive(project.id, insight.id, { anyway: false }, viewer)
      : await product.insights.saved.change(project.id, insight.id, read.fields, viewer)
  return shownAs(outcome, (done) => insightBody(done.insight))
}

const insightPath = '/projects/{project}/insights/{insight}'

export const insightEndpoints: readonly PosthogEndpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/insights',
    query: [...pageParameters, 'search', 'saved', 'short_id'],
    handle: listInsights,
  },
  { method: 'POST', path: '/projects/{project}/insights', status: 201, handle: createInsight },
  {
    method: 'GET',
    path: insightPath,
    handle: async (call) => {
      const insight = await insightOf(call)
      return insight ? success(insightBody(insight)) : missing
    },
  },
  { method: 'PATCH', path: insightPath, handle: changeInsight },
]
