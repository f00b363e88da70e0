import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openTestProduct, requireDone, testOrigin } from '#test/product/fixture'
import { anEngine } from '#test/product/test-engine'
import { operator, scopes } from '#projects/access'
import { handlePosthogRequest } from './internal/handle'

const engine = anEngine()

/** The fields that a client keeps of earlier answers: ids above all. */
type KeptFields = Record<string, unknown>

interface Request {
  send: (kept: KeptFields) => readonly [method: string, path: string, body?: unknown]
  /** The fields that the client reads of the answer, or checks it for. */
  reads?: z.ZodType
  /** Whether an hour passes before it. */
  isLater?: boolean
  /** Keeps a field of the answer for later requests. */
  keeps?: Readonly<Record<string, string>>
}

interface ClientCall {
  /** The method of the client. */
  name: string
  requests: readonly Request[]
  /** Whether Tilth says that it has no such thing. */
  isAbsent?: boolean
}

const call = (name: string, ...requests: readonly Request[]): ClientCall => ({ name, requests })
const absent = (
  name: string,
  ...send: readonly [method: string, path: string, body?: unknown]
): ClientCall => ({
  name,
  requests: [{ send: () => send }],
  isAbsent: true,
})

const nullish = <Schema extends z.ZodType>(schema: Schema) => schema.nullish()
const text = z.string()
const page = <Schema extends z.ZodType>(entry: Schema) =>
  z.object({ next: nullish(text), results: z.array(entry).min(1) })
const isDeleted = z.object({})

const organization = z.object({ id: z.uuid(), name: text })
const project = z.object({ id: z.number(), name: text, organization: z.uuid() })

const flag = z.object({
  id: z.number(),
  key: text,
  name: text,
  description: nullish(text),
  filters: z.any(),
  active: z.boolean(),
  tags: z.array(text).optional(),
})

const insight = z.object({
  id: z.number(),
  name: nullish(text),
  short_id: text,
  description: nullish(text),
  filters: z.record(text, z.any()),
  query: z.object({ kind: z.enum(['InsightVizNode', 'DataVisualizationNode']), source: z.any() }),
  created_at: text,
  updated_at: text,
  favorited: nullish(z.boolean()),
})

const tile = z.object({
  insight: z.object({
    short_id: text,
    name: text,
    derived_name: z.string().nullable(),
    description: z.string().nullable(),
    query: insight.shape.query,
    tags: nullish(z.array(text)),
  }),
  order: z.number(),
  color: nullish(text),
  layouts: nullish(z.record(text, z.any())),
})

const dashboard = z.object({
  id: z.number().int().positive(),
  name: text,
  description: nullish(text),
  tiles: nullish(z.array(nullish(tile))),
})

const person = z.object({ id: z.number(), uuid: text, distinct_id: text, first_name: text, email: text })

const survey = z.object({
  id: text,
  name: text,
  description: nullish(text),
  type: z.enum(['popover', 'api', 'widget', 'external_survey']),
  questions: z.array(z.object({ type: text, question: nullish(text) })),
  conditions: nullish(
    z.object({
      url: text.optional(),
      selector: text.optional(),
      events: z.object({}).optional(),
      deviceTypes: z.array(text).optional(),
    }),
  ),
  appearance: nullish(z.object({ backgroundColor: text.optional(), maxWidth: text.optional() })),
  created_at: text,
  created_by: nullish(person),
  start_date: nullish(text),
  end_date: nullish(text),
  archived: nullish(z.boolean()),
  responses_limit: nullish(z.number()),
  iteration_count: nullish(z.number()),
  enable_partial_responses: nullish(z.boolean()),
  linked_flag_id: nullish(z.number()),
  schedule: nullish(text),
})

const surveyStats = z.object({
  stats: z.object({
    'survey shown': z.object({ total_count: z.number(), first_seen: nullish(text) }),
    'survey sent': z.object({ total_count: z.number() }),
  }),
  rates: z.object({
    response_rate: nullish(z.number()),
    dismissal_rate: nullish(z.number()),
    unique_users_response_rate: nullish(z.number()),
  }),
})

const experiment = z.object({
  id: z.number(),
  name: text,
  type: nullish(z.enum(['web', 'product'])),
  description: nullish(text),
  feature_flag_key: text,
  feature_flag: nullish(flag),
  exposure_criteria: nullish(
    z.object({ multiple_variant_handling: z.enum(['exclude', 'first_seen']).optional() }),
  ),
  metrics: z.array(z.any()),
  metrics_secondary: z.array(z.any()),
  saved_metrics_ids: z.array(z.any()).nullable(),
  parameters: z.object({
    feature_flag_variants: z.array(z.object({ key: text, rollout_percentage: z.number() })),
    minimum_detectable_effect: z.number(),
  }),
  start_date: nullish(text),
  end_date: nullish(text),
  archived: z.boolean(),
  deleted: z.boolean(),
  created_at: text,
  updated_at: text,
  conclusion: nullish(z.enum(['won', 'lost', 'inconclusive', 'stopped_early', 'invalid'])),
})

const exposures = z.object({
  kind: z.literal('ExperimentExposureQuery'),
  timeseries: z.array(z.object({ variant: text, days: z.array(text), exposure_counts: z.array(z.number()) })),
  total_exposures: z.record(text, z.number()),
  date_range: z.object({ date_from: text, date_to: z.string().nullable() }),
})

const results = z.object({ results: z.array(z.any()) })

const flagInput = {
  key: 'checkout',
  name: 'Checkout',
  description: 'For the new checkout',
  active: true,
  filters: {
    groups: [
      {
        properties: [{ key: 'plan', value: 'pro', operator: 'exact', type: 'person' }],
        rollout_percentage: 50,
      },
    ],
  },
}

const trends = {
  kind: 'TrendsQuery',
  interval: 'day',
  series: [{ kind: 'EventsNode', event: 'view', custom_name: 'Views', math: 'total' }],
  trendsFilter: { display: 'ActionsLineGraph', showLegend: false },
  compareFilter: { compare: false },
  conversionGoal: null,
  dateRange: { date_from: '-7d', date_to: null },
  filterTestAccounts: false,
  properties: [],
}

const insightInput = {
  name: 'Views',
  query: { kind: 'InsightVizNode', source: trends },
  description: 'All of them',
  favorited: true,
  tags: ['web'],
}

const experimentInput = {
  name: 'Button',
  description: 'A larger button sells more',
  feature_flag_key: 'button',
  type: 'product',
  metrics: [
    {
      kind: 'ExperimentMetric',
      uuid: '5c3d1d3a-6f5e-4a59-9f4a-2f1c1b0a9d8e',
      name: 'Orders',
      metric_type: 'funnel',
      series: [{ kind: 'EventsNode', event: 'order', properties: {} }],
    },
  ],
  metrics_secondary: [
    {
      kind: 'ExperimentMetric',
      uuid: '0b9f6f0e-9a3e-4f0c-8a51-7f3f7a1c2d3e',
      name: 'Views',
      metric_type: 'mean',
      source: { kind: 'EventsNode', event: 'view', properties: { plan: 'pro' } },
    },
  ],
  parameters: {
    feature_flag_variants: [
      { key: 'control', name: 'Control', rollout_percentage: 50 },
      { key: 'test', name: 'Test', rollout_percentage: 50 },
    ],
    minimum_detectable_effect: 30,
  },
  holdout_id: null,
}

const surveyInput = {
  name: 'Feedback',
  description: 'About the checkout',
  type: 'popover',
  questions: [
    { type: 'open', question: 'What is missing?' },
    {
      type: 'rating',
      question: 'How likely are you to recommend us?',
      display: 'number',
      scale: 10,
      branching: { type: 'response_based', responseValues: { promoters: 'end' } },
    },
  ],
  start_date: null,
  responses_limit: 100,
  targeting_flag_filters: {
    groups: [
      {
        properties: [{ key: 'plan', value: 'pro', operator: 'exact', type: 'person' }],
        rollout_percentage: 100,
      },
    ],
  },
}

const of = (path: string, name: string) => (kept: KeptFields) => `${path}/${String(kept[name])}/`
const flags = '/projects/@current/feature_flags'
const insights = '/projects/@current/insights'
const dashboards = '/projects/@current/dashboards'
const surveys = '/projects/@current/surveys'
const experiments = '/projects/@current/experiments'
const query = '/environments/@current/query/'
const anOrganization = '/organizations/00000000-0000-4000-8000-000000000001'

const get = (path: string | ((kept: KeptFields) => string), reads: z.ZodType): Request => ({
  send: (kept) => ['GET', typeof path === 'string' ? path : path(kept)],
  reads,
})
const patch = (path: (kept: KeptFields) => string, body: unknown, reads: z.ZodType = isDeleted): Request => ({
  send: (kept) => ['PATCH', path(kept), body],
  reads,
})

/** The calls of PostHog/mcp (typescript/src/api/client.ts, e2ee61a), in an order in which each has what it needs. */
const mcpCalls: readonly ClientCall[] = [
  call(
    'users.me',
    get(
      '/users/@me/',
      z.object({ distinct_id: text, team: project, organization, organizations: z.array(organization) }),
    ),
  ),
  call(
    'apiKeys.current',
    get(
      '/personal_api_keys/@current',
      z.object({
        scopes: z.array(text).min(1),
        scoped_teams: z.array(z.number()),
        scoped_organizations: z.array(text),
      }),
    ),
  ),
  call('organizations.list', get('/organizations/', z.object({ results: z.array(organization).min(1) }))),
  call('organizations.get', get(`${anOrganization}/`, organization)),
  call('organizations.projects.list', get(`${anOrganization}/projects/`, page(project))),
  call('projects.get', get('/projects/@current/', project)),
  call(
    'projects.propertyDefinitions',
    get(
      '/projects/@current/property_definitions/?event_names=%5B%22order%22%5D&exclude_core_properties=true&filter_by_event_names=true&is_feature_flag=false&limit=100&offset=0&type=event&exclude_hidden=true',
      page(
        z.object({
          id: text,
          name: text,
          property_type: nullish(z.enum(['String', 'Numeric', 'Boolean', 'DateTime'])),
          hidden: nullish(z.boolean()),
        }),
      ),
    ),
  ),
  call(
    'projects.eventDefinitions',
    get(
      '/projects/@current/event_definitions/?search=order',
      page(z.object({ id: z.uuid(), name: text, last_seen_at: nullish(text) })),
    ),
  ),
  call('featureFlags.create', {
    send: () => ['POST', `${flags}/`, flagInput],
    reads: flag,
    keeps: { flag: 'id' },
  }),
  call('featureFlags.list', get(`${flags}/`, page(flag))),
  call('featureFlags.get', get(of(flags, 'flag'), flag)),
  call('featureFlags.findByKey', get(`${flags}/`, page(flag)), get(of(flags, 'flag'), flag)),
  call(
    'featureFlags.update',
    patch(
      of(flags, 'flag'),
      { key: 'checkout', name: 'New checkout', active: false },
      flag.extend({ name: z.literal('New checkout'), active: z.literal(false) }),
    ),
  ),
  call('featureFlags.delete', patch(of(flags, 'flag'), { deleted: true })),
  call('insights.create', {
    send: () => ['POST', `${insights}/`, insightInput],
    reads: insight.extend({ favorited: z.literal(true) }),
    keeps: { insight: 'id', shortId: 'short_id', query: 'query' },
  }),
  call('insights.list', get(`${insights}/?limit=10&offset=0&search=Views`, page(insight))),
  call(
    'insights.get',
    get(of(insights, 'insight'), insight),
    // the client looks for eight letters and digits in the list
    {
      send: ({ shortId }) => ['GET', `${insights}/?short_id=${String(shortId)}`],
      reads: page(insight.extend({ short_id: z.string().regex(/^[A-Za-z0-9]{8}$/) })),
    },
  ),
  call('insights.query', { send: (kept) => ['POST', query, { query: kept['query'] }], reads: results }),
  call(
    'insights.update',
    patch(
      of(insights, 'insight'),
      { name: 'All views', favorited: false },
      insight.extend({ name: z.literal('All views') }),
    ),
  ),
  absent('insights.sqlInsight', 'POST', '/environments/@current/max_tools/create_and_query_insight/', {
    query: 'views by day',
    insight_type: 'sql',
  }),
  call('query.execute', {
    send: () => [
      'POST',
      query,
      {
        query: {
          kind: 'TrendsQuery',
          dateRange: { date_from: '-6d', date_to: null },
          filterTestAccounts: true,
          series: [
            {
              event: '$ai_generation',
              name: '$ai_generation',
              math: 'sum',
              math_property: '$ai_total_cost_usd',
              kind: 'EventsNode',
            },
          ],
          breakdownFilter: { breakdown_type: 'event', breakdown: '$ai_model' },
        },
      },
    ],
    reads: results,
  }),
  call('query.execute of SQL', {
    send: () => [
      'POST',
      query,
      {
        query: {
          kind: 'DataVisualizationNode',
          source: {
            kind: 'HogQLQuery',
            query: "SELECT event, count() AS n FROM events WHERE {filters} AND event = 'view' GROUP BY event",
            filters: { dateRange: { date_from: '-7d', date_to: null } },
          },
        },
      },
    ],
    reads: results.extend({ results: z.tuple([z.tuple([z.literal('view'), z.literal(2)])]) }),
  }),
  call('dashboards.create', {
    send: () => ['POST', `${dashboards}/`, { name: 'Web', description: 'All', pinned: true, tags: ['web'] }],
    reads: z.object({ id: z.number(), name: text }),
    keeps: { dashboard: 'id' },
  }),
  call('dashboards.list', get(`${dashboards}/?limit=10&search=we`, page(dashboard))),
  call('dashboards.addInsight', {
    send: (kept) => ['PATCH', of(insights, 'insight')(kept), { dashboards: [kept['dashboard']] }],
    reads: z.object({ dashboards: z.array(z.number()).length(1) }),
  }),
  call(
    'dashboards.get',
    get(of(dashboards, 'dashboard'), dashboard.extend({ tiles: z.array(tile).length(1) })),
  ),
  call(
    'dashboards.update',
    patch(
      of(dashboards, 'dashboard'),
      { name: 'Website', pinned: false, tags: [] },
      z.object({ id: z.number(), name: z.literal('Website') }),
    ),
  ),
  call('insights.delete', patch(of(insights, 'insight'), { deleted: true })),
  call('dashboards.delete', patch(of(dashboards, 'dashboard'), { deleted: true })),
  call('experiments.create', {
    send: () => ['POST', `${experiments}/`, experimentInput],
    reads: experiment,
    keeps: { experiment: 'id', metrics: 'metrics', metrics_secondary: 'metrics_secondary' },
  }),
  call('experiments.list', get(`${experiments}/`, page(experiment))),
  call('experiments.get', get(of(experiments, 'experiment'), experiment)),
  call(
    'experiments.update',
    patch(
      of(experiments, 'experiment'),
      { name: 'Larger button', parameters: { minimum_detectable_effect: 20 } },
      experiment,
    ),
    // the launch
    patch(
      of(experiments, 'experiment'),
      { start_date: '2026-03-02T10:00:02.000Z' },
      experiment.extend({ start_date: text }),
    ),
  ),
  call('experiments.getExposures', {
    send: ({ experiment: id }) => [
      'POST',
      query,
      {
        query: { kind: 'ExperimentExposureQuery', experiment_id: id, experiment_name: 'Button' },
        refresh: 'blocking',
      },
    ],
    reads: exposures,
  }),
  call(
    'experiments.getMetricResults',
    ...(['metrics', 'metrics_secondary'] as const).map((list): Request => ({
      send: (kept) => {
        const [metric] = z.array(z.unknown()).parse(kept[list])
        return [
          'POST',
          query,
          { query: { kind: 'ExperimentQuery', metric, experiment_id: kept['experiment'] } },
        ]
      },
      reads: z.object({
        baseline: z.object({ key: z.literal('control') }),
        variant_results: z.array(z.any()),
      }),
    })),
  ),
  call('experiments.update that concludes', {
    ...patch(
      of(experiments, 'experiment'),
      { conclusion: 'inconclusive', end_date: '2026-03-02T11:00:01.000Z', conclusion_comment: 'Too few' },
      experiment.extend({ conclusion: z.literal('inconclusive'), conclusion_comment: z.literal('Too few') }),
    ),
    isLater: true,
  }),
  call('experiments.delete', patch(of(experiments, 'experiment'), { deleted: true })),
  call('surveys.create', {
    send: () => ['POST', `${surveys}/`, surveyInput],
    reads: survey,
    keeps: { survey: 'id' },
  }),
  call('surveys.list', get(`${surveys}/?limit=10&search=feed`, page(survey.omit({ questions: true })))),
  call('surveys.get', get(of(surveys, 'survey'), survey)),
  call(
    'surveys.update',
    patch(
      of(surveys, 'survey'),
      { name: 'Our checkout', conditions: { url: '/checkout', urlMatchType: 'icontains' } },
      survey.extend({
        name: z.literal('Our checkout'),
        conditions: z.looseObject({ url: z.literal('/checkout') }),
      }),
    ),
    patch(of(surveys, 'survey'), { start_date: '2026-03-02T10:00:00Z' }, survey.extend({ start_date: text })),
  ),
  call(
    'surveys.stats',
    get(
      (kept) =>
        `${of(surveys, 'survey')(kept)}stats/?survey_id=${String(kept['survey'])}&date_from=2026-03-01T00:00:00Z`,
      surveyStats,
    ),
  ),
  call('surveys.globalStats', get(`${surveys}/stats/`, surveyStats)),
  call('surveys.delete', patch(of(surveys, 'survey'), { archived: true })),
]

const sent = (value: unknown): z.ZodType =>
  z.any().refine((given) => {
    expect(given).toMatchObject(Object(value))
    return true
  })

const terraformQuery = {
  kind: 'InsightVizNode',
  source: { kind: 'TrendsQuery', version: 2, series: [{ kind: 'EventsNode', event: 'view', name: 'view' }] },
}
const terraformInsight = {
  name: 'Views',
  derived_name: 'Count of views',
  query: terraformQuery,
  tags: ['web'],
  _create_in_folder: 'Marketing',
}
const terraformFlag = {
  key: 'banner',
  name: 'Banner',
  active: true,
  filters: { groups: [{ properties: [], rollout_percentage: 30 }] },
  tags: ['web'],
  ensure_experience_continuity: false,
}
const terraformSurvey = {
  name: 'NPS',
  type: 'popover',
  linked_flag_id: null,
  linked_insight_id: null,
  questions: [{ type: 'open', question: 'Why?' }],
  conditions: { url: 'example.com' },
  appearance: { backgroundColor: '#ffffff' },
  start_date: '2026-03-02T09:00:00Z',
  responses_limit: null,
  iteration_count: null,
  iteration_frequency_days: null,
  response_sampling_interval: null,
  response_sampling_limit: null,
}
/** Null stays out of what is compared: the provider takes null and an absent field as the same. */
const readBack = (given: object): z.ZodType =>
  sent(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)))

const step = { event: 'order', properties: [{ key: 'plan', value: 'pro', operator: 'exact', type: 'event' }] }
const layout = { sm: { x: 0, y: 0, w: 6, h: 4 } }
const int32 = z.number().int().positive().max(2_147_483_647)

/**
 * The calls of PostHog/terraform-provider-posthog (internal/httpclient, a771afa). The provider fails after a change whose
 * answer differs from what was sent, so the answers are compared with it.
 */
const terraformCalls: readonly ClientCall[] = [
  call('ListOrganizations', get('/organizations/', page(organization.extend({ slug: text })))),
  call('ResolveOrganizationID', get('/organizations/@current/', organization)),
  call(
    'ListOrganizationMembers',
    get(
      `${anOrganization}/members/`,
      page(z.object({ id: text, user: z.object({ uuid: text, email: text }), level: z.number().int() })),
    ),
  ),
  call(
    'GetOrganizationMember',
    get(`${anOrganization}/members/`, page(z.object({ user: z.object({ uuid: text }) }))),
  ),
  call(
    'GetProject',
    get(`${anOrganization}/projects/@current/`, project.extend({ api_token: text, timezone: text })),
  ),
  call('UpdateProject', {
    send: () => [
      'PATCH',
      `${anOrganization}/projects/@current/`,
      { name: 'Acme Ltd', timezone: 'Europe/Berlin' },
    ],
    reads: readBack({ name: 'Acme Ltd', timezone: 'Europe/Berlin' }),
  }),
  call('GetEnvironment', get('/environments/@current/', z.object({ id: z.number().int() }))),
  call('CreateFeatureFlag', {
    send: () => ['POST', `${flags}/`, { ...terraformFlag, deleted: false }],
    reads: readBack({ ...terraformFlag, rollout_percentage: 30, deleted: false }),
    keeps: { flag: 'id' },
  }),
  call('GetFeatureFlag', get(of(flags, 'flag'), readBack(terraformFlag))),
  call(
    'UpdateFeatureFlag',
    patch(
      of(flags, 'flag'),
      { ...terraformFlag, active: false, deleted: false },
      readBack({ ...terraformFlag, active: false }),
    ),
  ),
  call(
    'DeleteFeatureFlag',
    get(of(flags, 'flag'), z.object({ key: text })),
    patch(of(flags, 'flag'), { key: 'banner', deleted: true }, z.object({ deleted: z.literal(true) })),
  ),
  call('CreateDashboard', {
    send: () => ['POST', `${dashboards}/`, { name: 'Web', description: 'All', pinned: true, tags: ['web'] }],
    reads: z.intersection(
      readBack({ name: 'Web', description: 'All', pinned: true, tags: ['web'], deleted: false }),
      z.object({ id: int32 }),
    ),
    keeps: { dashboard: 'id' },
  }),
  call('GetDashboard', get(of(dashboards, 'dashboard'), readBack({ pinned: true, tags: ['web'] }))),
  call(
    'UpdateDashboard',
    patch(
      of(dashboards, 'dashboard'),
      { name: 'Website', pinned: false },
      readBack({ name: 'Website', pinned: false, tags: ['web'] }),
    ),
  ),
  call('CreateInsight', {
    send: ({ dashboard: id }) => ['POST', `${insights}/`, { ...terraformInsight, dashboards: [id] }],
    reads: z.intersection(readBack(terraformInsight), z.object({ dashboards: z.array(int32).length(1) })),
    keeps: { insight: 'id' },
  }),
  call('GetInsight', get(of(insights, 'insight'), readBack(terraformInsight))),
  call(
    'UpdateInsight',
    patch(
      of(insights, 'insight'),
      { name: '', description: 'All', query: terraformQuery, deleted: false },
      readBack({ description: 'All', query: terraformQuery }),
    ),
  ),
  call('UpdateDashboardLayout', {
    send: (kept) => [
      'PATCH',
      of(dashboards, 'dashboard')(kept),
      { tiles: [{ text: { body: '# Web' }, layouts: layout }] },
    ],
    reads: z.object({
      tiles: z.array(z.object({ id: z.number(), layouts: z.record(text, z.any()) })).length(2),
    }),
  }),
  call(
    'GetDashboardLayout',
    get(
      of(dashboards, 'dashboard'),
      z.object({
        tiles: z.tuple([
          z.object({ insight: z.object({ id: z.number() }) }),
          z.object({ text: z.object({ id: z.number(), body: z.literal('# Web') }) }),
        ]),
      }),
    ),
  ),
  call(
    'DeleteInsight',
    patch(of(insights, 'insight'), { deleted: true }, z.object({ deleted: z.literal(true) })),
  ),
  call(
    'DeleteDashboard',
    patch(of(dashboards, 'dashboard'), { deleted: true }, z.object({ deleted: z.literal(true) })),
  ),
  call('CreateSurvey', {
    send: () => ['POST', `${surveys}/`, terraformSurvey],
    reads: readBack(terraformSurvey),
    keeps: { survey: 'id' },
  }),
  call('GetSurvey', get(of(surveys, 'survey'), readBack(terraformSurvey))),
  call(
    'UpdateSurvey',
    patch(
      of(surveys, 'survey'),
      { ...terraformSurvey, responses_limit: 50, archived: false },
      readBack({ ...terraformSurvey, responses_limit: 50 }),
    ),
  ),
  call('DeleteSurvey', { send: (kept) => ['DELETE', of(surveys, 'survey')(kept)] }),
  call('CreateAction', {
    send: () => [
      'POST',
      '/projects/@current/actions/',
      { name: 'Ordered', description: 'Pro', tags: ['shop'], steps: [step] },
    ],
    reads: readBack({ name: 'Ordered', description: 'Pro', tags: ['shop'], steps: [step] }),
    keeps: { action: 'id' },
  }),
  call(
    'GetAction',
    get(of('/projects/@current/actions', 'action'), readBack({ name: 'Ordered', tags: ['shop'] })),
  ),
  call(
    'UpdateAction',
    patch(
      of('/projects/@current/actions', 'action'),
      { name: 'Bought', steps: [step] },
      readBack({ name: 'Bought' }),
    ),
  ),
  call('DeleteAction', patch(of('/projects/@current/actions', 'action'), { deleted: true })),
  ...['UpdateEnvironment'].map((name) =>
    absent(name, 'PATCH', '/environments/@current/', { surveys_opt_in: true }),
  ),
  absent('UpdateOrganizationMember', 'PATCH', `${anOrganization}/members/1/`, { level: 8 }),
  absent('DeleteOrganizationMember', 'DELETE', `${anOrganization}/members/1/`),
  absent('CreateProject', 'POST', `${anOrganization}/projects/`, { name: 'New' }),
  absent('DeleteProject', 'DELETE', `${anOrganization}/projects/1/`),
  ...['CreateAlert', 'GetAlert', 'UpdateAlert', 'DeleteAlert'].map((name) =>
    absent(name, 'GET', '/environments/@current/alerts/1/'),
  ),
  ...['CreateHogFunction', 'GetHogFunction', 'UpdateHogFunction', 'DeleteHogFunction'].map((name) =>
    absent(name, 'GET', '/environments/@current/hog_functions/1/'),
  ),
  ...[
    'CreateExternalDataSource',
    'GetExternalDataSource',
    'UpdateExternalDataSource',
    'DeleteExternalDataSource',
  ].map((name) => absent(name, 'GET', '/projects/@current/external_data_sources/1/')),
  ...['GetAccessControls', 'UpsertAccessControl', 'DeleteAccessControl'].map((name) =>
    absent(name, 'GET', '/projects/@current/resource_access_controls/'),
  ),
  ...['GetProjectAccessControls', 'UpsertProjectAccessControl', 'DeleteProjectAccessControl'].map((name) =>
    absent(name, 'GET', '/projects/@current/access_controls/'),
  ),
  ...[
    'ListRoles',
    'CreateRole',
    'GetRole',
    'UpdateRole',
    'DeleteRole',
    'CreateRoleMembership',
    'GetRoleMembership',
    'DeleteRoleMembership',
  ].map((name) => absent(name, 'GET', `${anOrganization}/roles/`)),
  ...['ListProxyRecords', 'CreateProxyRecord', 'GetProxyRecord', 'DeleteProxyRecord'].map((name) =>
    absent(name, 'GET', `${anOrganization}/proxy_records/`),
  ),
]

/** The requests of Zapier's app of PostHog's (PostHog/posthog-zapier, src). Its capture of an event follows the project. */
const zapierCalls: readonly ClientCall[] = [
  call('authentication.test', get('/users/@me/', z.object({ first_name: text }))),
  call('organization_created', get('/users/@me/', z.object({ organizations: z.array(organization).min(1) }))),
  call(
    'project_created',
    get(`${anOrganization}/`, z.object({ teams: z.array(z.object({ id: z.number(), name: text })).min(1) })),
  ),
  call('event_capture', get('/projects/@current/', z.object({ api_token: text }))),
  call(
    'action_defined',
    {
      send: () => ['POST', '/projects/@current/actions/', { name: 'Ordered', steps: [{ event: 'order' }] }],
      keeps: { action: 'id' },
    },
    get('/projects/@current/actions/', page(z.object({ id: z.number(), name: text }))),
  ),
  call('action_performed, its samples', {
    send: ({ action }) => [
      'POST',
      '/projects/@current/query/',
      {
        query: {
          kind: 'EventsQuery',
          select: ['*', 'person'],
          actionId: action,
          after: 'all',
          limit: 3,
          orderBy: ['timestamp DESC'],
        },
      },
    ],
    reads: z.object({
      results: z.tuple([
        z.tuple([
          z.object({ uuid: text, distinct_id: z.literal('ana'), event: z.literal('order') }),
          z.object({ id: text }),
        ]),
      ]),
    }),
  }),
  call(
    'annotation_created',
    {
      send: () => [
        'POST',
        '/projects/@current/annotations/',
        { content: 'Launch', date_marker: '2026-03-02T10:00:00Z' },
      ],
    },
    get('/projects/@current/annotations/', page(z.object({ id: z.number(), content: text }))),
  ),
  absent('action_performed, its hook', 'POST', '/projects/@current/hooks/', {
    target: 'https://hooks.example.com/1',
    event: 'action_performed',
    resource_id: 1,
  }),
  absent('unsubscribeHook', 'DELETE', '/projects/@current/hooks/1/'),
]

const hourMs = 3_600_000

async function aClient() {
  const fixture = await openTestProduct({ engine: engine.engine() })
  const { product, world, aProject, aMember } = fixture
  const at = (hours: number) => new Date(world.now().getTime() - hours * hourMs).toISOString()
  const told = await engine.addProject([
    { person: 'ana', event: 'view', at: at(3) },
    { person: 'ana', event: 'order', at: at(2), properties: { total: '12.5' } },
    { person: 'ben', event: 'view', at: at(1) },
  ])
  let acme = await aProject()
  while (acme.id < told) acme = await aProject()
  await aMember({ project: acme })
  const { text: key } = requireDone(
    await product.projects.keys.create(acme.id, { name: 'Client', scopes }, operator()),
  )
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await handlePosthogRequest(
      {
        method,
        address: new URL(`https://tilth.example.com/api${path}`),
        authorization: `Bearer ${key}`,
        body: async () => new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
        origin: testOrigin,
        receivedAt: world.now(),
      },
      product,
    )
    return {
      status: answer.status,
      body: answer.body === undefined ? {} : JSON.parse(JSON.stringify(answer.body)),
    }
  }
  return { ask, world }
}

type RunningClient = Awaited<ReturnType<typeof aClient>>

async function outcomeOf(
  { name, requests }: ClientCall,
  { ask, world }: RunningClient,
  kept: KeptFields,
): Promise<string> {
  for (const { send, reads = z.any(), keeps = {}, isLater } of requests) {
    if (isLater) world.advance('1 hour')
    const { status, body } = await ask(...send(kept))
    const detail = z.object({ detail: text }).safeParse(body).data?.detail ?? ''
    if (status >= 400)
      return `${name}: ${/docs\/posthog\.md/.test(detail) ? 'absent' : `${status} ${detail}`}`
    const read = reads.safeParse(body)
    if (!read.success) return `${name}: ${z.prettifyError(read.error)}`
    for (const [as, field] of Object.entries(keeps)) kept[as] = body[field]
  }
  return `${name}: works`
}

const docs = readFileSync(join(import.meta.dirname, '../../../docs/posthog.md'), 'utf8')

test.each([
  ['PostHog/mcp', mcpCalls],
  ['PostHog/terraform-provider-posthog', terraformCalls],
  ['PostHog/posthog-zapier', zapierCalls],
])(
  '%s makes the calls that its source makes, and docs/posthog.md says how many work',
  async (client, calls) => {
    const running = await aClient()
    const kept: KeptFields = {}
    const outcomes: string[] = []
    for (const one of calls) outcomes.push(await outcomeOf(one, running, kept))
    expect(outcomes).toEqual(calls.map(({ name, isAbsent }) => `${name}: ${isAbsent ? 'absent' : 'works'}`))
    const working = calls.filter(({ isAbsent }) => !isAbsent).length
    expect(docs).toContain(`| ${client} | ${working} of ${calls.length} |`)
  },
)
