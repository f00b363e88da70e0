import { z } from 'zod'
import type { Dashboard, SavedCard } from '#dashboards/dashboard'
import type { ListedDashboard } from '#dashboards/dashboards'
import { parseInput, type Outcome } from '#projects/problems'
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
import { insightBodies, ownQuery } from './insights'
import type { SentForm } from '../sent-forms'

type InsightBody = Awaited<ReturnType<typeof insightBodies>>[number]

const dashboardBody = (dashboard: Dashboard, form: SentForm = {}) => ({
  id: smallNumberOf(dashboard.id),
  name: dashboard.name,
  description: dashboard.description,
  pinned: form['pinned'] ?? false,
  created_at: dashboard.createdAt.toISOString(),
  created_by: authorBody(dashboard.createdBy),
  last_modified_at: dashboard.changedAt.toISOString(),
  is_shared: false,
  deleted: dashboard.archivedAt !== undefined,
  creation_mode: 'default',
  filters: {},
  variables: {},
  tags: form['tags'] ?? [],
})

const tileForms = z.record(
  z.string(),
  z.looseObject({ color: z.unknown().optional(), show_description: z.unknown().optional() }),
)

/** The cards that PostHog has too: insights and texts. A result of an experiment has no place there. */
function tilesOf({ cards }: Dashboard, form: SentForm, insights: ReadonlyMap<string, InsightBody>): object[] {
  const sent = tileForms.safeParse(form['tiles'] ?? {}).data ?? {}
  return cards.flatMap((card, order) => {
    const content = tileContent(card, insights)
    if (!content) return []
    const { color = null, show_description = null } = sent[card.id] ?? {}
    const tile = { id: numberOf(card.id), order, color, show_description, layouts: { sm: card.place } }
    return [{ ...tile, last_refresh: null, is_cached: false, ...content }]
  })
}

function tileContent(
  { id, content }: SavedCard,
  insights: ReadonlyMap<string, InsightBody>,
): object | undefined {
  if (content.type === 'text') return { insight: null, text: { id: numberOf(id), body: content.text } }
  if (content.type === 'question') {
    const named = { name: content.title, derived_name: null, description: null, tags: [], favorited: false }
    const numbers = { id: numberOf(id), short_id: shortIdOf(id) }
    return { insight: { ...numbers, ...named, query: ownQuery(content.question) }, text: null }
  }
  const insight = content.type === 'insight' ? insights.get(content.insight) : undefined
  return insight && { insight, text: null }
}

async function formOf({ product, project, viewer }: PosthogCall, id: string): Promise<SentForm> {
  return (await product.posthogForms.list(project.id, 'dashboard', viewer)).get(id) ?? {}
}

async function shown(call: PosthogCall, dashboard: Dashboard): Promise<PosthogOutcome> {
  const { product, project, viewer } = call
  const saved = await product.insights.saved.list(project.id, {}, viewer)
  if (!saved.done) return saved
  const named = new Set(
    dashboard.cards.flatMap(({ content }) => (content.type === 'insight' ? [content.insight] : [])),
  )
  const wanted = saved.insights.filter(({ id }) => named.has(id))
  const bodies = await insightBodies(call, wanted)
  const byId = new Map(
    wanted.flatMap(({ id }, index) => (bodies[index] ? [[id, bodies[index]] as const] : [])),
  )
  const form = await formOf(call, dashboard.id)
  return success({ ...dashboardBody(dashboard, form), tiles: tilesOf(dashboard, form, byId) })
}

async function dashboardOf({
  product,
  project,
  viewer,
  part,
  input,
}: PosthogCall): Promise<ListedDashboard | undefined> {
  const all = await product.dashboards.list(project.id, viewer)
  // only a restoring change finds an archived dashboard
  const found = all.filter(({ archivedAt }) => !archivedAt || input['deleted'] === false)
  return findById(found, part('dashboard'), (id) => [smallNumberOf(id)])
}

async function listDashboards(call: PosthogCall): Promise<PosthogOutcome> {
  const { product, project, viewer, query } = call
  const search = (query.get('search') ?? '').toLowerCase()
  const forms = await product.posthogForms.list(project.id, 'dashboard', viewer)
  const all = await product.dashboards.list(project.id, viewer)
  const found = all.filter(({ name, archivedAt }) => !archivedAt && name.toLowerCase().includes(search))
  return listed(
    call,
    found.map((dashboard) => dashboardBody(dashboard, forms.get(dashboard.id))),
  )
}

/** Fields that PostHog computes, or that only say how a dashboard is shown or found there. */
const ignoredFields: ReadonlySet<string> = new Set([
  'id',
  'created_at',
  'created_by',
  'updated_at',
  'last_modified_at',
  'last_accessed_at',
  'last_refresh',
  'is_shared',
  'creation_mode',
  'restriction_level',
  'data_color_theme_id',
  'breakdown_colors',
  '_create_in_folder',
  'user_access_level',
])

const dashboardFields: ReadonlySet<string> = new Set([
  'name',
  'description',
  'pinned',
  'tags',
  'deleted',
  'tiles',
  'filters',
  'variables',
  'use_template',
  'use_dashboard',
  'delete_insights',
])

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** Fields with a meaning at PostHog and none here. */
const absentSettings = ['filters', 'variables', 'use_template', 'use_dashboard', 'delete_insights'] as const

const tileChanges = z.array(
  z.looseObject({
    id: z.number().optional(),
    deleted: z.boolean().nullish(),
    color: z.string().nullish(),
    show_description: z.boolean().nullish(),
    text: z.looseObject({ body: z.string() }).nullish(),
    layouts: z
      .looseObject({
        sm: z.looseObject({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }).nullish(),
      })
      .nullish(),
  }),
  { error: 'Give the tiles as a list.' },
)
type TileChange = z.infer<typeof tileChanges>[number]

interface DashboardInput {
  fields: Record<string, unknown>
  sent: Record<string, unknown>
  tiles: readonly TileChange[] | undefined
}

function inputOf(call: PosthogCall): Outcome<DashboardInput> {
  const input = withoutFields(call.input, ignoredFields)
  const unknown = unknownField(input, dashboardFields)
  if (unknown) return unknown
  const absent = absentSettings.find((field) => !isEmpty(input[field]))
  if (absent) return refused(`Tilth has no "${absent}" for dashboards. Set it in the studio.`, absent)
  const { name, description, pinned, tags, tiles } = input
  const changes = tiles === undefined ? undefined : parseInput(tileChanges, tiles)
  if (changes && !changes.done) return changes
  return {
    done: true,
    fields: {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description: description ?? '' }),
    },
    sent: { ...(pinned !== undefined && { pinned }), ...(tags !== undefined && { tags: tags ?? [] }) },
    tiles: changes?.value,
  }
}

/** Applies changes of tiles to the cards. A tile without a number is a new text. */
function changedCards(
  cards: readonly SavedCard[],
  changes: readonly TileChange[],
): Outcome<{ cards: object[] }> {
  const unknown = changes.find(
    ({ id }) => id !== undefined && !cards.some((card) => numberOf(card.id) === id),
  )
  if (unknown) return refused(`The dashboard has no tile ${unknown.id}.`, 'tiles')
  const kept = cards.flatMap((card) => {
    const change = changes.find(({ id }) => id === numberOf(card.id))
    if (!change) return [card]
    return change.deleted === true ? [] : [changedCard(card, change)]
  })
  const added = changes.flatMap(({ id, text, layouts }) =>
    id === undefined && text
      ? [
          {
            content: { type: 'text' as const, text: text.body },
            ...(layouts?.sm && { place: placeOf(layouts.sm) }),
          },
        ]
      : [],
  )
  return { done: true, cards: [...kept, ...added] }
}

const changedCard = (card: SavedCard, { text, layouts }: TileChange): SavedCard => ({
  ...card,
  ...(layouts?.sm && { place: placeOf(layouts.sm) }),
  ...(text && card.content.type === 'text' && { content: { type: 'text' as const, text: text.body } }),
})

const placeOf = ({ x, y, w, h }: SavedCard['place']) => ({ x, y, w, h })

/** Colours and the like of tiles, by the cards that they are of. */
function sentTiles(form: SentForm, cards: readonly SavedCard[], changes: readonly TileChange[]): object {
  const before = tileForms.safeParse(form['tiles'] ?? {}).data ?? {}
  const sent = changes.flatMap(({ id, color, show_description }) => {
    const card = cards.find((one) => numberOf(one.id) === id)
    return card
      ? [
          [
            card.id,
            {
              ...before[card.id],
              ...(color !== undefined && { color }),
              ...(show_description !== undefined && { show_description }),
            },
          ] as const,
        ]
      : []
  })
  return { ...before, ...Object.fromEntries(sent) }
}

async function keepSent(
  call: PosthogCall,
  { id, cards }: Dashboard,
  { sent, tiles = [] }: DashboardInput,
): Promise<void> {
  if (Object.keys(sent).length === 0 && tiles.length === 0) return
  const { product, project, viewer } = call
  const before = await formOf(call, id)
  const form = { ...before, ...sent, ...(tiles.length > 0 && { tiles: sentTiles(before, cards, tiles) }) }
  await product.posthogForms.keep(project.id, { kind: 'dashboard', entryId: id, form }, viewer)
}

async function createDashboard(call: PosthogCall): Promise<PosthogOutcome> {
  const read = inputOf(call)
  if (!read.done) return read
  const { product, project, viewer } = call
  const drawn = changedCards([], read.tiles ?? [])
  if (!drawn.done) return drawn
  const outcome = await product.dashboards.create(project.id, { ...read.fields, cards: drawn.cards }, viewer)
  if (!outcome.done) return outcome
  await keepSent(call, outcome.dashboard, read)
  return await shown(call, outcome.dashboard)
}

async function changeDashboard(call: PosthogCall): Promise<PosthogOutcome> {
  const dashboard = await dashboardOf(call)
  if (!dashboard) return missing
  const { product, project, viewer, input } = call
  if (input['deleted'] === true) return await archived(call, dashboard)
  const read = inputOf(call)
  if (!read.done) return read
  if (dashboard.archivedAt) {
    const restored = await product.dashboards.restore(project.id, dashboard.id, viewer)
    if (!restored.done) return restored
  }
  const drawn = read.tiles && changedCards(dashboard.cards, read.tiles)
  if (drawn && !drawn.done) return drawn
  const fields = { ...read.fields, ...(drawn && { cards: drawn.cards }) }
  const outcome = await product.dashboards.change(project.id, dashboard.id, fields, viewer)
  if (!outcome.done) return outcome
  await keepSent(call, outcome.dashboard, read)
  return await shown(call, outcome.dashboard)
}

async function archived(call: PosthogCall, { id }: Dashboard): Promise<PosthogOutcome> {
  const { product, project, viewer } = call
  const outcome = await product.dashboards.archive(project.id, id, viewer)
  return outcome.done ? await shown(call, outcome.dashboard) : outcome
}

const dashboardPath = '/projects/{project}/dashboards/{dashboard}'

export const dashboardEndpoints: readonly PosthogEndpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/dashboards',
    query: [...pageParameters, 'search'],
    handle: listDashboards,
  },
  { method: 'POST', path: '/projects/{project}/dashboards', status: 201, handle: createDashboard },
  {
    method: 'GET',
    path: dashboardPath,
    ignoredQuery: ['refresh'],
    handle: async (call) => {
      const dashboard = await dashboardOf(call)
      return dashboard ? await shown(call, dashboard) : missing
    },
  },
  { method: 'PATCH', path: dashboardPath, handle: changeDashboard },
]
