import { describe, expect, test } from 'vitest'
import { openTestProduct, requireDone, testOrigin } from '#test/product/fixture'
import type { Engine } from '#engine/engine'
import { operator, scopes } from '#projects/access'
import { sqlQueryFrom } from './hogql'
import { handlePosthogRequest } from './internal/handle'
import { filterFrom } from './property-filters'

/** A client with a key of the project, which has these scopes. */
async function aClient(held: readonly string[] = scopes) {
  // no events were ever stored
  const engine = { query: async () => [] } as unknown as Engine
  const { product, aProject, world } = await openTestProduct({ engine })
  const acme = await aProject()
  const { text } = requireDone(
    await product.projects.keys.create(acme.id, { name: 'Client', scopes: held }, operator()),
  )
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await handlePosthogRequest(
      {
        method,
        address: new URL(`https://tilth.example.com/api/projects/@current${path}`),
        authorization: `Bearer ${text}`,
        body: async () => new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
        origin: testOrigin,
        receivedAt: world.now(),
      },
      product,
    )
    // answers are compared here
    return {
      status: answer.status,
      body: JSON.parse(JSON.stringify(answer.body ?? null)) as Record<string, unknown>,
    }
  }
  const audited = async () => {
    const entries = await product.projects.audit.list(acme.id, {}, operator())
    return entries
      .filter(({ actor }) => actor.name === 'Client')
      .map(({ action, subject }) => `${action} ${subject}`)
  }
  return { ask, acme, product, world, audited }
}

const filters = { groups: [{ properties: [], rollout_percentage: 20 }] }
const series = [{ kind: 'EventsNode', event: 'view' }]
const trend = { kind: 'InsightVizNode', source: { kind: 'TrendsQuery', series } }

describe('who may write', () => {
  test.each([
    ['/feature_flags/', { key: 'cta', filters }, 'flags:write'],
    ['/insights/', { name: 'Views', query: trend }, 'insights:write'],
    ['/dashboards/', { name: 'Web' }, 'insights:write'],
    ['/actions/', { name: 'Viewed', steps: [{ event: 'view' }] }, 'insights:write'],
    ['/surveys/', { name: 'NPS', type: 'api', questions: [] }, 'surveys:write'],
    ['/experiments/', { name: 'Button', feature_flag_key: 'button' }, 'experiments:write'],
  ])('%s with %j takes the scope of Tilth’s own API', async (path, input, scope) => {
    const { ask, product, acme } = await aClient(scopes.filter((one) => one !== scope))
    expect(await ask('POST', path, input)).toMatchObject({
      status: 403,
      body: { code: 'permission_denied', detail: expect.stringContaining(scope) },
    })
    expect(await product.flags.list(acme.id, operator())).toEqual([])
  })

  test('each change is in the audit log, as one of Tilth’s own API', async () => {
    const { ask, audited } = await aClient()
    await ask('POST', '/feature_flags/', { key: 'cta', filters })
    await ask('PATCH', '/feature_flags/cta/', { active: false })
    await ask('PATCH', '/feature_flags/cta/', { deleted: true })
    const { body } = await ask('POST', '/surveys/', { name: 'NPS', type: 'api', questions: [] })
    await ask('DELETE', `/surveys/${String(body['id'])}/`)
    expect((await audited()).toReversed()).toEqual([
      'flag.create cta',
      'flag.import cta',
      'flag.archive cta',
      'survey.create NPS',
      'survey.remove NPS',
    ])
  })
})

describe('flags', () => {
  test('a key that is taken stays with its flag', async () => {
    const { ask } = await aClient()
    await ask('POST', '/feature_flags/', { key: 'cta', name: 'First', filters })
    expect(await ask('POST', '/feature_flags/', { key: 'cta', name: 'Second', filters })).toMatchObject({
      status: 400,
      body: { attr: 'key' },
    })
    expect((await ask('GET', '/feature_flags/cta/')).body).toMatchObject({ name: 'First' })
  })

  test('a change leaves what it does not name', async () => {
    const { ask } = await aClient()
    await ask('POST', '/feature_flags/', { key: 'cta', name: 'CTA', active: true, tags: ['web'], filters })
    const { body } = await ask('PATCH', '/feature_flags/cta/', { active: false })
    expect(body).toMatchObject({ name: 'CTA', active: false, tags: ['web'], filters })
    expect(await ask('PATCH', '/feature_flags/cta/', { key: 'other' })).toMatchObject({ status: 400 })
  })

  test('a deleted one is archived, and comes back', async () => {
    const { ask, product, acme } = await aClient()
    await ask('POST', '/feature_flags/', { key: 'cta', filters })
    expect(await ask('PATCH', '/feature_flags/cta/', { key: 'cta', deleted: true })).toMatchObject({
      status: 200,
      body: { deleted: true },
    })
    expect((await product.flags.find(acme.id, 'cta', operator()))?.archivedAt).toBeDefined()
    const back = await ask('PATCH', '/feature_flags/cta/', { deleted: false, name: 'Again' })
    expect(back.body).toMatchObject({ deleted: false, name: 'Again' })
  })

  test.each([
    [{ key: 'cta', filters, surprise: 1 }, 'surprise', /"surprise"/],
    [
      {
        key: 'cta',
        filters: { groups: [{ properties: [{ key: 'a', type: 'person', operator: 'nearly', value: 1 }] }] },
      },
      expect.anything(),
      /./,
    ],
    [{ key: 'no such key!', filters }, 'key', /letters/],
  ])('%j is refused', async (input, attr, detail) => {
    const { ask } = await aClient()
    expect(await ask('POST', '/feature_flags/', input)).toMatchObject({
      status: 400,
      body: { type: 'validation_error', attr, detail: expect.stringMatching(detail) },
    })
  })
})

describe('insights and dashboards', () => {
  test('an insight has its query as it was sent until it asks another', async () => {
    const { ask, product, acme } = await aClient()
    const sent = { ...trend, version: 3 }
    const { body } = await ask('POST', '/insights/', { name: 'Views', query: sent, favorited: true })
    const one = `/insights/${String(body['id'])}/`
    expect((await ask('GET', one)).body).toMatchObject({ query: sent, favorited: true })
    await ask('PATCH', one, { name: 'All views' })
    expect((await ask('GET', one)).body).toMatchObject({ name: 'All views', query: sent })
    const listed = requireDone(await product.insights.saved.list(acme.id, {}, operator()))
    const id = listed.insights[0]?.id ?? ''
    requireDone(
      await product.insights.saved.change(
        acme.id,
        id,
        { question: { kind: 'totals', period: '7d' } },
        operator(),
      ),
    )
    expect((await ask('GET', one)).body).toMatchObject({
      query: { kind: 'InsightVizNode', source: { kind: 'TilthQuestion', question: { kind: 'totals' } } },
    })
  })

  test('a deleted insight leaves its dashboards, and an unknown dashboard is refused before anything is made', async () => {
    const { ask } = await aClient()
    const dashboard = (await ask('POST', '/dashboards/', { name: 'Web' })).body['id']
    expect(await ask('POST', '/insights/', { name: 'Views', query: trend, dashboards: [1] })).toMatchObject({
      status: 400,
      body: { attr: 'dashboards' },
    })
    expect((await ask('GET', '/insights/')).body).toMatchObject({ count: 0 })
    const { body } = await ask('POST', '/insights/', { name: 'Views', query: trend, dashboards: [dashboard] })
    expect(body).toMatchObject({ dashboards: [dashboard] })
    expect((await ask('GET', `/dashboards/${String(dashboard)}/`)).body['tiles']).toHaveLength(1)
    const one = `/insights/${String(body['id'])}/`
    expect(await ask('PATCH', one, { deleted: true })).toMatchObject({ status: 200, body: { deleted: true } })
    expect((await ask('GET', `/dashboards/${String(dashboard)}/`)).body['tiles']).toEqual([])
    expect((await ask('GET', one)).status).toBe(404)
    expect((await ask('PATCH', one, { deleted: false })).body).toMatchObject({ deleted: false })
  })

  test('tiles are moved, written and removed by their numbers', async () => {
    const { ask } = await aClient()
    const { body } = await ask('POST', '/dashboards/', { name: 'Web' })
    const one = `/dashboards/${String(body['id'])}/`
    const layouts = { sm: { x: 6, y: 0, w: 6, h: 3 } }
    const made = await ask('PATCH', one, { tiles: [{ text: { body: 'Hello' }, layouts, color: 'blue' }] })
    const tiles = made.body['tiles'] as { id: number }[]
    expect(tiles).toMatchObject([{ text: { body: 'Hello' }, layouts }])
    const [{ id } = { id: 0 }] = tiles
    const changed = await ask('PATCH', one, { tiles: [{ id, text: { body: 'Bye' }, color: 'red' }] })
    expect(changed.body['tiles']).toMatchObject([{ id, text: { body: 'Bye' }, color: 'red', layouts }])
    expect((await ask('PATCH', one, { tiles: [{ id, deleted: true }] })).body['tiles']).toEqual([])
    expect(await ask('PATCH', one, { tiles: [{ id: 7 }] })).toMatchObject({ status: 400 })
    expect(await ask('PATCH', one, { filters: { date_from: '-7d' } })).toMatchObject({
      status: 400,
      body: { attr: 'filters' },
    })
  })
})

describe('surveys', () => {
  const input = {
    name: 'Feedback',
    type: 'popover',
    questions: [{ type: 'open', question: 'What is missing?' }],
    conditions: { url: '/checkout', urlMatchType: 'icontains' },
  }

  test('a change keeps what PostHog has no word for', async () => {
    const { ask, product, acme } = await aClient()
    const id = String((await ask('POST', '/surveys/', input)).body['id'])
    const ours = {
      targeting: { exitIntent: true, scrollPercent: 50 },
      content: { hiddenFields: ['plan'], appearance: { progressBar: true } },
    }
    requireDone(await product.surveys.change(acme.id, id, ours, operator()))
    const before = await product.surveys.find(acme.id, id, operator())
    await ask('PATCH', `/surveys/${id}/`, {
      conditions: { selector: '#buy' },
      appearance: { backgroundColor: '#000000' },
      questions: input.questions,
    })
    const after = await product.surveys.find(acme.id, id, operator())
    expect(after).toMatchObject({
      targeting: { exitIntent: true, scrollPercent: 50, selector: '#buy' },
      content: { hiddenFields: ['plan'], appearance: { progressBar: true, backgroundColor: '#000000' } },
    })
    expect(after?.targeting.url).toBeUndefined()
    // the same question keeps its answers
    expect(after?.content.questions[0]?.id).toBe(before?.content.questions[0]?.id)
  })

  test('dates launch and end it, and DELETE archives what was launched', async () => {
    const { ask, product, acme, world } = await aClient()
    const id = String((await ask('POST', '/surveys/', input)).body['id'])
    const one = `/surveys/${id}/`
    expect((await ask('PATCH', one, { start_date: '2026-03-02T09:00:00Z' })).body).toMatchObject({
      start_date: '2026-03-02T09:00:00Z',
    })
    expect(await ask('PATCH', one, { start_date: '2026-03-01T09:00:00Z' })).toMatchObject({ status: 400 })
    world.advance('1 hour')
    expect((await ask('PATCH', one, { end_date: '2026-03-02T10:30:00Z' })).body).toMatchObject({
      end_date: '2026-03-02T10:30:00Z',
    })
    expect((await ask('DELETE', one)).status).toBe(204)
    expect((await product.surveys.find(acme.id, id, operator()))?.archivedAt).toBeDefined()
  })

  test.each([
    [{ response_sampling_limit: 10 }, /samples/],
    [{ targeting_flag_id: 3 }, /linked_flag_id/],
    [{ linked_flag_id: 3 }, /no flag 3/],
    [
      { targeting_flag_filters: { groups: [{ properties: [{ key: 'id', type: 'cohort', value: 1 }] }] } },
      /of a kind/,
    ],
    [{ start_date: 'soon' }, /2026/],
    [{ surprise: 1 }, /"surprise"/],
  ])('%j is refused, and no survey is made', async (more, detail) => {
    const { ask } = await aClient()
    expect(await ask('POST', '/surveys/', { ...input, ...more })).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(detail) },
    })
    expect((await ask('GET', '/surveys/')).body).toMatchObject({ count: 0 })
  })
})

describe('experiments', () => {
  const metric = (more: object = {}) => ({
    kind: 'ExperimentMetric',
    metric_type: 'mean',
    name: 'Orders',
    source: { kind: 'EventsNode', event: 'order', properties: {}, ...more },
  })
  const input = { name: 'Button', feature_flag_key: 'button', metrics: [metric()] }

  test('one runs from its flag to its conclusion, and is reopened', async () => {
    const { ask, product, acme, world } = await aClient()
    const { body } = await ask('POST', '/experiments/', input)
    expect(body).toMatchObject({
      feature_flag: { key: 'button', active: false },
      parameters: { feature_flag_variants: [{ key: 'control' }, { key: 'test' }] },
    })
    const one = `/experiments/${String(body['id'])}/`
    expect((await ask('PATCH', one, { start_date: world.now().toISOString() })).body).toMatchObject({
      feature_flag: { active: true },
    })
    expect(await ask('PATCH', one, { deleted: true })).toMatchObject({ status: 400 })
    world.advance('1 day')
    const ended = await ask('PATCH', one, { conclusion: 'won', conclusion_comment: 'More orders' })
    expect(ended.body).toMatchObject({ conclusion: 'won', conclusion_comment: 'More orders' })
    const again = await ask('PATCH', one, { end_date: null, conclusion: null, conclusion_comment: null })
    expect(again.body).toMatchObject({ end_date: null, conclusion: null })
    const [experiment] = await product.experiments.list(acme.id, operator())
    expect(experiment).toMatchObject({ endedAt: undefined })
  })

  test('a metric is changed by its list, and the other list stays', async () => {
    const { ask } = await aClient()
    const { body } = await ask('POST', '/experiments/', {
      ...input,
      metrics_secondary: [metric({ event: 'view' })],
    })
    const one = `/experiments/${String(body['id'])}/`
    const changed = await ask('PATCH', one, { metrics: [metric({ event: 'paid' })] })
    expect(changed.body).toMatchObject({
      metrics: [{ source: { event: 'paid' } }],
      metrics_secondary: [{ source: { event: 'view' } }],
    })
  })

  test.each([
    [{ metrics: [{ kind: 'ExperimentMetric', metric_type: 'retention' }] }, /retention/],
    [{ metrics: [metric({ math: 'dau' })] }, /dau/],
    [{ saved_metrics_ids: [1] }, /metrics themselves/],
    [{ holdout_id: 4 }, /holdout/],
    [{ parameters: { feature_flag_variants: [{ key: 'only', rollout_percentage: 100 }] } }, /two variants/],
    [{ start_date: '2027-01-01T00:00:00Z' }, /future/],
  ])('%j is refused', async (more, detail) => {
    const { ask } = await aClient()
    expect(await ask('POST', '/experiments/', { ...input, ...more })).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(detail) },
    })
  })

  test('test accounts that a project names are not counted in silence', async () => {
    const { ask, product, acme } = await aClient()
    const strict = { ...input, exposure_criteria: { filterTestAccounts: true } }
    expect(await ask('POST', '/experiments/', strict)).toMatchObject({ status: 201 })
    const testAccounts = { type: 'person', key: 'email', operator: 'icontains', value: '@acme.example' }
    requireDone(await product.projects.changeSettings(acme.id, { answers: { testAccounts } }, operator()))
    expect(await ask('POST', '/experiments/', { ...strict, feature_flag_key: 'other' })).toMatchObject({
      status: 400,
      body: { attr: 'exposure_criteria' },
    })
  })
})

describe('actions are goals', () => {
  test.each([
    [[{ event: 'view' }, { event: 'order' }], /one step/],
    [[{ event: '$autocapture', selector: '#buy' }], /"selector"/],
    [[{ selector: '#buy' }], /event/],
  ])('steps %j are refused', async (steps, detail) => {
    const { ask } = await aClient()
    expect(await ask('POST', '/actions/', { name: 'Bought', steps })).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(detail) },
    })
  })
})

test('absent parts are named, with the way that there is', async () => {
  const { ask } = await aClient()
  for (const [method, path, named] of [
    ['POST', '/hooks/', /no hooks for single events: an alert/],
    ['GET', '/session_recordings/', /no session recordings/],
    ['POST', '/max_tools/create_and_query_insight/', /HogQLQuery/],
    ['GET', '/of_nothing/', /nothing at/],
  ] as const)
    expect(await ask(method, path, {})).toMatchObject({
      status: 404,
      body: { code: 'not_found', detail: expect.stringMatching(named) },
    })
  expect((await ask('POST', '/hooks/', {})).body['detail']).toMatch(/docs\/posthog\.md/)
})

test('a body without end is refused', async () => {
  const { ask } = await aClient()
  let query: object = { kind: 'TrendsQuery', series }
  for (let level = 0; level < 500; level++) query = { kind: 'InsightVizNode', source: query }
  expect(await ask('POST', '/insights/', { name: 'Deep', query })).toMatchObject({
    status: 400,
    body: { code: 'invalid_json', detail: 'The body is nested more than 100 times.' },
  })
})

describe('filters of HogQL', () => {
  const context = { project: { timeZone: 'UTC', answers: {} }, now: new Date('2026-03-02T10:00:00Z') }
  const dateRange = { date_from: '-7d' }

  test('stand where the text says so, and nowhere else', () => {
    const query = "select '{filters}' from events where {filters}"
    expect(sqlQueryFrom({ query, filters: { dateRange } }, context)).toEqual({
      done: true,
      question: {
        kind: 'sql',
        text: "select '{filters}' from events where (timestamp >= {{from}} and timestamp < {{until}})",
        period: '8d',
      },
    })
    expect(sqlQueryFrom({ query: 'select 1', filters: { dateRange } }, context)).toEqual({
      done: true,
      question: { kind: 'sql', text: 'select 1' },
    })
    expect(sqlQueryFrom({ query: 'select 1 where {filters}' }, context)).toMatchObject({
      question: { text: 'select 1 where true' },
    })
  })

  test.each([
    [{ filters: { properties: [{ key: 'a' }] } }, {}],
    [{ filters: { filterTestAccounts: true } }, { testAccounts: {} }],
    [{ values: { a: 1 } }, {}],
  ])('%j are refused where they would count', (more, about) => {
    const query = 'select count() from events where {filters}'
    const project = { timeZone: 'UTC', answers: about }
    expect(sqlQueryFrom({ query, ...more }, { ...context, project }).done).toBe(false)
  })
})

test('PostHog’s older form of property filters', () => {
  expect(filterFrom({}, {})).toEqual({ done: true, filter: undefined })
  expect(filterFrom({ plan: 'pro', price__gt: 5 }, {})).toEqual({
    done: true,
    filter: {
      all: [
        { type: 'event', key: 'plan', operator: 'exact', value: 'pro' },
        { type: 'event', key: 'price', operator: 'gt', value: 5 },
      ],
    },
  })
})
