import { isDeepStrictEqual } from 'node:util'
import type { Dashboard } from '#dashboards/dashboard'
import type { SavedInsight } from '#insights/saved/saved-insights'
import type { FailedOutcome, Outcome } from '#projects/problems'
import {
  authorBody,
  findById,
  listed,
  missing,
  numberOf,
  pageParameters,
  type PosthogCall,
  type PosthogEndpoint,
  type PosthogOutcome,
  refused,
  shortIdOf,
  smallNumberOf,
  success,
  unknownField,
  withoutFields,
} from './endpoint'
import { groupTypesOf } from './projects'
import { queryFrom } from '../insight-queries'
import { withRelativePeriod } from '../relative-periods'
import { sqlQueryFrom } from '../hogql'
import type { SentForm } from '../sent-forms'

/** The name of an insight that was sent without one. */
const unnamed = 'Untitled'

/** The query as it was sent, until the insight asks another one; otherwise Tilth's query, which POST …/query answers. */
function insightBody(insight: SavedInsight, form: SentForm = {}, dashboards: readonly number[] = []) {
  const { id, name, question } = insight
  const isAsSent = form['query'] !== undefined && isSameQuery(question, form['question'])
  return {
    id: numberOf(id),
    short_id: shortIdOf(id),
    name: form['name'] === null && name === unnamed ? null : name,
    derived_name: form['derived_name'] ?? null,
    description: insight.description,
    tags: insight.tags,
    favorited: form['favorited'] ?? false,
    filters: {},
    query: isAsSent ? form['query'] : ownQuery(question),
    saved: true,
    deleted: insight.archivedAt !== undefined,
    created_at: insight.createdAt.toISOString(),
    updated_at: insight.changedAt.toISOString(),
    created_by: authorBody(insight.createdBy),
    last_modified_at: insight.changedAt.toISOString(),
    last_modified_by: authorBody(insight.changedBy),
    _create_in_folder: insight.folder || null,
    dashboards,
  }
}

/** Tilth's query in the node in which PostHog keeps one. */
export const ownQuery = (query: unknown) => ({
  kind: 'InsightVizNode',
  source: { kind: 'TilthQuestion', question: query },
})

const isSameQuery = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other ?? null)))

/** Fields that PostHog computes, or that only say how an insight is shown there. */
const ignoredFields: ReadonlySet<string> = new Set([
  'id',
  'short_id',
  'saved',
  'order',
  'color',
  'layouts',
  'result',
  'last_refresh',
  'refreshing',
  'is_sample',
  'created_at',
  'created_by',
  'updated_at',
  'last_modified_at',
  'last_modified_by',
  'dashboard_tiles',
  'user_access_level',
])

const insightFields: ReadonlySet<string> = new Set([
  'name',
  'derived_name',
  'description',
  'tags',
  'favorited',
  'filters',
  'query',
  'deleted',
  'dashboard',
  'dashboards',
  '_create_in_folder',
])

/** Translates one of PostHog's queries to Tilth's. */
async function queryOf(call: PosthogCall, given: unknown): Promise<Outcome<{ question: unknown }>> {
  if (typeof given !== 'object' || given === null) return refused('Give the query as an object.', 'query')
  const query: Record<string, unknown> = { ...given }
  const { source } = query
  if (typeof source === 'object' && source !== null) return await queryOf(call, source)
  if (query['kind'] === 'TilthQuestion') return { done: true, question: query['question'] }
  if (query['kind'] === 'HogQLQuery') return sqlQueryFrom(query, call)
  const groupTypes = await groupTypesOf(call)
  const read = queryFrom({ query, groupTypes, timeZone: call.project.timeZone, now: call.now })
  return read.done ? { done: true, question: withRelativePeriod(read.question, query).question } : read
}

interface InsightInput {
  /** The fields in Tilth's form. */
  fields: Record<string, unknown>
  /** The fields that are given back as they were sent. */
  sent: Record<string, unknown>
  /** The numbers of the dashboards that are to show it; undefined if they stay as they are. */
  dashboards: readonly unknown[] | undefined
}

/** The fields that Tilth has under names of its own. */
function ownFields({ name, description, tags, ...more }: Readonly<Record<string, unknown>>) {
  const folder = more['_create_in_folder']
  return {
    ...(name !== undefined && { name: name === null || name === '' ? unnamed : name }),
    ...(description !== undefined && { description: description ?? '' }),
    ...(tags !== undefined && { tags: tags ?? [] }),
    ...(folder !== undefined && { folder: folder ?? '' }),
  }
}

const decorationsIn = ({ name, favorited, derived_name }: Readonly<Record<string, unknown>>) => ({
  ...(favorited !== undefined && { favorited }),
  ...(derived_name !== undefined && { derived_name }),
  ...((name === null || name === '') && { name: null }),
})

/** PostHog's API takes a list of dashboards, and its MCP server one of them. */
function dashboardsIn({ dashboard, dashboards }: Readonly<Record<string, unknown>>): unknown[] | undefined {
  if (Array.isArray(dashboards)) return dashboards
  return typeof dashboard === 'number' ? [dashboard] : undefined
}

async function inputOf(call: PosthogCall): Promise<Outcome<InsightInput>> {
  const input = withoutFields(call.input, ignoredFields)
  const unknown = unknownField(input, insightFields)
  if (unknown) return unknown
  const { filters, query } = input
  if (typeof filters === 'object' && filters !== null && Object.keys(filters).length > 0)
    return refused('Give the insight as a query. Tilth does not take the older filters.', 'filters')
  const [fields, sent, dashboards] = [ownFields(input), decorationsIn(input), dashboardsIn(input)]
  if (query === undefined || query === null) return { done: true, fields, sent, dashboards }
  const read = await queryOf(call, query)
  if (!read.done) return read
  return {
    done: true,
    fields: { ...fields, question: read.question },
    sent: { ...sent, query },
    dashboards,
  }
}

/** Keeps what was sent beside the insight that was saved. */
async function keepSent(
  { product, project, viewer }: PosthogCall,
  { id, question }: SavedInsight,
  sent: Record<string, unknown>,
): Promise<void> {
  if (Object.keys(sent).length === 0) return
  const before = (await product.posthogForms.list(project.id, 'insight', viewer)).get(id)
  const form = { ...before, ...sent, ...('query' in sent && { question }) }
  await product.posthogForms.keep(project.id, { kind: 'insight', entryId: id, form }, viewer)
}

/** Converts insights with the dashboards that show them. */
export async function insightBodies(
  { product, project, viewer }: PosthogCall,
  insights: readonly SavedInsight[],
): Promise<ReturnType<typeof insightBody>[]> {
  const [forms, dashboards] = await Promise.all([
    product.posthogForms.list(project.id, 'insight', viewer),
    product.dashboards.list(project.id, viewer),
  ])
  return insights.map((insight) => {
    const numbers = dashboards
      .filter((one) => showsInsight(one, insight.id))
      .map(({ id }) => smallNumberOf(id))
    return insightBody(insight, forms.get(insight.id), numbers)
  })
}

const showsInsight = ({ archivedAt, cards }: Dashboard, id: string): boolean =>
  archivedAt === undefined &&
  cards.some(({ content }) => content.type === 'insight' && content.insight === id)

const shown = async (call: PosthogCall, insight: SavedInsight): Promise<PosthogOutcome> =>
  success((await insightBodies(call, [insight]))[0])

async function liveDashboards({ product, project, viewer }: PosthogCall): Promise<Dashboard[]> {
  return (await product.dashboards.list(project.id, viewer)).filter(({ archivedAt }) => !archivedAt)
}

async function unknownDashboard(
  call: PosthogCall,
  { dashboards: numbers = [] }: InsightInput,
): Promise<FailedOutcome | undefined> {
  const known = new Set<unknown>((await liveDashboards(call)).map(({ id }) => smallNumberOf(id)))
  const unknown = numbers.find((number) => !known.has(number))
  return unknown === undefined
    ? undefined
    : refused(`There is no dashboard ${JSON.stringify(unknown)} in this project.`, 'dashboards')
}

/** Shows the insight on these dashboards and on no others, as PostHog does. */
async function showOn(call: PosthogCall, id: string, numbers: readonly unknown[]): Promise<Outcome> {
  const { product, project, viewer } = call
  for (const dashboard of await liveDashboards(call)) {
    const isWanted = numbers.includes(smallNumberOf(dashboard.id))
    if (isWanted === showsInsight(dashboard, id)) continue
    const card = { content: { type: 'insight', insight: id } }
    const cards = cardsWithout(dashboard, id)
    const outcome = isWanted
      ? await product.dashboards.addCard(project.id, dashboard.id, card, viewer)
      : await product.dashboards.change(project.id, dashboard.id, { cards }, viewer)
    if (!outcome.done) return outcome
  }
  return { done: true }
}

const cardsWithout = ({ cards }: Dashboard, insight: string) =>
  cards.filter(({ content }) => content.type !== 'insight' || content.insight !== insight)

const insightStandIns = (id: string) => [numberOf(id), shortIdOf(id)]

async function insightOf({
  product,
  project,
  viewer,
  part,
  input,
}: PosthogCall): Promise<SavedInsight | undefined> {
  // only a restoring change finds an archived insight
  const archived =
    input['deleted'] === false
      ? await product.insights.saved.list(project.id, { archived: true }, viewer)
      : undefined
  const live = await product.insights.saved.list(project.id, {}, viewer)
  const all = [live, archived].flatMap((found) => (found?.done ? found.insights : []))
  return findById(all, part('insight'), insightStandIns)
}

async function listInsights(call: PosthogCall): Promise<PosthogOutcome> {
  const { product, project, viewer, query } = call
  const shortId = query.get('short_id')
  const found = await product.insights.saved.list(project.id, { search: query.get('search') ?? '' }, viewer)
  if (!found.done) return found
  const wanted = found.insights.filter(
    ({ id }) => shortId === null || id === shortId || shortIdOf(id) === shortId,
  )
  return listed(call, await insightBodies(call, wanted))
}

async function createInsight(call: PosthogCall): Promise<PosthogOutcome> {
  const read = await inputOf(call)
  if (!read.done) return read
  const refusal = await unknownDashboard(call, read)
  if (refusal) return refusal
  const { product, project, viewer } = call
  const fields = { name: unnamed, ...read.fields }
  const outcome = await product.insights.saved.create(project.id, fields, viewer)
  if (!outcome.done) return outcome
  const { insight } = outcome
  const sent = { ...(call.input['name'] === undefined && { name: null }), ...read.sent }
  await keepSent(call, insight, sent)
  const placed = await showOn(call, insight.id, read.dashboards ?? [])
  return placed.done ? await shown(call, insight) : placed
}

async function changeInsight(call: PosthogCall): Promise<PosthogOutcome> {
  const insight = await insightOf(call)
  if (!insight) return missing
  const { product, project, viewer, input } = call
  if (input['deleted'] === true) return await archiveInsight(call, insight)
  const read = await inputOf(call)
  if (!read.done) return read
  const refusal = await unknownDashboard(call, read)
  if (refusal) return refusal
  if (insight.archivedAt) {
    const restored = await product.insights.saved.restore(project.id, insight.id, viewer)
    if (!restored.done) return restored
  }
  const outcome = await product.insights.saved.change(project.id, insight.id, read.fields, viewer)
  if (!outcome.done) return outcome
  await keepSent(call, outcome.insight, read.sent)
  const placed = read.dashboards ? await showOn(call, insight.id, read.dashboards) : { done: true as const }
  return placed.done ? await shown(call, outcome.insight) : placed
}

/** Takes the insight off its dashboards and archives it, unless an alert watches it. */
async function archiveInsight(call: PosthogCall, insight: SavedInsight): Promise<PosthogOutcome> {
  const { product, project, viewer } = call
  const uses = await product.insights.saved.usesOf(project.id, insight.id, viewer)
  if (uses.every(({ kind }) => kind === 'dashboard')) {
    const removed = await showOn(call, insight.id, [])
    if (!removed.done) return removed
  }
  const outcome = await product.insights.saved.archive(project.id, insight.id, { anyway: false }, viewer)
  return outcome.done ? await shown(call, outcome.insight) : outcome
}

const insightPath = '/projects/{project}/insights/{insight}'
const shownOnly = ['basic', 'refresh', 'from_dashboard']

export const insightEndpoints: readonly PosthogEndpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/insights',
    query: [...pageParameters, 'search', 'saved', 'short_id'],
    ignoredQuery: shownOnly,
    handle: listInsights,
  },
  { method: 'POST', path: '/projects/{project}/insights', status: 201, handle: createInsight },
  {
    method: 'GET',
    path: insightPath,
    ignoredQuery: shownOnly,
    handle: async (call) => {
      const insight = await insightOf(call)
      return insight ? await shown(call, insight) : missing
    },
  },
  { method: 'PATCH', path: insightPath, handle: changeInsight },
]
